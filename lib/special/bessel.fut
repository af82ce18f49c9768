-- Bessel functions of orders 0 and 1.  Chebyshev series in x^2 (J) or x (I) up to 8, beyond that in
-- 1 / x^2 of modulus and phase (J) or in 1 / x (I); the terms were computed with 60 digits.
import "series"

-- | Bessel functions, over one type of floats.
module mk_bessel (R: float) = {
  local open mk_series R
  local def zero = R.i64 0
  local def one = R.i64 1
  local def two = R.i64 2
  local def eight = R.i64 8

  local def j0_near (t: R.t) : R.t = clenshaw (map R.f64
    [0.15772797147489012, -0.008723442352852221, 0.2651786132033368, -0.37009499387264977,
     0.15806710233209725, -0.034893769411408884, 0.004819180069467605, -0.00046062616620627504,
     3.246032882100508e-05, -1.7619469077621507e-06, 7.608163592418782e-08,
     -2.679253530557673e-09, 7.848696314479465e-11, -1.9438346867370164e-12,
     4.125320595634374e-14, -7.588508125447546e-16, 1.2218515873961411e-17]) t

  local def j1_near (t: R.t) : R.t = clenshaw (map R.f64
    [0.08104484632565812, -0.1489751450676521, 0.1609992623572097, -0.08268049176681791,
     0.022213639654966037, -0.003646940600769276, 0.0004050337728354822, -3.255554866857259e-05,
     1.9858774049915165e-06, -9.521984756750436e-08, 3.687133759097148e-09,
     -1.178026622695885e-10, 3.160154580348003e-12, -7.221755239651773e-14,
     1.4232144003513942e-15, -2.4441972916190464e-17]) t

  local def p0_of (t: R.t) : R.t = clenshaw (map R.f64
    [0.9994603493475187, -0.0005365220468132117, 3.0751847875194745e-06, -5.1705945376060975e-08,
     1.6306464635151382e-09, -7.86409137723707e-11, 5.168262387349193e-12,
     -4.3045788699253914e-13, 4.3265957431549404e-14, -5.069034095935236e-15,
     6.748072215733873e-16, -1.0011513723467786e-16]) t

  local def q0_of (t: R.t) : R.t = clenshaw (map R.f64
    [-0.015555854605337009, 6.838519942611649e-05, -7.414498411060647e-07, 1.7972457247968992e-08,
     -7.27191593686632e-10, 4.2201219046687385e-11, -3.206747420996635e-12, 3.006145125351706e-13,
     -3.336328185322427e-14, 4.255225040245461e-15, -6.09993013164005e-16, 9.662128970303257e-17,
     -1.6686065214378146e-17, 3.1082440486738143e-18, -6.191115787358145e-19]) t

  local def p1_of (t: R.t) : R.t = clenshaw (map R.f64
    [1.0009030408600137, 0.0008989898330859408, -3.987284300488908e-06, 6.177633960644299e-08,
     -1.8718907491063067e-09, 8.816898659582339e-11, -5.704863640395645e-12,
     4.699195515230542e-13, -4.6842237839904895e-14, 5.452674896044717e-15,
     -7.221180842274018e-16, 1.0667689114335412e-16]) t

  local def q1_of (t: R.t) : R.t = clenshaw (map R.f64
    [0.04677778706953532, -9.62772354915708e-05, 9.138615257955454e-07, -2.0959781384083424e-08,
     8.229193327650554e-10, -4.686363688176945e-11, 3.5152187949686082e-12, -3.2643156743279e-13,
     3.5967765829165294e-14, -4.5612523950772974e-15, 6.508282957783384e-16,
     -1.0269147531823243e-16, 1.767635548776479e-17, -3.2834519872981614e-18]) t

  local def i0_near (t: R.t) : R.t = clenshaw (map R.f64
    [0.33839763720473803, -0.3046826723431984, 0.17162090152220877, -0.09490109704804764,
     0.04930528423967071, -0.02373741480589947, 0.010546460394594998, -0.004324309995050576,
     0.0016394756169413357, -0.0005763755745385824, 0.00018850288509584165,
     -5.754195010082104e-05, 1.6448448070728896e-05, -4.4167383584587505e-06,
     1.1173875391201037e-06, -2.670793853940612e-07, 6.046995022541919e-08,
     -1.300025009986248e-08, 2.6598237246823866e-09, -5.189795601635263e-10,
     9.675809035373237e-11, -1.726826291441556e-11, 2.95505266312964e-12, -4.856446783111929e-13,
     7.676185498604936e-14, -1.1685332877993451e-14, 1.715391285555133e-15,
     -2.431279846547955e-16, 3.3307945188222384e-17]) t

  local def i0_far (t: R.t) : R.t = clenshaw (map R.f64
    [0.4022452055070544, 0.0033691164782556943, 6.889758346916825e-05, 2.8913705208347567e-06,
     2.0489185894690638e-07, 2.266668990498178e-08, 3.3962320257083865e-09, 4.94060238822497e-10,
     1.1889147107846439e-11, -3.1499165279632416e-11, -1.3215811840447713e-11,
     -1.7941785315068062e-12, 7.180124451383666e-13, 3.8527783827421426e-13, 1.54008621752141e-14,
     -4.150569347287222e-14, -9.554846698828307e-15, 3.8116806693526224e-15,
     1.7725601330565263e-15, -3.425485619677219e-16, -2.8276239805165836e-16,
     3.461222867697461e-17, 4.46562142029676e-17]) t

  local def i1_near (t: R.t) : R.t = clenshaw (map R.f64
    [0.12629359322181682, -0.17641651835783406, 0.1026436586898471, -0.05294598120809499,
     0.024726449030626516, -0.010564084894626197, 0.004156422944312888, -0.0015135724506312532,
     0.0005122859561685758, -0.00016176081582589674, 4.781565107550054e-05,
     -1.3273163656039436e-05, 3.4702513081376785e-06, -8.568720264695455e-07,
     2.0032947535521353e-07, -4.445059128796328e-08, 9.381537386495773e-09,
     -1.8872497517228294e-09, 3.625590281552117e-10, -6.663489723502027e-11,
     1.1736186298890901e-11, -1.9839743977649436e-12, 3.223793365945575e-13,
     -5.042185504727912e-14, 7.600684294735408e-15, -1.1055969477353862e-15,
     1.5536319577362005e-16, -2.111421214358166e-17]) t

  local def i1_far (t: R.t) : R.t = clenshaw (map R.f64
    [0.38928811750914005, -0.009761097491361469, -0.00011058893876262371, -3.882564808877691e-06,
     -2.512236237870209e-07, -2.6314688468895196e-08, -3.835380385964237e-09,
     -5.589743462196584e-10, -1.8974958123505413e-11, 3.2526035830154884e-11,
     1.4125807436613782e-11, 2.0356285441470896e-12, -7.198551776245908e-13,
     -4.0835511110921974e-13, -2.1015418427726643e-14, 4.272440016711951e-14,
     1.0420276984128802e-14, -3.8144030724370075e-15, -1.8803547755107825e-15,
     3.3082023109209285e-16, 2.96262899764595e-16, -3.209525921993424e-17,
     -4.6503053684893586e-17]) t

  -- sqrt (2 / (pi x)) (p cos c - q sin c), c = x - pi/4 - order pi/2, given cos c and sin c.
  local def far (p: R.t -> R.t) (q: R.t -> R.t) (cos_c: R.t) (sin_c: R.t) (x: R.t) : R.t =
    let z = R.(eight / x)
    let t = R.(two * z * z - one)
    in R.((p t * cos_c - z * q t * sin_c) * f64 0.5641895835477563 / sqrt x)

  -- sqrt 2 times cos and sin of x - pi/4 are sin x +- cos x.
  local def j0_plain (x: R.t) : R.t =
    let x = R.abs x
    in if R.(x <= eight) then j0_near R.(x * x / i64 32 - one)
       else if R.isinf x then zero
       else far p0_of q0_of R.(cos x + sin x) R.(sin x - cos x) x
  local def j1_plain (x: R.t) : R.t =
    let a = R.abs x
    let y = if R.(a <= eight) then R.(a * j1_near (a * a / i64 32 - one))
            else if R.isinf a then zero
            else far p1_of q1_of R.(sin a - cos a) R.(neg (sin a + cos a)) a
    in if R.(x < zero) then R.neg y else y
  -- J1 x / x.
  local def j1_ratio (x: R.t) : R.t =
    if R.(abs x <= eight) then j1_near R.(x * x / i64 32 - one) else R.(j1_plain x / x)

  local def j0_inner (x: R.t) : R.t = known j0_plain (\x -> R.neg (j1_plain x)) x
  local def j1_inner (x: R.t) : R.t =
    known j1_plain (\x -> R.(j0_inner x - forward j1_ratio x)) x

  -- | J0: the derivative is - J1.
  --
  --     special.j0 1.0 --> 0.7651976865579666
  def j0 (x: R.t) : R.t = known j0_plain (\x -> R.neg (j1_inner x)) x

  -- | J1: the derivative is J0 - J1 x / x.
  --
  --     special.j1 1.0 --> 0.44005058574493355
  def j1 (x: R.t) : R.t = known j1_plain (\x -> R.(j0 x - forward j1_ratio x)) x

  local def i0e_plain (x: R.t) : R.t =
    let x = R.abs x
    in if R.(x <= eight) then i0_near R.(x / i64 4 - one)
       else R.(i0_far (i64 16 / x - one) / sqrt x)
  local def i1e_plain (x: R.t) : R.t =
    let a = R.abs x
    let y = if R.(a <= eight) then R.(a * i1_near (a / i64 4 - one))
            else R.(i1_far (i64 16 / a - one) / sqrt a)
    in if R.(x < zero) then R.neg y else y
  -- exp (- |x|) I1 x / x.
  local def i1e_ratio (x: R.t) : R.t =
    let a = R.abs x
    in if R.(a <= eight) then i1_near R.(a / i64 4 - one) else R.(i1e_plain a / a)

  local def i0e_inner (x: R.t) : R.t =
    known i0e_plain (\x -> R.(i1e_plain x - sgn x * i0e_plain x)) x
  local def i1e_inner (x: R.t) : R.t =
    known i1e_plain (\x -> R.(i0e_inner x - sgn x * i1e_plain x - forward i1e_ratio x)) x

  -- | exp (- |x|) I0 x.  It has a kink at 0, where the derivative is said to be 0.
  --
  --     special.i0e 1.0 --> 0.46575960759364043
  def i0e (x: R.t) : R.t = known i0e_plain (\x -> R.(i1e_inner x - sgn x * i0e_inner x)) x

  -- | exp (- |x|) I1 x.
  --
  --     special.i1e 1.0 --> 0.2079104153497085
  def i1e (x: R.t) : R.t =
    known i1e_plain (\x -> R.(i0e_inner x - sgn x * i1e_inner x - forward i1e_ratio x)) x

  local def i0_plain (x: R.t) : R.t = R.(exp (abs x) * i0e_plain x)
  local def i1_plain (x: R.t) : R.t = R.(exp (abs x) * i1e_plain x)
  local def i1_ratio (x: R.t) : R.t = R.(exp (abs x) * i1e_ratio x)
  local def i0_inner (x: R.t) : R.t = known i0_plain i1_plain x
  local def i1_inner (x: R.t) : R.t =
    known i1_plain (\x -> R.(i0_inner x - forward i1_ratio x)) x

  -- | I0: the derivative is I1.
  --
  --     special.i0 1.0 --> 1.2660658777520082
  def i0 (x: R.t) : R.t = known i0_plain i1_inner x

  -- | I1: the derivative is I0 - I1 x / x.
  --
  --     special.i1 1.0 --> 0.565159103992485
  def i1 (x: R.t) : R.t = known i1_plain (\x -> R.(i0 x - forward i1_ratio x)) x
}
