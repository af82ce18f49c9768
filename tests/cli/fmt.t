$ printf '%s\n' '-- | Doc.' '-- More.' "def   f [n]'t (xs:[n]f64)(y  :  f64) : f64=" ' let z=map (\x->x*2+y) xs' '     -- why' ' let w = if y<0 then' '        1 else if y>3 then' '    2' '   else -3' ' in reduce (+) 0 z   -- one' '        + w[1:2,3]   -- two' > a.fut
$ dagaz fmt --stdout a.fut
-- | Doc.
-- More.
def f [n] 't (xs: [n]f64) (y: f64) : f64 =
  let z = map (\x -> x * 2 + y) xs
  -- why
  let w = if y < 0 then
            1 else if y > 3 then
            2
          else -3
  in reduce (+) 0 z -- one
    + w[1:2, 3]     -- two
$ printf '%s\n' "type~ t   '^a= #foo a|#bar" 'module m:{' 'type t' 'val f: t-> *[]t' 'val +:t->t->t }' '={' '#[noinline]' 'def f ( x:t )= [x , -x,' '!x]' '-- last' '}' > b.fut
$ dagaz fmt < b.fut
type~ t '^a = #foo a | #bar
module m : {
  type t
  val f : t -> *[]t
  val + : t -> t -> t }
= {
  #[noinline]
  def f (x: t) = [x, -x,
                  !x]
  -- last
}
$ printf '%s\n' 'entry g x=match x' ' case 1-> (+1) (2*)(* 3) (.f[0]) (-x)' ' case #b (x,-1) -> loop (a,b)=(1,2) for i<n do' '  let a[i]= a with [1]=3' '  in f (\(x:i32)->' '  x)' '   a |>' 'h 1...3 (0.. 0.5..<x.0.1)' > c.fut
$ dagaz fmt < c.fut
entry g x = match x
            case 1 -> (+ 1) (2 *) (* 3) (.f[0]) (-x)
            case #b (x, -1) -> loop (a, b) = (1, 2) for i < n do
                                 let a[i] = a with [1] = 3
                                 in f (\(x: i32) ->
                                   x)
                                   a |>
                                   h 1...3 (0.. 0.5..<x.0.1)
$ dagaz fmt --check a.fut b.fut
a.fut
b.fut
[1]
$ dagaz fmt a.fut b.fut; dagaz fmt --check a.fut b.fut
$ echo 'def f = (' | dagaz fmt
Error at (stdin):2:1-2:
Unexpected end of file, expected an expression.
    2 | 
      | ^ [syntax]
[2]
$ printf 'def x = 1\r\n\r\n\r\n\r\ndef y =\t2   \n\n-- ==\n-- input { }' | dagaz fmt
def x = 1

def y = 2

-- ==
-- input { }
$ cp -r $DAGAZ_ROOT/lib $DAGAZ_ROOT/tests/run $DAGAZ_ROOT/tests/ad $DAGAZ_ROOT/tests/error .; chmod -R u+w .; dagaz fmt lib run ad error 2>/dev/null; dagaz fmt --check lib run ad error 2>/dev/null
[2]
$ dagaz test --interp ad/loops.fut run/control.fut
26 passed, 0 failed
