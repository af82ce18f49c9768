-- lib/special: values against those of mpmath (40 digits); derivatives of all to second order;
-- ends.
-- ==
-- entry: expm1
-- input {
--   [-40.0, -1.0, -1e-05, 1e-12, 0.001, 0.3, 1.0, 10.0, 300.0]
--   [-0.999999999999999996, -0.632120558828557678, -9.99995000016666707e-6,
--    1.00000000000049998e-12, 0.00100050016670834169, 0.349858807576003089, 1.71828182845904524,
--    22025.4657948067165, 1.94242639524125594e+130]
-- } output { true }
-- ==
-- entry: log1mexp
-- input {
--   [-1e-12, -0.001, -0.5, -0.7, -2.0, -30.0]
--   [-27.6310211159290482, -6.90825523731547071, -0.932752129567188572, -0.686341002808385153,
--    -0.145413457868859057, -9.35762296884061243e-14]
-- } output { true }
-- ==
-- entry: logit
-- input {
--   [1e-300, 1e-05, 0.25, 0.5, 0.75, 0.999]
--   [-690.775527898213705, -11.512915464920228, -1.09861228866810969, 0.0, 1.09861228866810969,
--    6.90675477864855263]
-- } output { true }
-- ==
-- entry: erfcx
-- input {
--   [-5.0, -1.0, 0.0, 0.001, 0.5, 1.0, 2.5, 3.75, 10.0, 100.0, 100000.0]
--   [144009798674.66104, 5.00898008076228347, 1.0, 0.998872620081151409, 0.615690344192925875,
--    0.427583576155807004, 0.210806364061143581, 0.145589721275038539, 0.0561409927438225859,
--    0.0056416137829894329, 5.64189583519546808e-6]
-- } output { true }
-- ==
-- entry: ndtri
-- input {
--   [1e-300, 1e-30, 1e-06, 0.02425, 0.3, 0.5000001, 0.8, 0.975]
--   [-37.0470962993611992, -11.4640246884436157, -4.75342430882289896, -1.97296105131188484,
--    -0.524400512708040816, 2.5066282733116483e-7, 0.841621233572914364, 1.95996398454005386]
-- } output { true }
-- ==
-- entry: erfinv
-- input {
--   [-0.999, -0.5, 1e-20, 0.001, 0.3, 0.9, 0.99999]
--   [-2.32675376551352449, -0.476936276204469873, 8.86226925452757965e-21,
--    0.000886227157466552123, 0.272462714726754345, 1.16308715367667416, 3.12341327434157086]
-- } output { true }
-- ==
-- entry: log_ndtr
-- input {
--   [-1000.0, -38.0, -5.0, -1.01, -0.99, -0.3, 0.0, 1.0, 3.0, 8.0]
--   [-500007.826694812184, -726.55721601882013, -15.0649983939887257, -1.85631306234317844,
--    -1.82581031784281236, -0.962102818168850657, -0.693147180559945309, -0.17275377902344989,
--    -0.0013508099647481938, -6.22096057427178606e-16]
-- } output { true }
-- ==
-- entry: j0
-- input {
--   [0.1, 1.0, 2.0, 3.0, 5.0, 7.5, 8.5, 12.0, 25.0, 50.0, 300.5]
--   [0.997501562066040032, 0.765197686557966551, 0.223890779141235668, -0.260051954901933438,
--    -0.177596771314338304, 0.266339657880378397, 0.0419392518429345036, 0.0476893107968335366,
--    0.0962667832759581162, 0.055812327669251815, -0.0139495600210805967]
-- } output { true }
-- ==
-- entry: j1
-- input {
--   [0.1, 1.0, 2.0, 3.0, 5.0, 7.5, 8.5, 12.0, 25.0, 50.0, 300.5]
--   [0.0499375260362420003, 0.440050585744933516, 0.576724807756873387, 0.339058958525936459,
--    -0.327579137591465222, 0.135248427579705505, 0.273121963674053744, -0.223447104490627612,
--    -0.125350249580289905, -0.0975118281251751377, -0.0438860328768283554]
-- } output { true }
-- ==
-- entry: i0e
-- input {
--   [1e-08, 0.1, 1.0, 3.0, 5.0, 7.5, 8.0, 8.5, 12.0, 25.0, 50.0, 300.5, 100000.0]
--   [0.999999990000000075, 0.907100925782301092, 0.465759607593640437, 0.243000354161825398,
--    0.183540812609328353, 0.148315830077395503, 0.143431781856850311, 0.139001843054847597,
--    0.116426221213440443, 0.0801967735474367084, 0.0565616266474541925, 0.0230233642371590613,
--    0.00126156783797677677]
-- } output { true }
-- ==
-- entry: i1e
-- input {
--   [1e-08, 0.1, 1.0, 3.0, 5.0, 7.5, 8.0, 8.5, 12.0, 25.0, 50.0, 300.5, 100000.0]
--   [4.99999995000000042e-9, 0.0452984468088093273, 0.207910415349708449, 0.196826713297300854,
--    0.163972266944542357, 0.138041211548554202, 0.134142493292698178, 0.130549355094595855,
--    0.111464299290180976, 0.078576113319292772, 0.0559931238928953996, 0.0229850238336229157,
--    0.00126156153012181713]
-- } output { true }
-- ==
-- entry: i0
-- input {
--   [0.1, 1.0, 7.0, 20.0, 100.0]
--   [1.0025015629340956, 1.26606587775200834, 168.593908510289699, 43558282.5595535333,
--    1.07375170713107382e+42]
-- } output { true }
-- ==
-- entry: i1
-- input {
--   [0.1, 1.0, 7.0, 20.0, 100.0]
--   [0.0500625260470926949, 0.565159103992485027, 156.039092869955453, 42454973.3851277702,
--    1.06836939033816248e+42]
-- } output { true }
-- ==
-- entry: lbeta
-- input {
--   [0.1, 1.0, 3.0, 12.0, 50.0, 1000000.0, 1e-05, 20.0]
--   [0.3, 1.0, 100.0, 12.0, 100000.0, 2000000.0, 3.0, 0.5]
--   [2.55183282885049768, 0.0, -13.1521163355536766, -16.6020598760166019, -431.092777281416595,
--    -1909548.29096853296, 11.512910465032728, -0.919251844406603986]
-- } output { true }
-- ==
-- entry: log_choose
-- input {
--   [5.0, 10.0, 100.0, 1000000.0, 7.5]
--   [2.0, 10.0, 50.0, 3.0, 2.25]
--   [2.30258509299404568, 0.0, 66.783841652017426, 39.6547692046622673, 3.39386133920204304]
-- } output { true }
-- ==
-- entry: gamma_p
-- input {
--   [0.001, 0.1, 0.5, 0.5, 1.0, 2.0, 5.0, 5.0, 9.5, 30.0, 100.0, 100.0, 1000.0, 1000.0, 20000.0]
--   [1e-06, 0.01, 0.2, 3.0, 1.0, 0.1, 3.0, 12.0, 9.5, 40.0, 80.0, 101.0, 1000.0, 1100.0, 20100.0]
--   [0.986848133694076665, 0.662621259954479792, 0.472910743134461926, 0.98569412156457036,
--    0.632120558828557678, 0.00467884016044447002, 0.184736755476227934, 0.992399609318933005,
--    0.543163874408037617, 0.956771317848264433, 0.0171083130351331142, 0.552896293434511246,
--    0.504205244180215509, 0.998940676746070023, 0.760616705561417648]
-- } output { true }
-- ==
-- entry: gamma_q
-- input {
--   [0.1, 0.5, 1.0, 2.0, 5.0, 9.5, 30.0, 100.0, 1000.0, 20000.0]
--   [1.2, 3.0, 2.0, 10.0, 12.0, 10.6, 40.0, 120.0, 1100.0, 20100.0]
--   [0.01766115926527955, 0.0143058784354296395, 0.135335283236612692, 0.000499399227387333367,
--    0.00760039068106699547, 0.325855817050977218, 0.0432286821517355669, 0.0278637398905206615,
--    0.00105932325392997735, 0.239383294438582352]
-- } output { true }
-- ==
-- entry: gamma_p_a
-- input {
--   [0.1, 0.5, 2.0, 5.0, 9.5, 12.0, 30.0, 100.0, 1000.0]
--   [0.01, 3.0, 0.1, 12.0, 9.5, 10.0, 40.0, 80.0, 1010.0]
--   [-2.77616081242542225, -0.0472403264479737509, -0.015143516295044242, -0.00823276917208863541,
--    -0.130577127003562864, -0.105131669837236122, -0.0160251771680025712,
--    -0.00440264324346863497, -0.0119457313372254415]
-- } output { true }
-- ==
-- entry: gamma_p_aa
-- input {
--   [0.1, 0.5, 2.0, 5.0, 9.5, 12.0, 30.0, 100.0]
--   [0.01, 3.0, 0.1, 12.0, 9.5, 10.0, 40.0, 80.0]
--   [10.6913544780319342, -0.085989868973685684, 0.0472005380134355006, -0.00730175797218671519,
--    0.000122322680711095244, 0.0193635421882711388, -0.00462151531220522386,
--    0.000983277154331702488]
-- } output { true }
-- ==
-- entry: gamma_density
-- input {
--   [0.5, 1.0, 3.0, 12.0, 1000.0]
--   [0.1, 2.0, 2.5, 20.0, 990.0]
--   [1.6143422587153618, 0.135335283236612692, 0.256515620699683735, 0.0105751027606275213,
--    0.0121165253871143662]
-- } output { true }
-- ==
-- entry: beta_inc
-- input {
--   [0.1, 0.5, 1.0, 2.0, 5.0, 20.0, 100.0, 0.01, 300.0, 12.0]
--   [0.2, 0.5, 3.0, 2.0, 0.5, 30.0, 90.0, 4.0, 2000.0, 15.0]
--   [0.3, 0.01, 0.2, 0.9, 0.99, 0.4, 0.55, 0.001, 0.13, 0.7]
--   [0.622843354720317339, 0.0637685608585198486, 0.488000000000000021, 0.972000000000000012,
--    0.757158109101562395, 0.507700199657648005, 0.742762318289890031, 0.950429226724280451,
--    0.481373669204863368, 0.996956920315614417]
-- } output { true }
-- ==
-- entry: beta_inc_a
-- input {
--   [0.5, 1.0, 2.0, 5.0, 20.0, 12.0]
--   [0.5, 3.0, 2.0, 0.5, 30.0, 15.0]
--   [0.1, 0.2, 0.9, 0.99, 0.4, 0.7]
--   [-0.592620022143379388, -0.433405701267840978, -0.0214104212194071561, -0.0246892063855488,
--    -0.0697751192245700867, -0.00155785290257561029]
-- } output { true }
-- ==
-- entry: beta_inc_b
-- input {
--   [0.5, 1.0, 2.0, 5.0, 20.0, 12.0]
--   [0.5, 3.0, 2.0, 0.5, 30.0, 15.0]
--   [0.1, 0.2, 0.9, 0.99, 0.4, 0.7]
--   [0.27681552435835125, 0.114249498272875397, 0.0554723826038332615, 0.740276614124457322,
--    0.0463876788452442128, 0.00210016010368441933]
-- } output { true }
-- ==
-- entry: derivatives1
-- input { [-2.5, -0.4, 0.3, 1.7, 6.0, 20.0] } output { true }
-- ==
-- entry: derivatives_unit
-- input { [0.01, 0.3, 0.7, 0.99] } output { true }
-- ==
-- entry: derivatives2
-- input { [0.4, 1.7, 12.0, 15.0, 3.0] [0.3, 2.5, 11.0, 18.0, 14.0] } output { true }
-- ==
-- entry: derivatives_gamma
-- input { [0.4, 1.7, 12.0, 30.0] [0.3, 3.5, 11.0, 20.0] } output { true }
-- ==
-- entry: derivatives_beta
-- input { [0.4, 1.7, 12.0, 12.0] [0.7, 2.2, 14.0, 3.0] [0.3, 0.8, 0.5, 0.9] } output { true }
-- ==
-- entry: ends
-- input {} output { [1.0, 0.0, f64.inf, 0.0, 1.0, 0.0, f64.inf, f64.inf, f64.inf, 0.5, 0.0, -f64.inf, 1.0, 0.0, 2.0] }
-- ==
-- entry: outside
-- input {} output { true }
-- ==
-- entry: single
-- input { 2f32 1f32 } output { true }
import "lib/special"
import "../../lib/second"
module special = mk_special f64
module special32 = mk_special f32

-- Within t relative.
def close [n] (t: f64) (a: [n]f64) (b: [n]f64) : bool =
  and (map2 (\a b -> a == b || f64.abs (a - b) <= t * f64.abs b) a b)
def close1 [n] (t: f64) (f: f64 -> f64) (x: [n]f64) (y: [n]f64) = close t (map f x) y
def close2 [n] (t: f64) (f: f64 -> f64 -> f64) (x: [n]f64) (z: [n]f64) (y: [n]f64) =
  close t (map2 f x z) y

entry expm1 [n] (x: [n]f64) (y: [n]f64) = close1 1e-15 special.expm1 x y
entry log1mexp [n] (x: [n]f64) (y: [n]f64) = close1 1e-15 special.log1mexp x y
entry logit [n] (x: [n]f64) (y: [n]f64) = close1 1e-15 special.logit x y
entry erfcx [n] (x: [n]f64) (y: [n]f64) = close1 1e-15 special.erfcx x y
entry ndtri [n] (x: [n]f64) (y: [n]f64) = close1 1e-15 special.ndtri x y
entry erfinv [n] (x: [n]f64) (y: [n]f64) = close1 1e-15 special.erfinv x y
entry log_ndtr [n] (x: [n]f64) (y: [n]f64) = close1 1e-14 special.log_ndtr x y
entry j0 [n] (x: [n]f64) (y: [n]f64) = close1 1e-14 special.j0 x y
entry j1 [n] (x: [n]f64) (y: [n]f64) = close1 1e-14 special.j1 x y
entry i0e [n] (x: [n]f64) (y: [n]f64) = close1 1e-15 special.i0e x y
entry i1e [n] (x: [n]f64) (y: [n]f64) = close1 1e-15 special.i1e x y
entry i0 [n] (x: [n]f64) (y: [n]f64) = close1 1e-14 special.i0 x y
entry i1 [n] (x: [n]f64) (y: [n]f64) = close1 1e-14 special.i1 x y
entry lbeta [n] (a: [n]f64) (b: [n]f64) (y: [n]f64) = close2 1e-14 special.lbeta a b y
entry log_choose [n] (a: [n]f64) (b: [n]f64) (y: [n]f64) = close2 1e-14 special.log_choose a b y
entry gamma_p [n] (a: [n]f64) (x: [n]f64) (y: [n]f64) = close2 1e-14 special.gamma_p a x y
entry gamma_q [n] (a: [n]f64) (x: [n]f64) (y: [n]f64) = close2 1e-14 special.gamma_q a x y
def gamma_by_a (a: f64) (x: f64) = vjp (\a -> special.gamma_p a x) a 1
entry gamma_p_a [n] (a: [n]f64) (x: [n]f64) (y: [n]f64) = close2 1e-11 gamma_by_a a x y
entry gamma_p_aa [n] (a: [n]f64) (x: [n]f64) (y: [n]f64) =
  close2 1e-8 (\a x -> jvp (\a -> gamma_by_a a x) a 1) a x y
entry gamma_density [n] (a: [n]f64) (x: [n]f64) (y: [n]f64) = close2 1e-14 special.gamma_density a x y
entry beta_inc [n] (a: [n]f64) (b: [n]f64) (x: [n]f64) (y: [n]f64) =
  close 1e-13 (map3 special.beta_inc a b x) y
entry beta_inc_a [n] (a: [n]f64) (b: [n]f64) (x: [n]f64) (y: [n]f64) =
  close 1e-11 (map3 (\a b x -> vjp (\a -> special.beta_inc a b x) a 1) a b x) y
entry beta_inc_b [n] (a: [n]f64) (b: [n]f64) (x: [n]f64) (y: [n]f64) =
  close 1e-11 (map3 (\a b x -> vjp (\b -> special.beta_inc a b x) b 1) a b x) y

-- Every function of one number, weighted so that a fault in one of them shows.
entry derivatives1 [n] (xs: [n]f64) : bool =
  let check f = all (\x -> second (\(x: [1]f64) -> f x[0]) [x] == 0) xs
  in check special.expm1 && check special.softplus && check special.expit
     && check special.log_expit && check (\x -> special.log1mexp (-0.1 - x * x))
     && check (\x -> special.erfcx (0.2 * x)) && check special.ndtr && check special.log_ndtr
     && check special.j0 && check special.j1 && check special.i0e && check special.i1e
     && check (\x -> special.i0 (0.1 * x)) && check (\x -> special.i1 (0.1 * x))
     && check (\x -> special.erf (0.3 * x)) && check (\x -> special.erfc (0.3 * x))
     && check (\x -> special.stirling_error (f64.exp (0.2 * x)))
     && check (\x -> special.entr (f64.exp (0.2 * x)))
entry derivatives_unit [n] (xs: [n]f64) : bool =
  let check f = all (\x -> second (\(x: [1]f64) -> f (0.8 * x[0] + 0.1)) [x] == 0) xs
  in check special.logit && check special.ndtri && check special.erfinv && check special.erfcinv
entry derivatives2 [n] (as: [n]f64) (bs: [n]f64) : bool =
  let check f = and (map2 (\a b -> second (\(x: [2]f64) -> f x[0] x[1]) [a, b] == 0) as bs)
  in check special.lbeta && check special.log_poisson && check special.deviance
     && check special.logaddexp && check special.xlogy && check special.xlog1py
     && check (\a b -> special.log_choose (a + b) b) && check (\a b -> (special.softmax [a, b])[0])
     && check (\a b -> (special.log_softmax [a, b])[0])
entry derivatives_gamma [n] (as: [n]f64) (xs: [n]f64) : bool =
  and (map2 (\a b -> second (\(x: [2]f64) -> special.gamma_p x[0] x[1]) [a, b] == 0) as xs)
  && and (map2 (\a b -> second (\(x: [2]f64) -> special.gamma_q x[0] x[1]) [a, b] == 0) as xs)
entry derivatives_beta [n] (as: [n]f64) (bs: [n]f64) (xs: [n]f64) : bool =
  and (map3 (\a b x -> second (\(x: [3]f64) -> special.beta_inc x[0] x[1] x[2]) [a, b, x] == 0)
            as bs xs)

entry ends : [15]f64 =
  let d (f: f64 -> f64) x = vjp f x 1
  in [d (special.gamma_p 1) 0, d (special.gamma_p 2) 0, d (special.gamma_p 0.5) 0,
      d (special.gamma_p 2) f64.inf, d (special.beta_inc 1 1) 0, d (special.beta_inc 2 2) 1,
      d special.ndtri 0, d special.logit 0, d special.erfinv 1, d special.j1 0, d special.i0 0,
      d (\x -> special.xlogy x 0) 0, d (special.xlogy 1) 1, d (special.xlogy 0) 1,
      d (\x -> special.xlogy x (f64.exp 2)) 0]
entry outside : bool =
  all f64.isnan [special.gamma_p (-1) 1, special.gamma_p 1 (-1), special.beta_inc 1 1 2,
                 special.beta_inc (-1) 1 0.5, special.ndtri 2, special.erfinv (-1.5),
                 special.logit (-1), special.gamma_p f64.nan 1, special.j0 f64.nan,
                 special.i1e f64.nan, special.xlogy 0 f64.nan]
entry single (a: f32) (x: f32) : bool =
  let near (x: f32) (y: f64) = f64.abs (f64.f32 x - y) <= 1e-6 * f64.abs y
  in near (special32.gamma_p a x) 0.2642411176571153 && near (special32.j0 x) 0.7651976865579666
     && near (special32.beta_inc a 3 0.5) 0.6875 && near (special32.ndtri 0.975) 1.959963984540054
     && near (special32.erfcx 10) 0.05614099274382259
