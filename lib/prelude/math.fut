-- The primitive types as modules.  One parametric module serves every numeric type: all scalar
-- intrinsics work at whatever primitive type they meet.

-- | Conversion from every primitive type.
module type from_prim = {
  type t
  val i8 : i8 -> t
  val i16 : i16 -> t
  val i32 : i32 -> t
  val i64 : i64 -> t
  val u8 : u8 -> t
  val u16 : u16 -> t
  val u32 : u32 -> t
  val u64 : u64 -> t
  val f16 : f16 -> t
  val f32 : f32 -> t
  val f64 : f64 -> t
  val bool : bool -> t
}

-- | Arithmetic and order.
module type numeric = {
  include from_prim
  val + : t -> t -> t
  val - : t -> t -> t
  val * : t -> t -> t
  val / : t -> t -> t
  val % : t -> t -> t
  val ** : t -> t -> t
  val == : t -> t -> bool
  val < : t -> t -> bool
  val > : t -> t -> bool
  val <= : t -> t -> bool
  val >= : t -> t -> bool
  val != : t -> t -> bool
  val neg : t -> t
  val abs : t -> t
  val sgn : t -> t
  val max : t -> t -> t
  val min : t -> t -> t
  val to_i64 : t -> i64
  val highest : t
  val lowest : t
  val sum [n] : [n]t -> t
  val product [n] : [n]t -> t
  val maximum [n] : [n]t -> t
  val minimum [n] : [n]t -> t
}

-- | Integers.
module type integral = {
  include numeric
  val // : t -> t -> t
  val %% : t -> t -> t
  val & : t -> t -> t
  val | : t -> t -> t
  val ^ : t -> t -> t
  val << : t -> t -> t
  val >> : t -> t -> t
  val >>> : t -> t -> t
  val not : t -> t
  val num_bits : i32
  val get_bit : i32 -> t -> i32
  val set_bit : i32 -> t -> i32 -> t
  val popc : t -> i32
  val clz : t -> i32
  val ctz : t -> i32
  val mul_hi : t -> t -> t
  val mad_hi : t -> t -> t -> t
}

-- | Numbers with roots and transcendental functions.
module type real = {
  include numeric
  val recip : t -> t
  val sqrt : t -> t
  val rsqrt : t -> t
  val cbrt : t -> t
  val exp : t -> t
  val log : t -> t
  val log2 : t -> t
  val log10 : t -> t
  val log1p : t -> t
  val sin : t -> t
  val cos : t -> t
  val tan : t -> t
  val sinpi : t -> t
  val cospi : t -> t
  val tanpi : t -> t
  val asin : t -> t
  val acos : t -> t
  val atan : t -> t
  val asinpi : t -> t
  val acospi : t -> t
  val atanpi : t -> t
  val sinh : t -> t
  val cosh : t -> t
  val tanh : t -> t
  val asinh : t -> t
  val acosh : t -> t
  val atanh : t -> t
  val gamma : t -> t
  val lgamma : t -> t
  val erf : t -> t
  val erfc : t -> t
  val ceil : t -> t
  val floor : t -> t
  val trunc : t -> t
  val round : t -> t
  val atan2 : t -> t -> t
  val atan2pi : t -> t -> t
  val hypot : t -> t -> t
  val lerp : t -> t -> t -> t
  val mad : t -> t -> t -> t
  val fma : t -> t -> t -> t
  val isinf : t -> bool
  val isnan : t -> bool
  val inf : t
  val nan : t
  val pi : t
  val e : t
  val from_fraction : i64 -> i64 -> t
  val to_f64 : t -> f64
}

-- | Floating point: a real with a bit pattern.
module type float = {
  include real
  type int_t
  val from_bits : int_t -> t
  val to_bits : t -> int_t
  val num_bits : i32
  val get_bit : i32 -> t -> i32
  val set_bit : i32 -> t -> i32 -> t
  val epsilon : t
  val nextafter : t -> t -> t
  val copysign : t -> t -> t
  val ldexp : t -> i32 -> t
}

-- What sets one integer type apart.
local module type integer_type = {
  type t
  val num_bits : i32
}

-- What sets one float type apart.
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
    to_i32 (intrinsics.and (intrinsics.ushr x (of_i32 i)) (of_i32 1i32))
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
  def (>>>) : t -> t -> t = intrinsics.ushr
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

module bool : from_prim with t = bool = mk_from_prim { type t = bool }

module i8 : integral with t = i8 = mk_integral { type t = i8 def num_bits = 8i32 }
module i16 : integral with t = i16 = mk_integral { type t = i16 def num_bits = 16i32 }
module i32 : integral with t = i32 = mk_integral { type t = i32 def num_bits = 32i32 }
module i64 : integral with t = i64 = mk_integral { type t = i64 def num_bits = 64i32 }
module u8 : integral with t = u8 = mk_integral { type t = u8 def num_bits = 8i32 }
module u16 : integral with t = u16 = mk_integral { type t = u16 def num_bits = 16i32 }
module u32 : integral with t = u32 = mk_integral { type t = u32 def num_bits = 32i32 }
module u64 : integral with t = u64 = mk_integral { type t = u64 def num_bits = 64i32 }

module f16 : float with t = f16 with int_t = u16 = mk_float {
  type t = f16
  type int_t = u16
  def num_bits = 16i32
  def epsilon = 0.00097656f16
}
module f32 : float with t = f32 with int_t = u32 = mk_float {
  type t = f32
  type int_t = u32
  def num_bits = 32i32
  def epsilon = 1.1920929e-7f32
}
module f64 : float with t = f64 with int_t = u64 = mk_float {
  type t = f64
  type int_t = u64
  def num_bits = 64i32
  def epsilon = 2.220446049250313e-16f64
}
