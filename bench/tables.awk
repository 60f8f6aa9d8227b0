# Medians and ratios of the rounds of kernel_bench, as Markdown. Input: round,"name",CSV of the benchmark.
# SPDX-License-Identifier: Apache-2.0

BEGIN {
  FS = ","
  while ((getline line <instructions) > 0) {
    split(line, part, " ")
    count[part[1]] = part[2]
  }
}

# round, name, iterations, real and cpu time, unit, bytes, items, label, two of errors, then our counters
{
  gsub(/"/, "", $2)
  split($2, path, "/")
  name = path[1] "/" path[2] "/" path[3] "/" path[4]
  speed[name, $1] = $12
  event[name, $1] = $13 * 1e9
}

function median(values, n,  i, j, swap) {
  for (i = 2; i <= n; ++i)
    for (j = i; j > 1 && values[j - 1] > values[j]; --j) {
      swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap
    }
  return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}

function median_of(table, name,  r, values) {
  for (r = 1; r <= rounds; ++r) values[r] = table[name, r]
  return median(values, rounds)
}

# The median over rounds of b's time by a's, within each round; sets low and high.
function ratio_of(a, b,  r, values, middle) {
  for (r = 1; r <= rounds; ++r) values[r] = speed[a, r] / speed[b, r]
  middle = median(values, rounds)
  low = values[1]
  high = values[rounds]
  return middle
}

END {
  print ""
  print "| activations | scripts | judged | fibers: executions/s | ns/event | state machines: executions/s | ns/event | ratio (least–most) |"
  print "|---|---|---|--:|--:|--:|--:|--:|"
  split("92 288 542", sizes, " ")
  split("native lua", modes, " ")
  split("unjudged judged", judging, " ")
  for (s = 1; s <= 3; ++s)
    for (m = 1; m <= 2; ++m)
      for (j = 1; j <= 2; ++j) {
        tail = modes[m] "/" judging[j] "/" sizes[s]
        fiber = "fiber/" tail
        machine = "machine/" tail
        ratio = ratio_of(fiber, machine)
        printf "| %s | %s | %s | %d | %.0f | %d | %.0f | **%.2f** (%.2f–%.2f) |\n", sizes[s],
               modes[m] == "lua" ? "Lua" : "native", j == 2 ? "yes" : "no",
               median_of(speed, fiber), median_of(event, fiber), median_of(speed, machine),
               median_of(event, machine), ratio, low, high
      }
  lua = ratio_of("fiber/lua/judged/288", "fiber/native/judged/288")
  printf "\nWith real Lua instead of native scripts: %.2f of the speed (288, judged; %.2f–%.2f).\n", lua, low, high
  judged = ratio_of("fiber/lua/judged/288", "fiber/lua/unjudged/288")
  printf "Judged by all properties: %.2f of the speed (288, Lua; %.2f–%.2f).\n", judged, low, high
  small = median_of(event, "fiber/lua/judged/92")
  large = median_of(event, "fiber/lua/judged/542")
  printf "From 92 to 542 activations, ns/event grow from %.0f to %.0f: ×%.2f.\n", small, large, large / small
  print "\n| instructions per execution, 288 | fibers | state machines | ratio |"
  print "|---|--:|--:|--:|"
  for (m = 1; m <= 2; ++m)
    for (j = 1; j <= 2; ++j) {
      tail = modes[m] "/" judging[j] "/288"
      f = count["fiber/" tail]
      b = count["machine/" tail]
      printf "| %s scripts, %s | %d | %d | %.2f |\n", modes[m] == "lua" ? "Lua" : "native",
             judging[j], f, b, f ? b / f : 0
    }
  print ""
}
