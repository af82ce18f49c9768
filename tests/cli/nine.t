$ # Final forms of the derivations (doc/strategies.md).
$ dagaz ir -O $DAGAZ_ROOT/tests/cli/nine.fut
level 1
fn transpose_twice entry (n_1 : i64, m_2 : i64, a_3 : [n_1][m_2]f64) -> (result_4 : [n_1][m_2]f64) { in (a_3) }
fn times_identity entry (n_5 : i64, v_6 : [n_5]i64) -> (result_7 : [n_5]i64) { in (v_6) }
fn dot_gradient entry (n_8 : i64, n_9 : i64, a_10 : [n_8]f64, b_11 : [n_9]f64) -> (result_17 : [n_8]f64) {
  let (eq_12 : bool) = eq i64 (n_9, n_8)
  let () = assert eq_12 "entry point arguments have invalid sizes: n is %d for a and %d for b." (n_8, n_9)
  let #unchecked (iota_13 : [n_8]i64) = iota n_8 0i64 1i64
  let (map_16 : [n_8]f64) = map n_8 (\(x_14 : i64) -> (f64) {
    let #unchecked (b_15 : f64) = index b_11 [x_14]
    in (b_15)
  }) (iota_13)
  in (map_16)
}
fn trace_gradient entry (n_18 : i64, n_19 : i64, m_20 : [n_18][n_19]f64) -> (result_29 : [n_18][n_18]f64) {
  let (eq_21 : bool) = eq i64 (n_19, n_18)
  let () = assert eq_21 "entry point arguments have invalid sizes: n is %d for m and %d for m." (n_19, n_18)
  let #unchecked (iota_22 : [n_18]i64) = iota n_18 0i64 1i64
  let (map_28 : [n_18][n_18]f64) = map n_18 (\(x_23 : i64) -> ([n_18]f64) {
    let (map_27 : [n_18]f64) = map n_18 (\(x_24 : i64) -> (f64) {
      let (eq_25 : bool) = eq i64 (x_24, x_23)
      let (select_26 : f64) = select f64 (eq_25, 1f64, 0f64)
      in (select_26)
    }) (iota_22)
    in (map_27)
  }) (iota_22)
  in (map_28)
}
fn trace_scaled_gradient entry (n_30 : i64, n_31 : i64, a_32 : f64, m_33 : [n_30][n_31]f64) -> (result_42 : [n_30][n_30]f64) {
  let (eq_34 : bool) = eq i64 (n_31, n_30)
  let () = assert eq_34 "entry point arguments have invalid sizes: n is %d for m and %d for m." (n_31, n_30)
  let #unchecked (iota_35 : [n_30]i64) = iota n_30 0i64 1i64
  let (map_41 : [n_30][n_30]f64) = map n_30 (\(x_36 : i64) -> ([n_30]f64) {
    let (map_40 : [n_30]f64) = map n_30 (\(x_37 : i64) -> (f64) {
      let (eq_38 : bool) = eq i64 (x_37, x_36)
      let (select_39 : f64) = select f64 (eq_38, a_32, 0f64)
      in (select_39)
    }) (iota_35)
    in (map_40)
  }) (iota_35)
  in (map_41)
}
fn bilinear_gradient entry (n_43 : i64, n_44 : i64, m_45 : i64, n_46 : i64, u_47 : [n_43]f64, a_48 : [n_44][m_45]f64, v_49 : [n_46]f64) -> (result_59 : [n_43][m_45]f64) {
  let (eq_50 : bool) = eq i64 (n_44, n_43)
  let () = assert eq_50 "entry point arguments have invalid sizes: n is %d for u and %d for a." (n_43, n_44)
  let (eq_51 : bool) = eq i64 (n_46, m_45)
  let () = assert eq_51 "entry point arguments have invalid sizes: m is %d for a and %d for v." (m_45, n_46)
  let #unchecked (iota_52 : [m_45]i64) = iota m_45 0i64 1i64
  let (map_58 : [n_43][m_45]f64) = map n_43 (\(u_53 : f64) -> ([m_45]f64) {
    let (map_57 : [m_45]f64) = map m_45 (\(x_54 : i64) -> (f64) {
      let #unchecked (v_55 : f64) = index v_49 [x_54]
      let #linear (mul_56 : f64) = mul f64 (v_55, u_53)
      in (mul_56)
    }) (iota_52)
    in (map_57)
  }) (u_47)
  in (map_58)
}
fn scaled_derivative entry (n_60 : i64, s_61 : f64, v_62 : [n_60]f64) -> (result_63 : [n_60]f64) { in (v_62) }
fn sum_jacobian entry (n_64 : i64, n_65 : i64, a_66 : [n_64]f64, b_67 : [n_65]f64) -> (result_76 : [n_64][n_64]f64) {
  let (eq_68 : bool) = eq i64 (n_65, n_64)
  let () = assert eq_68 "entry point arguments have invalid sizes: n is %d for a and %d for b." (n_64, n_65)
  let #unchecked (iota_69 : [n_64]i64) = iota n_64 0i64 1i64
  let (map_75 : [n_64][n_64]f64) = map n_64 (\(x_70 : i64) -> ([n_64]f64) {
    let (a_tan_74 : [n_64]f64) = map n_64 (\(x_71 : i64) -> (f64) {
      let (eq_72 : bool) = eq i64 (x_70, x_71)
      let (select_73 : f64) = select f64 (eq_72, 1f64, 0f64)
      in (select_73)
    }) (iota_69)
    in (a_tan_74)
  }) (iota_69)
  in (map_75)
}
fn maximum_gradient entry (n_77 : i64, a_78 : [n_77]f64) -> (result_99 : [n_77]f64) {
  let #unchecked (iota_79 : [n_77]i64) = iota n_77 0i64 1i64
  let (budget_131 : i64) = tuned "#block" 131072i64
  let #unchecked (div_132 : i64) = div i64 (budget_131, 8i64)
  let (min_133 : i64) = min i64 (div_132, 65536i64)
  let (max_134 : i64) = max i64 (min_133, 16i64)
  let (sub_135 : i64) = sub i64 (max_134, 1i64)
  let (add_136 : i64) = add i64 (n_77, sub_135)
  let #unchecked (div_137 : i64) = div i64 (add_136, max_134)
  let #unchecked (iota_138 : [div_137]i64) = iota div_137 0i64 1i64
  let (parts_158 : [div_137]f64, parts_159 : [div_137]i64) = map div_137 (\(b_139 : i64) -> (f64, i64) {
    let (mul_140 : i64) = mul i64 (b_139, max_134)
    let (sub_141 : i64) = sub i64 (n_77, mul_140)
    let (min_142 : i64) = min i64 (max_134, sub_141)
    let (iota_143 : [min_142]i64) = iota min_142 mul_140 1i64
    let #unchecked (index_144 : [min_142]f64) = index a_78 [mul_140 : min_142 : 1i64]
    let (part_156 : f64, part_157 : i64) = screma min_142 (\(x_145 : i64, x_146 : f64) -> (f64, i64) { in (x_146, x_145) }) <> <comm (\(w_147 : f64, w_148 : i64, w_149 : f64, w_150 : i64) -> (f64, i64) {
      let (max_151 : f64) = max f64 (w_147, w_149)
      let (le_152 : bool) = le f64 (w_149, w_147)
      let (ne_153 : bool) = ne f64 (w_149, w_149)
      let (or_154 : bool) = or bool (le_152, ne_153)
      let (select_155 : i64) = select i64 (or_154, w_148, w_150)
      in (max_151, select_155)
    }) (-inff64, -1i64)> (\() -> () { in () }) (iota_143, index_144)
    in (part_156, part_157)
  }) (iota_138)
  let (red_91 : f64, w_92 : i64) = screma div_137 (\(x_160 : f64, x_161 : i64) -> (f64, i64) { in (x_160, x_161) }) <> <comm (\(w_82 : f64, w_83 : i64, w_84 : f64, w_85 : i64) -> (f64, i64) {
    let (max_86 : f64) = max f64 (w_82, w_84)
    let (le_87 : bool) = le f64 (w_84, w_82)
    let (ne_88 : bool) = ne f64 (w_84, w_84)
    let (or_89 : bool) = or bool (le_87, ne_88)
    let (select_90 : i64) = select i64 (or_89, w_83, w_85)
    in (max_86, select_90)
  }) (-inff64, -1i64)> (\() -> () { in () }) (parts_158, parts_159)
  let (le_93 : bool) = le i64 (0i64, w_92)
  let (map_98 : [n_77]f64) = map n_77 (\(x_94 : i64) -> (f64) {
    let (eq_95 : bool) = eq i64 (x_94, w_92)
    let (select_96 : f64) = select f64 (eq_95, 1f64, 0f64)
    let (select_97 : f64) = select f64 (le_93, select_96, 0f64)
    in (select_97)
  }) (iota_79)
  in (map_98)
}
fn factorisation_gradient entry (n_100 : i64, m_101 : i64, n_102 : i64, n_103 : i64, a_104 : [n_100][m_101]f64, u_105 : [n_102]f64, v_106 : [n_103]f64) -> (result_130 : [n_100]f64) {
  let (eq_107 : bool) = eq i64 (n_102, n_100)
  let () = assert eq_107 "entry point arguments have invalid sizes: n is %d for a and %d for u." (n_100, n_102)
  let (eq_108 : bool) = eq i64 (n_103, m_101)
  let () = assert eq_108 "entry point arguments have invalid sizes: m is %d for a and %d for v." (m_101, n_103)
  let #unchecked (v_109 : [m_101]f64) = reshape v_106 (m_101)
  let #unchecked (iota_110 : [n_100]i64) = iota n_100 0i64 1i64
  let (map_129 : [n_100]f64) = map n_100 (\(x_111 : i64, a_112 : [m_101]f64) -> (f64) {
    let #unchecked (u_113 : f64) = index u_105 [x_111]
    let (tangent_128 : f64) = screma m_101 (\(q_114 : f64, x_115 : f64) -> (f64) {
      let (p_116 : f64) = mul f64 (u_113, q_114)
      let (div_117 : f64) = div f64 (1f64, p_116)
      let (guard_118 : f64) = guard f64 (q_114, div_117, div_117)
      let #linear (mul_119 : f64) = mul f64 (q_114, guard_118)
      let (div_120 : f64) = div f64 (x_115, p_116)
      let (div_121 : f64) = div f64 (div_120, p_116)
      let (guard_122 : f64) = guard f64 (q_114, div_121, div_121)
      let #linear (mul_123 : f64) = mul f64 (q_114, guard_122)
      let (add_124 : f64) = sub f64 (mul_119, mul_123)
      in (add_124)
    }) <> <comm (\(a_125 : f64, b_126 : f64) -> (f64) {
      let (add_127 : f64) = add f64 (a_125, b_126)
      in (add_127)
    }) (0f64)> (\() -> () { in () }) (v_109, a_112)
    in (tangent_128)
  }) (iota_110, a_104)
  in (map_129)
}
