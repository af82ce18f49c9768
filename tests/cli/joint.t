$ # Calls that are executed again from a copy of what they overwrite.
$ cp $DAGAZ_ROOT/tests/cli/joint.c .
$ for j in "" "--joint step" "--joint move" "--joint step --joint move"; do dagaz adjoint joint.c --head "wave(wave u v)/(u v h)" $j --context && gcc -O0 -w -fsanitize=address,undefined -o check joint_check.c joint.c joint_d.c joint_b.c -lm && ./check n=7 steps=5 --range=0.1:0.6 | tail -1; done
they agree
they agree
they agree
they agree
$ for j in "" "--joint step" "--joint move"; do dagaz report joint.c -e "wave(wave u v)/(u v h)" $j | sed -n "s/^    wave_b .*  /wave_b: /p"; done
wave_b: 24*n*steps + 24*steps*t8 + 56*steps
wave_b: 16*n*steps
wave_b: 24*n*steps + 24*steps*t8 + 56*steps
$ dagaz adjoint joint.c --head "wave(wave u v)/(u v h)" --joint none
Error:
No function `none` is defined.
[2]
$ dagaz adjoint joint.c --head "jump(jump u)/(u)" --length "u[n]" --joint leap
Error at joint.c:22:31-46:
How much memory `leap` overwrites is not known, so it cannot be copied for --joint.
   22 |   for (int i = 0; i < n; i++) leap(at + i, u);
      |                               ^^^^^^^^^^^^^^^ [c-length]
[3]
