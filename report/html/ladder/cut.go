package ladder

import (
	"cmp"
	"slices"
)

// keptPauses is how many pauses, the longest, are in a ladder however long that is: where the time went
// is what it is looked at for.
const keptPauses = 12

// cut leaves out lines of a ladder that has more than most. The beginning and the end tell most, what
// findings are about, and the lines on both sides of a pause.
func cut(lines []line, most int) []line {
	if len(lines) <= most {
		return lines
	}
	kept, left := make([]bool, len(lines)), most
	keep := func(i int) {
		if !kept[i] && left > 0 {
			kept[i] = true
			left--
		}
	}
	for _, i := range longestPauses(lines) {
		keep(i - 1)
		keep(i)
	}
	for i := range lines {
		if lines[i].bad != "" && left > most/2 {
			keep(i)
		}
	}
	front := left * 3 / 4
	for i := 0; i < len(lines) && front > 0; i++ {
		if !kept[i] {
			keep(i)
			front--
		}
	}
	for i := len(lines) - 1; i >= 0 && left > 0; i-- {
		keep(i)
	}
	out, hidden := lines[:0], 0
	for i, x := range lines {
		if !kept[i] {
			hidden += x.frames + x.hidden
			continue
		}
		x.hidden += hidden
		hidden = 0
		out = append(out, x)
	}
	return out
}

// longestPauses are the indexes of the lines that come so long after the one before that these are no
// run, the longest first.
func longestPauses(lines []line) (list []int) {
	gap := func(i int) int64 { return lines[i].first.time - lines[i-1].last.time }
	for i := 1; i < len(lines); i++ {
		if gap(i) >= foldPause {
			list = append(list, i)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(gap(b), gap(a)) })
	return list[:min(len(list), keptPauses)]
}
