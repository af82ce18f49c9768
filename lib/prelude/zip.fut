-- Arrays of tuples from tuples of arrays, and back.  A zip is fresh storage: its parts may be
-- updated without touching the sources.

-- | Two arrays as one of pairs.
#[inline]
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) =
  intrinsics.manifest (intrinsics.zip as bs)

-- | Two arrays as one of pairs.
#[inline]
def zip [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) = zip2 as bs

-- | Three arrays as one of triples.
#[inline]
def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n](a, b, c) =
  intrinsics.map (\(a, (b, c)) -> (a, b, c)) (intrinsics.zip as (intrinsics.zip bs cs))

-- | Four arrays as one of tuples.
#[inline]
def zip4 [n] 'a 'b 'c 'd (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n](a, b, c, d) =
  intrinsics.map (\((a, b), (c, d)) -> (a, b, c, d))
    (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds))

-- | Five arrays as one of tuples.
#[inline]
def zip5 [n] 'a 'b 'c 'd 'e (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e)
    : *[n](a, b, c, d, e) =
  intrinsics.map (\(((a, b), (c, d)), e) -> (a, b, c, d, e))
    (intrinsics.zip (intrinsics.zip (intrinsics.zip as bs) (intrinsics.zip cs ds)) es)

-- | An array of pairs as two arrays.
#[inline]
def unzip2 [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

-- | An array of pairs as two arrays.
#[inline]
def unzip [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

-- | An array of triples as three arrays.
#[inline]
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) =
  let (as, bcs) = intrinsics.unzip (intrinsics.map (\(a, b, c) -> (a, (b, c))) xs)
  let (bs, cs) = intrinsics.unzip bcs
  in (as, bs, cs)

-- | An array of tuples as four arrays.
#[inline]
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  let (abs, cds) = intrinsics.unzip (intrinsics.map (\(a, b, c, d) -> ((a, b), (c, d))) xs)
  let (as, bs) = intrinsics.unzip abs
  let (cs, ds) = intrinsics.unzip cds
  in (as, bs, cs, ds)

-- | An array of tuples as five arrays.
#[inline]
def unzip5 [n] 'a 'b 'c 'd 'e (xs: [n](a, b, c, d, e)) : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  let (abcds, es) =
    intrinsics.unzip (intrinsics.map (\(a, b, c, d, e) -> ((a, b, c, d), e)) xs)
  let (as, bs, cs, ds) = unzip4 abcds
  in (as, bs, cs, ds, es)
