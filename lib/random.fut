-- Random numbers: functions of a key.  The same key gives the same numbers; `split` and `fold_in`
-- make new keys, and each key is used for one thing.
--
--     import "lib/random"
--     module random = mk_random f64
import "random/counter"
import "random/continuous"
import "random/discrete"

-- | Random numbers, over one type of floats.
module mk_random (R: float) = {
  -- | A stream of random bits; equal keys give equal numbers.
  type key = key

  -- | A key from a number.
  --
  --     random.key 1 == random.key 2 --> false
  def key : i64 -> key = key

  -- | A new key for each number 0 <= i < 2^63, unrelated to the numbers of the stream itself.
  --
  --     random.fold_in (random.key 1) 0 == random.fold_in (random.key 1) 1 --> false
  def fold_in : key -> i64 -> key = fold_in

  -- | [n]: new keys.  The old one is not used again.
  --
  --     length (random.split 3 (random.key 1)) --> 3i64
  def split : (n: i64) -> key -> [n]key = split

  -- | Two new keys.
  --
  --     let (a, b) = random.split2 (random.key 1) in a == b --> false
  def split2 : key -> (key, key) = split2

  -- | [n]: independent numbers of one distribution.
  --
  --     length (random.several 3 (random.gamma 2) (random.key 1)) --> 3i64
  #[inline]
  def several 'a (n: i64) (draw: key -> a) (k: key) : [n]a = tabulate n (\i -> draw (fold_in k i))

  open mk_continuous R
  open mk_discrete R
}
