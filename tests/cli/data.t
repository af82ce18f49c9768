$ dagaz dataset -s 1 -g '[3]i32' --i32-bounds=0:9
[5i32, 9i32, 0i32]
$ dagaz dataset -g '[2]bool' -b | wc -c
17
$ dagaz dataset -g 'nonsense'
dagaz: 'nonsense' is not a type with sizes, such as [10]f64
[1]
$ echo '[1.0, 2.0]' > a; echo '[1.0, 2.1]' > b; dagaz datacmp a b
value #0: element 1 is 2f64, expected 2.1f64
[2]
$ dagaz datacmp a a
$ dagaz datacmp --largest-error 0.1 a b
4.76e-02
