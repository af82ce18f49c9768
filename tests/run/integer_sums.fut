-- Reductions of integers, which run as vector code from 32 elements on: lengths around that, and
-- sums that wrap.
-- ==
-- entry: sums
-- input { 0i64 } output { 0i32 -2147483648i32 2147483647i32 0i8 1i32 0u16 -1i64 0i64 }

def number (i: i64) = i32.i64 ((i * 7919 + 13) % 1009) - 500

def all_sums xs =
  ( i32.sum xs
  , i32.maximum xs
  , i32.minimum xs
  , i8.sum (map (\x -> i8.i32 (x * x)) xs)
  , i32.product (map (\x -> x | 1) xs)
  , u16.sum (map u16.i32 xs)
  , reduce (&) (-1) (map (\x -> i64.i32 x | 4) xs)
  , reduce (^) 0i64 (map i64.i32 xs)
  )

entry sums (n: i64) = all_sums (tabulate n number)

-- In order, as a loop.
-- ==
-- entry: agree
-- input { 31i64 } output { true }
-- input { 32i64 } output { true }
-- input { 33i64 } output { true }
-- input { 1000i64 } output { true }
entry agree (n: i64) =
  let xs = tabulate n number
  let (a, b, c, d, e, f, g, h) = all_sums xs
  let (a', b', c', d', e', f', g', h') =
    loop (a, b, c, d, e, f, g, h) = (0i32, i32.lowest, i32.highest, 0i8, 1i32, 0u16, -1i64, 0i64)
    for x in xs do
      ( a + x, i32.max b x, i32.min c x, d + i8.i32 (x * x), e * (x | 1), f + u16.i32 x
      , g & (i64.i32 x | 4), h ^ i64.i32 x)
  in a == a' && b == b' && c == c' && d == d' && e == e' && f == f' && g == g' && h == h'
