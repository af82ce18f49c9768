# checkpoints.awk -v seed=N: a program of `dagaz cgen` with checkpoints at random: before one in four
# statements, of which a third are of that statement alone and a third may end later in its block.
# Arrays have the length that random_main.c gives them.
function starts(s) { return s ~ /^ +((for|while|if) \(|do \{|[a-z][a-z0-9]*(->|\.|\[|\(| [-+*]?= |\+\+))/ && s !~ /^ +return|free|alloc/ }
function depth(s) { match(s, /^ */); return RLENGTH }
function ending(i,  d) {  # the last line of the statement at line i
  d = depth(line[i])
  if (line[i] !~ /\{$/) return line[i] ~ /;$/ ? i : 0
  for (i++; i <= NR; i++) if (depth(line[i]) == d && line[i] !~ /else/) return i
  return 0
}
{ gsub(/double \*x, double \*y/, "double x[5], double y[5]"); line[NR] = $0 }
END {
  srand(seed)
  for (i = 1; i <= NR; i++) {
    end = starts(line[i]) ? ending(i) : 0
    if (!end || rand() > 0.25) continue
    kind = int(3*rand())
    if (kind == 0) { before[i] = "#pragma dagaz checkpoint\n" before[i]; continue }
    while (kind == 2 && end < NR && depth(line[end + 1]) == depth(line[i]) &&
           starts(line[end + 1]) && ending(end + 1) && rand() < 0.6) end = ending(end + 1)
    before[i] = before[i] "/* $AD CHECKPOINT-START */\n"
    after[end] = "/* $AD CHECKPOINT-END */\n" after[end]
  }
  for (i = 1; i <= NR; i++) printf "%s%s\n%s", before[i], line[i], after[i]
}
