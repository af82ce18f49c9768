-- The primitive types as modules.  One parametric module serves every numeric type: all scalar
-- intrinsics work at whatever primitive type they meet.

-- | Conversion from every primitive type.
module type from_prim = {
  -- | The numbers this is about.
  type t
  -- | From signed integers.
  val i8 : i8 -> t
  -- | From signed integers.
  val i16 : i16 -> t
  -- | From signed integers.
  val i32 : i32 -> t
  -- | From signed integers.
  val i64 : i64 -> t
  -- | From unsigned integers.
  val u8 : u8 -> t
  -- | From unsigned integers.
  val u16 : u16 -> t
  -- | From unsigned integers.
  val u32 : u32 -> t
  -- | From unsigned integers.
  val u64 : u64 -> t
  -- | From floating point; integers drop the fraction.
  val f16 : f16 -> t
  -- | From floating point; integers drop the fraction.
  val f32 : f32 -> t
  -- | From floating point; integers drop the fraction.
  val f64 : f64 -> t
  -- | From truth values: 1 for true, 0 for false.
  val bool : bool -> t
}

-- | Arithmetic and order.
module type numeric = {
  include from_prim
  -- | Sum; integers wrap around.
  val + : t -> t -> t
  -- | Difference; integers wrap around.
  val - : t -> t -> t
  -- | Product; integers wrap around.
  val * : t -> t -> t
  -- | Quotient; integers round towards minus infinity, and may not be divided by zero.
  val / : t -> t -> t
  -- | Remainder of `/`: it has the sign of the divisor.
  val % : t -> t -> t
  -- | Power; an integer exponent must not be negative.
  val ** : t -> t -> t
  -- | Whether both are the same; NaN equals nothing.
  val == : t -> t -> bool
  -- | Less.
  val < : t -> t -> bool
  -- | Greater.
  val > : t -> t -> bool
  -- | Less or equal.
  val <= : t -> t -> bool
  -- | Greater or equal.
  val >= : t -> t -> bool
  -- | Whether they differ.
  val != : t -> t -> bool
  -- | Opposite sign.
  val neg : t -> t
  -- | Absolute value.
  val abs : t -> t
  -- | -1, 0 or 1, as the sign is.
  val sgn : t -> t
  -- | The larger; of a number and NaN the number.
  val max : t -> t -> t
  -- | The smaller; of a number and NaN the number.
  val min : t -> t -> t
  -- | As a 64-bit integer; floats drop the fraction.
  val to_i64 : t -> i64
  -- | The largest value: infinity for floats.
  val highest : t
  -- | The smallest value: minus infinity for floats.
  val lowest : t
  -- | The sum of all elements.
  val sum [n] : [n]t -> t
  -- | The product of all elements.
  val product [n] : [n]t -> t
  -- | The largest element, `lowest` when there is none.
  val maximum [n] : [n]t -> t
  -- | The smallest element, `highest` when there is none.
  val minimum [n] : [n]t -> t
}

-- | Integers.
module type integral = {
  include numeric
  -- | Quotient rounded towards zero.
  val // : t -> t -> t
  -- | Remainder of `//`: it has the sign of the dividend.
  val %% : t -> t -> t
  -- | Bitwise and.
  val & : t -> t -> t
  -- | Bitwise or.
  val | : t -> t -> t
  -- | Bitwise exclusive or.
  val ^ : t -> t -> t
  -- | Shift to the left.
  val << : t -> t -> t
  -- | Shift to the right; signed integers keep their sign.
  val >> : t -> t -> t
  -- | Shift to the right, zeros coming in.
  val >>> : t -> t -> t
  -- | All bits, or the truth value, inverted.
  val not : t -> t
  -- | The number of bits.
  val num_bits : i32
  -- | `get_bit i x` is bit `i`, counted from the lowest.
  val get_bit : i32 -> t -> i32
  -- | `set_bit i x b` is `x` with bit `i` replaced by `b`.
  val set_bit : i32 -> t -> i32 -> t
  -- | The number of bits that are set.
  val popc : t -> i32
  -- | The number of zeros before the highest set bit.
  val clz : t -> i32
  -- | The number of zeros after the lowest set bit.
  val ctz : t -> i32
  -- | The upper half of the double-width product.
  val mul_hi : t -> t -> t
  -- | The upper half of the product, plus a third number.
  val mad_hi : t -> t -> t -> t
}

-- | Numbers with roots and transcendental functions.
module type real = {
  include numeric
  -- | One over the number.
  val recip : t -> t
  -- | Square root.
  val sqrt : t -> t
  -- | One over the square root.
  val rsqrt : t -> t
  -- | Cube root.
  val cbrt : t -> t
  -- | The exponential function.
  val exp : t -> t
  -- | Natural logarithm.
  val log : t -> t
  -- | Logarithm to base 2.
  val log2 : t -> t
  -- | Logarithm to base 10.
  val log10 : t -> t
  -- | `log (1 + x)`, exact for small `x`.
  val log1p : t -> t
  -- | Sine of an angle in radians.
  val sin : t -> t
  -- | Cosine of an angle in radians.
  val cos : t -> t
  -- | Tangent of an angle in radians.
  val tan : t -> t
  -- | `sin (pi * x)`.
  val sinpi : t -> t
  -- | `cos (pi * x)`.
  val cospi : t -> t
  -- | `tan (pi * x)`.
  val tanpi : t -> t
  -- | Inverse sine, in radians.
  val asin : t -> t
  -- | Inverse cosine, in radians.
  val acos : t -> t
  -- | Inverse tangent, in radians.
  val atan : t -> t
  -- | `asin x / pi`.
  val asinpi : t -> t
  -- | `acos x / pi`.
  val acospi : t -> t
  -- | `atan x / pi`.
  val atanpi : t -> t
  -- | Hyperbolic sine.
  val sinh : t -> t
  -- | Hyperbolic cosine.
  val cosh : t -> t
  -- | Hyperbolic tangent.
  val tanh : t -> t
  -- | Inverse hyperbolic sine.
  val asinh : t -> t
  -- | Inverse hyperbolic cosine.
  val acosh : t -> t
  -- | Inverse hyperbolic tangent.
  val atanh : t -> t
  -- | The gamma function.
  val gamma : t -> t
  -- | Logarithm of the absolute value of the gamma function.
  val lgamma : t -> t
  -- | The error function.
  val erf : t -> t
  -- | `1 - erf x`, exact for large `x`.
  val erfc : t -> t
  -- | The next integer upwards.
  val ceil : t -> t
  -- | The next integer downwards.
  val floor : t -> t
  -- | The next integer towards zero.
  val trunc : t -> t
  -- | The nearest integer, halfway cases to the even one.
  val round : t -> t
  -- | `atan2 y x` is the angle of the point (x, y), in radians.
  val atan2 : t -> t -> t
  -- | `atan2 y x / pi`.
  val atan2pi : t -> t -> t
  -- | The length of the hypotenuse, without overflow on the way.
  val hypot : t -> t -> t
  -- | `lerp a b t` is on the way from `a` to `b`, `t` between 0 and 1.
  val lerp : t -> t -> t -> t
  -- | `mad a b c` is `a * b + c`.
  val mad : t -> t -> t -> t
  -- | `fma a b c` is `a * b + c`, rounded once.
  val fma : t -> t -> t -> t
  -- | Whether it is an infinity.
  val isinf : t -> bool
  -- | Whether it is not a number.
  val isnan : t -> bool
  -- | Infinity.
  val inf : t
  -- | Not a number.
  val nan : t
  -- | The circumference of a circle of diameter 1.
  val pi : t
  -- | The base of the natural logarithm.
  val e : t
  -- | `from_fraction a b` is `a / b`.
  val from_fraction : i64 -> i64 -> t
  -- | As a 64-bit float.
  val to_f64 : t -> f64
}

-- | Floating point: a real with a bit pattern.
module type float = {
  include real
  -- | Unsigned integers as wide as the floats.
  type int_t
  -- | The number with these bits.
  val from_bits : int_t -> t
  -- | The bits of the number.
  val to_bits : t -> int_t
  -- | The number of bits.
  val num_bits : i32
  -- | `get_bit i x` is bit `i`, counted from the lowest.
  val get_bit : i32 -> t -> i32
  -- | `set_bit i x b` is `x` with bit `i` replaced by `b`.
  val set_bit : i32 -> t -> i32 -> t
  -- | The distance from 1 to the next larger number.
  val epsilon : t
  -- | `nextafter x y` is the number next to `x` towards `y`.
  val nextafter : t -> t -> t
  -- | `copysign x y` has the size of `x` and the sign of `y`.
  val copysign : t -> t -> t
  -- | `ldexp x i` is `x` times 2 to the power `i`.
  val ldexp : t -> i32 -> t
}

-- The members particular to one integer type.
local module type integer_type = {
  type t
  val num_bits : i32
}

-- The members particular to one float type.
local module type float_type = {
  type t
  type int_t
  val num_bits : i32
  val epsilon : t
}

local module mk_from_prim (T: { type t }) = {
  type t = T.t
  def i8 : i8 -> t = intrinsics.convert
  def i16 : i16 -> t = intrinsics.convert
  def i32 : i32 -> t = intrinsics.convert
  def i64 : i64 -> t = intrinsics.convert
  def u8 : u8 -> t = intrinsics.convert
  def u16 : u16 -> t = intrinsics.convert
  def u32 : u32 -> t = intrinsics.convert
  def u64 : u64 -> t = intrinsics.convert
  def f16 : f16 -> t = intrinsics.convert
  def f32 : f32 -> t = intrinsics.convert
  def f64 : f64 -> t = intrinsics.convert
  def bool : bool -> t = intrinsics.convert
}

local module mk_numeric (T: { type t }) = {
  open mk_from_prim T
  def to_i64 : t -> i64 = intrinsics.convert
  def highest : t = intrinsics.highest
  def lowest : t = intrinsics.lowest
  #[inline]
  def sum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.add (i32 0i32) xs
  #[inline]
  def product [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.mul (i32 1i32) xs
  #[inline]
  def maximum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.max lowest xs
  #[inline]
  def minimum [n] (xs: [n]t) : t = intrinsics.reduce_comm intrinsics.min highest xs
  def neg : t -> t = intrinsics.neg
  def abs : t -> t = intrinsics.abs
  def sgn : t -> t = intrinsics.sgn
  def max : t -> t -> t = intrinsics.max
  def min : t -> t -> t = intrinsics.min
  def (+) : t -> t -> t = intrinsics.add
  def (-) : t -> t -> t = intrinsics.sub
  def (*) : t -> t -> t = intrinsics.mul
  def (/) : t -> t -> t = intrinsics.div
  def (%) : t -> t -> t = intrinsics.mod
  def (**) : t -> t -> t = intrinsics.pow
  def (==) : t -> t -> bool = intrinsics.eq
  def (<) : t -> t -> bool = intrinsics.lt
  def (>) : t -> t -> bool = intrinsics.gt
  def (<=) : t -> t -> bool = intrinsics.le
  def (>=) : t -> t -> bool = intrinsics.ge
  def (!=) : t -> t -> bool = intrinsics.ne
}

-- Bits of an integer type, in order of significance.
local module mk_bits (T: { type t }) = {
  local def of_i32 : i32 -> T.t = intrinsics.convert
  local def to_i32 : T.t -> i32 = intrinsics.convert
  #[inline]
  def get_bit (i: i32) (x: T.t) : i32 =
    to_i32 (intrinsics.and (intrinsics.lshr x (of_i32 i)) (of_i32 1i32))
  #[inline]
  def set_bit (i: i32) (x: T.t) (b: i32) : T.t =
    let mask = intrinsics.shl (of_i32 1i32) (of_i32 i)
    let bit = intrinsics.shl (of_i32 (b & 1i32)) (of_i32 i)
    in intrinsics.or (intrinsics.and x (intrinsics.not mask)) bit
}

local module mk_integral (T: integer_type) = {
  open mk_numeric T
  open mk_bits T
  def num_bits = T.num_bits
  def not : t -> t = intrinsics.not
  def popc : t -> i32 = intrinsics.popc
  def clz : t -> i32 = intrinsics.clz
  def ctz : t -> i32 = intrinsics.ctz
  def mul_hi : t -> t -> t = intrinsics.mul_hi
  def mad_hi : t -> t -> t -> t = intrinsics.mad_hi
  def (//) : t -> t -> t = intrinsics.quot
  def (%%) : t -> t -> t = intrinsics.rem
  def (&) : t -> t -> t = intrinsics.and
  def (|) : t -> t -> t = intrinsics.or
  def (^) : t -> t -> t = intrinsics.xor
  def (<<) : t -> t -> t = intrinsics.shl
  def (>>) : t -> t -> t = intrinsics.shr
  def (>>>) : t -> t -> t = intrinsics.lshr
}

local module mk_float (T: float_type) = {
  module bits = mk_bits { type t = T.int_t }
  type int_t = T.int_t
  def num_bits = T.num_bits
  def epsilon = T.epsilon
  def sqrt : T.t -> T.t = intrinsics.sqrt
  def rsqrt : T.t -> T.t = intrinsics.rsqrt
  def cbrt : T.t -> T.t = intrinsics.cbrt
  def exp : T.t -> T.t = intrinsics.exp
  def log : T.t -> T.t = intrinsics.log
  def log2 : T.t -> T.t = intrinsics.log2
  def log10 : T.t -> T.t = intrinsics.log10
  def log1p : T.t -> T.t = intrinsics.log1p
  def sin : T.t -> T.t = intrinsics.sin
  def cos : T.t -> T.t = intrinsics.cos
  def tan : T.t -> T.t = intrinsics.tan
  def sinpi : T.t -> T.t = intrinsics.sinpi
  def cospi : T.t -> T.t = intrinsics.cospi
  def tanpi : T.t -> T.t = intrinsics.tanpi
  def asin : T.t -> T.t = intrinsics.asin
  def acos : T.t -> T.t = intrinsics.acos
  def atan : T.t -> T.t = intrinsics.atan
  def asinpi : T.t -> T.t = intrinsics.asinpi
  def acospi : T.t -> T.t = intrinsics.acospi
  def atanpi : T.t -> T.t = intrinsics.atanpi
  def sinh : T.t -> T.t = intrinsics.sinh
  def cosh : T.t -> T.t = intrinsics.cosh
  def tanh : T.t -> T.t = intrinsics.tanh
  def asinh : T.t -> T.t = intrinsics.asinh
  def acosh : T.t -> T.t = intrinsics.acosh
  def atanh : T.t -> T.t = intrinsics.atanh
  def gamma : T.t -> T.t = intrinsics.gamma
  def lgamma : T.t -> T.t = intrinsics.lgamma
  def erf : T.t -> T.t = intrinsics.erf
  def erfc : T.t -> T.t = intrinsics.erfc
  def ceil : T.t -> T.t = intrinsics.ceil
  def floor : T.t -> T.t = intrinsics.floor
  def trunc : T.t -> T.t = intrinsics.trunc
  def round : T.t -> T.t = intrinsics.round
  def atan2 : T.t -> T.t -> T.t = intrinsics.atan2
  def atan2pi : T.t -> T.t -> T.t = intrinsics.atan2pi
  def hypot : T.t -> T.t -> T.t = intrinsics.hypot
  def lerp : T.t -> T.t -> T.t -> T.t = intrinsics.lerp
  def mad : T.t -> T.t -> T.t -> T.t = intrinsics.mad
  def fma : T.t -> T.t -> T.t -> T.t = intrinsics.fma
  def isinf : T.t -> bool = intrinsics.isinf
  def isnan : T.t -> bool = intrinsics.isnan
  def nextafter : T.t -> T.t -> T.t = intrinsics.nextafter
  def copysign : T.t -> T.t -> T.t = intrinsics.copysign
  def ldexp : T.t -> i32 -> T.t = intrinsics.ldexp
  def from_bits : int_t -> T.t = intrinsics.bitcast
  def to_bits : T.t -> int_t = intrinsics.bitcast
  def to_f64 : T.t -> f64 = intrinsics.convert
  def inf : T.t = intrinsics.highest
  #[inline]
  def get_bit (i: i32) (x: T.t) : i32 = bits.get_bit i (to_bits x)
  #[inline]
  def set_bit (i: i32) (x: T.t) (b: i32) : T.t = from_bits (bits.set_bit i (to_bits x) b)
  local def of_f64 : f64 -> T.t = intrinsics.convert
  def nan = of_f64 (intrinsics.bitcast 0x7ff8000000000000u64)
  def pi = of_f64 3.141592653589793f64
  def e = of_f64 2.718281828459045f64
  open mk_numeric T
  #[inline]
  def recip (x: t) : t = i32 1i32 / x
  #[inline]
  def from_fraction (x: i64) (y: i64) : t = i64 x / i64 y
}

-- | Truth values.
module bool : from_prim with t = bool = mk_from_prim { type t = bool }

-- | Signed integers of 8 bits.
module i8 : integral with t = i8 = mk_integral { type t = i8 def num_bits = 8i32 }
-- | Signed integers of 16 bits.
module i16 : integral with t = i16 = mk_integral { type t = i16 def num_bits = 16i32 }
-- | Signed integers of 32 bits.
module i32 : integral with t = i32 = mk_integral { type t = i32 def num_bits = 32i32 }
-- | Signed integers of 64 bits.
module i64 : integral with t = i64 = mk_integral { type t = i64 def num_bits = 64i32 }
-- | Unsigned integers of 8 bits.
module u8 : integral with t = u8 = mk_integral { type t = u8 def num_bits = 8i32 }
-- | Unsigned integers of 16 bits.
module u16 : integral with t = u16 = mk_integral { type t = u16 def num_bits = 16i32 }
-- | Unsigned integers of 32 bits.
module u32 : integral with t = u32 = mk_integral { type t = u32 def num_bits = 32i32 }
-- | Unsigned integers of 64 bits.
module u64 : integral with t = u64 = mk_integral { type t = u64 def num_bits = 64i32 }

-- | Floating-point numbers of 16 bits.
module f16 : float with t = f16 with int_t = u16 = mk_float {
  type t = f16
  type int_t = u16
  def num_bits = 16i32
  def epsilon = 0.00097656f16
}
-- | Floating-point numbers of 32 bits.
module f32 : float with t = f32 with int_t = u32 = mk_float {
  type t = f32
  type int_t = u32
  def num_bits = 32i32
  def epsilon = 1.1920929e-7f32
}
-- | Floating-point numbers of 64 bits.
module f64 : float with t = f64 with int_t = u64 = mk_float {
  type t = f64
  type int_t = u64
  def num_bits = 64i32
  def epsilon = 2.220446049250313e-16f64
}
