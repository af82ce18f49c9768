-- Everything that programs see without an import.
open import "soacs"
open import "array"
open import "math"
open import "functional"
open import "ad"

-- | An `i32` as an `f32`.
#[inline]
def r32 (x: i32) : f32 = f32.i32 x

-- | An `f32` as an `i32`, its fraction dropped.
#[inline]
def t32 (x: f32) : i32 = i32.f32 x

-- | An `i32` as an `f64`.
#[inline]
def r64 (x: i32) : f64 = f64.i32 x

-- | An `f64` as an `i32`, its fraction dropped.
#[inline]
def t64 (x: f64) : i32 = i32.f64 x

-- | All bits, or the truth value, inverted.
#[inline]
def not (x: bool) : bool = !x

-- | The argument, but the compiler may not look through.
#[inline]
def opaque 't (x: t) : t = intrinsics.opaque x

-- | The argument, printed when evaluated.
#[inline]
def trace 't (x: t) : t = #[trace(trace)] x

-- | The argument; a place to stop in a debugger.
#[inline]
def break 't (x: t) : t = #[break] x
