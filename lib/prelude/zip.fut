-- Arrays of tuples from tuples of arrays, and back.  A zip is fresh storage: its parts may be
-- updated without touching the sources.

#[inline]
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) =
  intrinsics.manifest (intrinsics.zip as bs)

#[inline]
def zip [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) = zip2 as bs

#[inline]
def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n](a, b, c) =
  intrinsics.map (\(a, (b, c)) -> (a, b, c)) (intrinsics.zip as (intrinsics.zip bs cs))

#[inline]
def zip4 [n] 'a 'b 'c 'd (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n](a, b, c, d) =
  intrinsics.map (\((a, b), (c, d)) -> (a, b, c, d))
    (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds))

#[inline]
def zip5 [n] 'a 'b 'c 'd 'e (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e)
    : *[n](a, b, c, d, e) =
  intrinsics.map (\(((a, b), (c, d)), e) -> (a, b, c, d, e))
    (intrinsics.zip (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds)) es)

#[inline]
def unzip2 [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

#[inline]
def unzip [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

#[inline]
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) =
  let (as, bcs) = intrinsics.unzip (intrinsics.map (\(a, b, c) -> (a, (b, c))) xs)
  let (bs, cs) = intrinsics.unzip bcs
  in (as, bs, cs)

#[inline]
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  let (abs, cds) = intrinsics.unzip (intrinsics.map (\(a, b, c, d) -> ((a, b), (c, d))) xs)
  let (as, bs) = intrinsics.unzip abs
  let (cs, ds) = intrinsics.unzip cds
  in (as, bs, cs, ds)

#[inline]
def unzip5 [n] 'a 'b 'c 'd 'e (xs: [n](a, b, c, d, e)) : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  let (abcds, es) =
    intrinsics.unzip (intrinsics.map (\(a, b, c, d, e) -> ((a, b, c, d), e)) xs)
  let (as, bs, cs, ds) = unzip4 abcds
  in (as, bs, cs, ds, es)
