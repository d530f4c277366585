package api

import (
	"slices"
	"strings"
)

// difference is what changed from one list of sorted lines to another: what was removed with "-",
// what was added with "+", each next to what begins as it does. It is empty if they are the same.
func difference(from, to []string) string {
	var changes []string
	only := func(sign string, a, b []string) {
		for _, line := range a {
			if _, found := slices.BinarySearch(b, line); !found {
				changes = append(changes, sign+line+"\n")
			}
		}
	}
	only("- ", from, to)
	only("+ ", to, from)
	slices.SortStableFunc(changes, func(a, b string) int { return strings.Compare(a[2:], b[2:]) })
	return strings.Join(changes, "")
}
