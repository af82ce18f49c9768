-- Division by constants, in vector lanes where it pays, agrees with division by what is only known at
-- run time: all 8-bit and 16-bit numbers, edges and hashes of 32-bit ones.
-- ==
-- entry: of_i8
-- input { [-128i8, -127i8, -100i8, -7i8, -3i8, -2i8, -1i8, 1i8, 2i8, 3i8, 5i8, 7i8, 10i8, 16i8, 100i8, 127i8] } output { true }
-- ==
-- entry: of_u8
-- input { [1u8, 2u8, 3u8, 5u8, 7u8, 10u8, 16u8, 100u8, 127u8, 128u8, 129u8, 255u8] } output { true }
-- ==
-- entry: of_i16
-- input { [-32768i16, -1000i16, -7i16, -2i16, -1i16, 1i16, 2i16, 3i16, 7i16, 10i16, 255i16, 256i16, 641i16, 1000i16, 32767i16] } output { true }
-- ==
-- entry: of_u16
-- input { [1u16, 2u16, 3u16, 7u16, 10u16, 255u16, 256u16, 641u16, 32768u16, 32769u16, 65535u16] } output { true }
-- ==
-- entry: of_i32
-- input { [-2147483648i32, -2147483647i32, -65537i32, -641i32, -10i32, -7i32, -3i32, -2i32, -1i32, 1i32, 2i32, 3i32, 5i32, 6i32, 7i32, 9i32, 10i32, 11i32, 12i32, 25i32, 125i32, 625i32, 641i32, 65537i32, 1000003i32, 1073741824i32, 2147483647i32] } output { true }
-- ==
-- entry: of_u32
-- input { [1u32, 2u32, 3u32, 5u32, 6u32, 7u32, 9u32, 10u32, 11u32, 12u32, 25u32, 125u32, 625u32, 641u32, 65536u32, 65537u32, 1000003u32, 2147483648u32, 2147483649u32, 4294967295u32] } output { true }
-- ==
-- entry: of_i64
-- input { [-9223372036854775808i64, -65537i64, -7i64, -1i64, 1i64, 2i64, 3i64, 7i64, 10i64, 641i64, 1000003i64, 4294967297i64, 9223372036854775807i64] } output { true }
-- ==
-- entry: of_u64
-- input { [1u64, 2u64, 3u64, 7u64, 10u64, 641u64, 1000003u64, 4294967297u64, 9223372036854775808u64, 18446744073709551615u64] } output { true }

def all_i8 = map i8.i64 (iota 256)

def known_i8 [n] (k: i64) (xs: [n]i8) : [n](i8, i8, i8, i8) =
  match k
  case 0 -> map (\x -> (x / i8.lowest, x % i8.lowest, x // i8.lowest, x %% i8.lowest)) xs
  case 1 -> map (\x -> (x / (-127i8), x % (-127i8), x // (-127i8), x %% (-127i8))) xs
  case 2 -> map (\x -> (x / (-100i8), x % (-100i8), x // (-100i8), x %% (-100i8))) xs
  case 3 -> map (\x -> (x / (-7i8), x % (-7i8), x // (-7i8), x %% (-7i8))) xs
  case 4 -> map (\x -> (x / (-3i8), x % (-3i8), x // (-3i8), x %% (-3i8))) xs
  case 5 -> map (\x -> (x / (-2i8), x % (-2i8), x // (-2i8), x %% (-2i8))) xs
  case 6 -> map (\x -> (x / (-1i8), x % (-1i8), x // (-1i8), x %% (-1i8))) xs
  case 7 -> map (\x -> (x / (1i8), x % (1i8), x // (1i8), x %% (1i8))) xs
  case 8 -> map (\x -> (x / (2i8), x % (2i8), x // (2i8), x %% (2i8))) xs
  case 9 -> map (\x -> (x / (3i8), x % (3i8), x // (3i8), x %% (3i8))) xs
  case 10 -> map (\x -> (x / (5i8), x % (5i8), x // (5i8), x %% (5i8))) xs
  case 11 -> map (\x -> (x / (7i8), x % (7i8), x // (7i8), x %% (7i8))) xs
  case 12 -> map (\x -> (x / (10i8), x % (10i8), x // (10i8), x %% (10i8))) xs
  case 13 -> map (\x -> (x / (16i8), x % (16i8), x // (16i8), x %% (16i8))) xs
  case 14 -> map (\x -> (x / (100i8), x % (100i8), x // (100i8), x %% (100i8))) xs
  case _ -> map (\x -> (x / (127i8), x % (127i8), x // (127i8), x %% (127i8))) xs

entry of_i8 (ds: []i8) =
  and (map (\k -> let d = ds[k]
    let found = map (\x -> (x / d, x % d, x // d, x %% d)) all_i8
    in and (map2 (==) (known_i8 k all_i8) found)) (indices ds))

def all_u8 = map u8.i64 (iota 256)

def known_u8 [n] (k: i64) (xs: [n]u8) : [n](u8, u8, u8, u8) =
  match k
  case 0 -> map (\x -> (x / (1u8), x % (1u8), x // (1u8), x %% (1u8))) xs
  case 1 -> map (\x -> (x / (2u8), x % (2u8), x // (2u8), x %% (2u8))) xs
  case 2 -> map (\x -> (x / (3u8), x % (3u8), x // (3u8), x %% (3u8))) xs
  case 3 -> map (\x -> (x / (5u8), x % (5u8), x // (5u8), x %% (5u8))) xs
  case 4 -> map (\x -> (x / (7u8), x % (7u8), x // (7u8), x %% (7u8))) xs
  case 5 -> map (\x -> (x / (10u8), x % (10u8), x // (10u8), x %% (10u8))) xs
  case 6 -> map (\x -> (x / (16u8), x % (16u8), x // (16u8), x %% (16u8))) xs
  case 7 -> map (\x -> (x / (100u8), x % (100u8), x // (100u8), x %% (100u8))) xs
  case 8 -> map (\x -> (x / (127u8), x % (127u8), x // (127u8), x %% (127u8))) xs
  case 9 -> map (\x -> (x / (128u8), x % (128u8), x // (128u8), x %% (128u8))) xs
  case 10 -> map (\x -> (x / (129u8), x % (129u8), x // (129u8), x %% (129u8))) xs
  case _ -> map (\x -> (x / (255u8), x % (255u8), x // (255u8), x %% (255u8))) xs

entry of_u8 (ds: []u8) =
  and (map (\k -> let d = ds[k]
    let found = map (\x -> (x / d, x % d, x // d, x %% d)) all_u8
    in and (map2 (==) (known_u8 k all_u8) found)) (indices ds))

def all_i16 = map i16.i64 (iota 65536)

def known_i16 [n] (k: i64) (xs: [n]i16) : [n](i16, i16, i16, i16) =
  match k
  case 0 -> map (\x -> (x / i16.lowest, x % i16.lowest, x // i16.lowest, x %% i16.lowest)) xs
  case 1 -> map (\x -> (x / (-1000i16), x % (-1000i16), x // (-1000i16), x %% (-1000i16))) xs
  case 2 -> map (\x -> (x / (-7i16), x % (-7i16), x // (-7i16), x %% (-7i16))) xs
  case 3 -> map (\x -> (x / (-2i16), x % (-2i16), x // (-2i16), x %% (-2i16))) xs
  case 4 -> map (\x -> (x / (-1i16), x % (-1i16), x // (-1i16), x %% (-1i16))) xs
  case 5 -> map (\x -> (x / (1i16), x % (1i16), x // (1i16), x %% (1i16))) xs
  case 6 -> map (\x -> (x / (2i16), x % (2i16), x // (2i16), x %% (2i16))) xs
  case 7 -> map (\x -> (x / (3i16), x % (3i16), x // (3i16), x %% (3i16))) xs
  case 8 -> map (\x -> (x / (7i16), x % (7i16), x // (7i16), x %% (7i16))) xs
  case 9 -> map (\x -> (x / (10i16), x % (10i16), x // (10i16), x %% (10i16))) xs
  case 10 -> map (\x -> (x / (255i16), x % (255i16), x // (255i16), x %% (255i16))) xs
  case 11 -> map (\x -> (x / (256i16), x % (256i16), x // (256i16), x %% (256i16))) xs
  case 12 -> map (\x -> (x / (641i16), x % (641i16), x // (641i16), x %% (641i16))) xs
  case 13 -> map (\x -> (x / (1000i16), x % (1000i16), x // (1000i16), x %% (1000i16))) xs
  case _ -> map (\x -> (x / (32767i16), x % (32767i16), x // (32767i16), x %% (32767i16))) xs

entry of_i16 (ds: []i16) =
  and (map (\k -> let d = ds[k]
    let found = map (\x -> (x / d, x % d, x // d, x %% d)) all_i16
    in and (map2 (==) (known_i16 k all_i16) found)) (indices ds))

def all_u16 = map u16.i64 (iota 65536)

def known_u16 [n] (k: i64) (xs: [n]u16) : [n](u16, u16, u16, u16) =
  match k
  case 0 -> map (\x -> (x / (1u16), x % (1u16), x // (1u16), x %% (1u16))) xs
  case 1 -> map (\x -> (x / (2u16), x % (2u16), x // (2u16), x %% (2u16))) xs
  case 2 -> map (\x -> (x / (3u16), x % (3u16), x // (3u16), x %% (3u16))) xs
  case 3 -> map (\x -> (x / (7u16), x % (7u16), x // (7u16), x %% (7u16))) xs
  case 4 -> map (\x -> (x / (10u16), x % (10u16), x // (10u16), x %% (10u16))) xs
  case 5 -> map (\x -> (x / (255u16), x % (255u16), x // (255u16), x %% (255u16))) xs
  case 6 -> map (\x -> (x / (256u16), x % (256u16), x // (256u16), x %% (256u16))) xs
  case 7 -> map (\x -> (x / (641u16), x % (641u16), x // (641u16), x %% (641u16))) xs
  case 8 -> map (\x -> (x / (32768u16), x % (32768u16), x // (32768u16), x %% (32768u16))) xs
  case 9 -> map (\x -> (x / (32769u16), x % (32769u16), x // (32769u16), x %% (32769u16))) xs
  case _ -> map (\x -> (x / (65535u16), x % (65535u16), x // (65535u16), x %% (65535u16))) xs

entry of_u16 (ds: []u16) =
  and (map (\k -> let d = ds[k]
    let found = map (\x -> (x / d, x % d, x // d, x %% d)) all_u16
    in and (map2 (==) (known_u16 k all_u16) found)) (indices ds))

def all_i32 = map (\i -> if i < 64 then (i32.i64 1 << i32.i64 i) + i32.i64 (i % 3) - 1 else i32.i64 ((i * 6364136223846793005 + 1442695040888963407) ^ (i << 31))) (iota 4000)

def known_i32 [n] (k: i64) (xs: [n]i32) : [n](i32, i32, i32, i32) =
  match k
  case 0 -> map (\x -> (x / i32.lowest, x % i32.lowest, x // i32.lowest, x %% i32.lowest)) xs
  case 1 -> map (\x -> (x / (-2147483647i32), x % (-2147483647i32), x // (-2147483647i32), x %% (-2147483647i32))) xs
  case 2 -> map (\x -> (x / (-65537i32), x % (-65537i32), x // (-65537i32), x %% (-65537i32))) xs
  case 3 -> map (\x -> (x / (-641i32), x % (-641i32), x // (-641i32), x %% (-641i32))) xs
  case 4 -> map (\x -> (x / (-10i32), x % (-10i32), x // (-10i32), x %% (-10i32))) xs
  case 5 -> map (\x -> (x / (-7i32), x % (-7i32), x // (-7i32), x %% (-7i32))) xs
  case 6 -> map (\x -> (x / (-3i32), x % (-3i32), x // (-3i32), x %% (-3i32))) xs
  case 7 -> map (\x -> (x / (-2i32), x % (-2i32), x // (-2i32), x %% (-2i32))) xs
  case 8 -> map (\x -> (x / (-1i32), x % (-1i32), x // (-1i32), x %% (-1i32))) xs
  case 9 -> map (\x -> (x / (1i32), x % (1i32), x // (1i32), x %% (1i32))) xs
  case 10 -> map (\x -> (x / (2i32), x % (2i32), x // (2i32), x %% (2i32))) xs
  case 11 -> map (\x -> (x / (3i32), x % (3i32), x // (3i32), x %% (3i32))) xs
  case 12 -> map (\x -> (x / (5i32), x % (5i32), x // (5i32), x %% (5i32))) xs
  case 13 -> map (\x -> (x / (6i32), x % (6i32), x // (6i32), x %% (6i32))) xs
  case 14 -> map (\x -> (x / (7i32), x % (7i32), x // (7i32), x %% (7i32))) xs
  case 15 -> map (\x -> (x / (9i32), x % (9i32), x // (9i32), x %% (9i32))) xs
  case 16 -> map (\x -> (x / (10i32), x % (10i32), x // (10i32), x %% (10i32))) xs
  case 17 -> map (\x -> (x / (11i32), x % (11i32), x // (11i32), x %% (11i32))) xs
  case 18 -> map (\x -> (x / (12i32), x % (12i32), x // (12i32), x %% (12i32))) xs
  case 19 -> map (\x -> (x / (25i32), x % (25i32), x // (25i32), x %% (25i32))) xs
  case 20 -> map (\x -> (x / (125i32), x % (125i32), x // (125i32), x %% (125i32))) xs
  case 21 -> map (\x -> (x / (625i32), x % (625i32), x // (625i32), x %% (625i32))) xs
  case 22 -> map (\x -> (x / (641i32), x % (641i32), x // (641i32), x %% (641i32))) xs
  case 23 -> map (\x -> (x / (65537i32), x % (65537i32), x // (65537i32), x %% (65537i32))) xs
  case 24 -> map (\x -> (x / (1000003i32), x % (1000003i32), x // (1000003i32), x %% (1000003i32))) xs
  case 25 -> map (\x -> (x / (1073741824i32), x % (1073741824i32), x // (1073741824i32), x %% (1073741824i32))) xs
  case _ -> map (\x -> (x / (2147483647i32), x % (2147483647i32), x // (2147483647i32), x %% (2147483647i32))) xs

entry of_i32 (ds: []i32) =
  and (map (\k -> let d = ds[k]
    let found = map (\x -> (x / d, x % d, x // d, x %% d)) all_i32
    in and (map2 (==) (known_i32 k all_i32) found)) (indices ds))

def all_u32 = map (\i -> if i < 64 then (u32.i64 1 << u32.i64 i) + u32.i64 (i % 3) - 1 else u32.i64 ((i * 6364136223846793005 + 1442695040888963407) ^ (i << 31))) (iota 4000)

def known_u32 [n] (k: i64) (xs: [n]u32) : [n](u32, u32, u32, u32) =
  match k
  case 0 -> map (\x -> (x / (1u32), x % (1u32), x // (1u32), x %% (1u32))) xs
  case 1 -> map (\x -> (x / (2u32), x % (2u32), x // (2u32), x %% (2u32))) xs
  case 2 -> map (\x -> (x / (3u32), x % (3u32), x // (3u32), x %% (3u32))) xs
  case 3 -> map (\x -> (x / (5u32), x % (5u32), x // (5u32), x %% (5u32))) xs
  case 4 -> map (\x -> (x / (6u32), x % (6u32), x // (6u32), x %% (6u32))) xs
  case 5 -> map (\x -> (x / (7u32), x % (7u32), x // (7u32), x %% (7u32))) xs
  case 6 -> map (\x -> (x / (9u32), x % (9u32), x // (9u32), x %% (9u32))) xs
  case 7 -> map (\x -> (x / (10u32), x % (10u32), x // (10u32), x %% (10u32))) xs
  case 8 -> map (\x -> (x / (11u32), x % (11u32), x // (11u32), x %% (11u32))) xs
  case 9 -> map (\x -> (x / (12u32), x % (12u32), x // (12u32), x %% (12u32))) xs
  case 10 -> map (\x -> (x / (25u32), x % (25u32), x // (25u32), x %% (25u32))) xs
  case 11 -> map (\x -> (x / (125u32), x % (125u32), x // (125u32), x %% (125u32))) xs
  case 12 -> map (\x -> (x / (625u32), x % (625u32), x // (625u32), x %% (625u32))) xs
  case 13 -> map (\x -> (x / (641u32), x % (641u32), x // (641u32), x %% (641u32))) xs
  case 14 -> map (\x -> (x / (65536u32), x % (65536u32), x // (65536u32), x %% (65536u32))) xs
  case 15 -> map (\x -> (x / (65537u32), x % (65537u32), x // (65537u32), x %% (65537u32))) xs
  case 16 -> map (\x -> (x / (1000003u32), x % (1000003u32), x // (1000003u32), x %% (1000003u32))) xs
  case 17 -> map (\x -> (x / (2147483648u32), x % (2147483648u32), x // (2147483648u32), x %% (2147483648u32))) xs
  case 18 -> map (\x -> (x / (2147483649u32), x % (2147483649u32), x // (2147483649u32), x %% (2147483649u32))) xs
  case _ -> map (\x -> (x / (4294967295u32), x % (4294967295u32), x // (4294967295u32), x %% (4294967295u32))) xs

entry of_u32 (ds: []u32) =
  and (map (\k -> let d = ds[k]
    let found = map (\x -> (x / d, x % d, x // d, x %% d)) all_u32
    in and (map2 (==) (known_u32 k all_u32) found)) (indices ds))

def all_i64 = map (\i -> if i < 64 then (i64.i64 1 << i64.i64 i) + i64.i64 (i % 3) - 1 else i64.i64 ((i * 6364136223846793005 + 1442695040888963407) ^ (i << 31))) (iota 4000)

def known_i64 [n] (k: i64) (xs: [n]i64) : [n](i64, i64, i64, i64) =
  match k
  case 0 -> map (\x -> (x / i64.lowest, x % i64.lowest, x // i64.lowest, x %% i64.lowest)) xs
  case 1 -> map (\x -> (x / (-65537i64), x % (-65537i64), x // (-65537i64), x %% (-65537i64))) xs
  case 2 -> map (\x -> (x / (-7i64), x % (-7i64), x // (-7i64), x %% (-7i64))) xs
  case 3 -> map (\x -> (x / (-1i64), x % (-1i64), x // (-1i64), x %% (-1i64))) xs
  case 4 -> map (\x -> (x / (1i64), x % (1i64), x // (1i64), x %% (1i64))) xs
  case 5 -> map (\x -> (x / (2i64), x % (2i64), x // (2i64), x %% (2i64))) xs
  case 6 -> map (\x -> (x / (3i64), x % (3i64), x // (3i64), x %% (3i64))) xs
  case 7 -> map (\x -> (x / (7i64), x % (7i64), x // (7i64), x %% (7i64))) xs
  case 8 -> map (\x -> (x / (10i64), x % (10i64), x // (10i64), x %% (10i64))) xs
  case 9 -> map (\x -> (x / (641i64), x % (641i64), x // (641i64), x %% (641i64))) xs
  case 10 -> map (\x -> (x / (1000003i64), x % (1000003i64), x // (1000003i64), x %% (1000003i64))) xs
  case 11 -> map (\x -> (x / (4294967297i64), x % (4294967297i64), x // (4294967297i64), x %% (4294967297i64))) xs
  case _ -> map (\x -> (x / (9223372036854775807i64), x % (9223372036854775807i64), x // (9223372036854775807i64), x %% (9223372036854775807i64))) xs

entry of_i64 (ds: []i64) =
  and (map (\k -> let d = ds[k]
    let found = map (\x -> (x / d, x % d, x // d, x %% d)) all_i64
    in and (map2 (==) (known_i64 k all_i64) found)) (indices ds))

def all_u64 = map (\i -> if i < 64 then (u64.i64 1 << u64.i64 i) + u64.i64 (i % 3) - 1 else u64.i64 ((i * 6364136223846793005 + 1442695040888963407) ^ (i << 31))) (iota 4000)

def known_u64 [n] (k: i64) (xs: [n]u64) : [n](u64, u64, u64, u64) =
  match k
  case 0 -> map (\x -> (x / (1u64), x % (1u64), x // (1u64), x %% (1u64))) xs
  case 1 -> map (\x -> (x / (2u64), x % (2u64), x // (2u64), x %% (2u64))) xs
  case 2 -> map (\x -> (x / (3u64), x % (3u64), x // (3u64), x %% (3u64))) xs
  case 3 -> map (\x -> (x / (7u64), x % (7u64), x // (7u64), x %% (7u64))) xs
  case 4 -> map (\x -> (x / (10u64), x % (10u64), x // (10u64), x %% (10u64))) xs
  case 5 -> map (\x -> (x / (641u64), x % (641u64), x // (641u64), x %% (641u64))) xs
  case 6 -> map (\x -> (x / (1000003u64), x % (1000003u64), x // (1000003u64), x %% (1000003u64))) xs
  case 7 -> map (\x -> (x / (4294967297u64), x % (4294967297u64), x // (4294967297u64), x %% (4294967297u64))) xs
  case 8 -> map (\x -> (x / (9223372036854775808u64), x % (9223372036854775808u64), x // (9223372036854775808u64), x %% (9223372036854775808u64))) xs
  case _ -> map (\x -> (x / (18446744073709551615u64), x % (18446744073709551615u64), x // (18446744073709551615u64), x %% (18446744073709551615u64))) xs

entry of_u64 (ds: []u64) =
  and (map (\k -> let d = ds[k]
    let found = map (\x -> (x / d, x % d, x // d, x %% d)) all_u64
    in and (map2 (==) (known_u64 k all_u64) found)) (indices ds))
