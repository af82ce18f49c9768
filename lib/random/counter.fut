-- Counter-based random bits: a keyed function of a counter, so that any number of a stream is
-- computed alone and streams are split without state.  Threefry-2x32 with 20 rounds (Salmon,
-- Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
--
--     import "lib/random/counter"

-- | A stream of random bits; equal keys give equal numbers.
type key = u64

-- | The block function: key and counter of two words each to two words.
--
--     threefry2x32 (0, 0) (0, 0) --> 0x6b200159u32 0x99ba4efeu32
def threefry2x32 (k0: u32, k1: u32) (c0: u32, c1: u32) : (u32, u32) =
  let k2 = k0 ^ k1 ^ 0x1bd11bda
  let mix (r: u32) (x: u32, y: u32) =
    let x = x + y
    in (x, ((y << r) | (y >> (32 - r))) ^ x)
  let even s = s |> mix 13 |> mix 15 |> mix 26 |> mix 6
  let odd s = s |> mix 17 |> mix 29 |> mix 16 |> mix 24
  let inject a b (i: u32) (x: u32, y: u32) = (x + a, y + b + i)
  in (c0 + k0, c1 + k1)
     |> even |> inject k1 k2 1 |> odd |> inject k2 k0 2 |> even |> inject k0 k1 3
     |> odd |> inject k1 k2 4 |> even |> inject k2 k0 5

-- | `bits k i` is number i, 0 <= i < 2^63, of the stream: 64 random bits.
--
--     bits (key 42) 0 != bits (key 42) 1 --> true
def bits (k: key) (i: i64) : u64 =
  let i = u64.i64 i
  let (a, b) = threefry2x32 (u32.u64 k, u32.u64 (k >> 32)) (u32.u64 i, u32.u64 (i >> 32))
  in u64.u32 a | (u64.u32 b << 32)

-- | A key from a number.
--
--     key 1 == key 2 --> false
def key (seed: i64) : key = bits 0x5851f42d4c957f2d seed

-- | A new key for each number 0 <= i < 2^63, unrelated to the numbers of the stream itself.
--
--     fold_in (key 1) 0 == fold_in (key 1) 1 --> false
def fold_in (k: key) (i: i64) : key = bits k (i64.lowest | i)

-- | [n]: that number of new keys.  Use none for numbers after it has been split.
--
--     length (split 3 (key 1)) --> 3i64
def split (n: i64) (k: key) : [n]key = tabulate n (fold_in k)

-- | Two new keys.
--
--     let (a, b) = split2 (key 1) in a == b --> false
def split2 (k: key) : (key, key) = (fold_in k 0, fold_in k 1)
