-- Scalar arithmetic: rounding of integer division, wrapping, conversions, shifts.
-- ==
-- entry: divisions
-- input { 7i32 2i32 } output { 3i32 1i32 3i32 1i32 }
-- input { -7i32 2i32 } output { -4i32 1i32 -3i32 -1i32 }
-- input { 7i32 -2i32 } output { -4i32 -1i32 -3i32 1i32 }
-- input { 7i32 0i32 } error: division by zero
-- ==
-- entry: wraps
-- input { 127i8 } output { -128i8 -127i8 }
-- ==
-- entry: converts
-- input { 3.99 } output { 3i32 3u8 4.0f32 true }
-- input { -3.99 } output { -3i32 253u8 -4.0f32 true }
-- input { f64.nan } output { 0i32 0u8 f32.nan true }
-- ==
-- entry: shifts
-- input { -8i32 1i32 } output { -16i32 -4i32 }

entry divisions (a: i32) (b: i32) = (a / b, a % b, a // b, a %% b)
entry wraps (a: i8) = (a + 1, a * a - 127 - 1)
entry converts (x: f64) = (i32.f64 x, u8.f64 x, f32.round (f32.f64 x), bool.f64 x)
entry shifts (a: i32) (k: i32) = (a << k, a >> k)
