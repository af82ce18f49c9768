-- Pictures: 32-bit unsigned numbers beside floats in strips, at lengths around the lanes; compared
-- with the same computed one by one.
-- ==
-- entry: agree
-- input { 0i64 5i64 } output { true }
-- input { 3i64 31i64 } output { true }
-- input { 2i64 64i64 } output { true }
-- input { 2i64 67i64 } output { true }

def channel (x: f32) : u32 = u32.f32 (255 * f32.max 0 (f32.min 1 x))

def shade (t: f32) (i: i64) (j: i64) : u32 =
  let (a, b) =
    loop (a, b) = (0f32, 0f32) for k < 5 do
      let z = f32.sin (f32.i64 (i * 3 + j) * 0.1 + f32.i64 k * t)
      in (a + z * z, b + f32.cos z)
  let r = channel (a / 5)
  let g = channel (b / 5)
  let grey = if a > b then r + g else u32.max r g
  in 0xff000000 | (r << 16) | (g << 8) | (grey & 0xff)

def mix (p: u32) : (u32, f32, i64) =
  let q = (p ^ (p >> 7)) * 2654435761
  in (q, f32.u32 q / 4294967296, i64.u32 (u32.min q 4000000000))

entry agree (h: i64) (w: i64) : bool =
  let picture = tabulate_2d h w (shade 0.3)
  let (qs, fs, is) = unzip3 (map (\row -> unzip3 (map mix row)) picture)
  let lightest = map (\row -> (reduce u32.max 0 row, reduce u32.min 0xffffffff row, reduce (+) 0 row)) picture
  let same =
    loop ok = true for i < h do
      let (most, least, sum, ok) =
        loop (most, least, sum, ok) = (0u32, 0xffffffffu32, 0u32, ok) for j < w do
          let p = shade 0.3 i j
          let (q, f, k) = mix p
          in ( u32.max most p, u32.min least p, sum + p
             , ok && picture[i, j] == p && qs[i, j] == q && fs[i, j] == f && is[i, j] == k)
      in ok && lightest[i].0 == most && lightest[i].1 == least && lightest[i].2 == sum
  in same
