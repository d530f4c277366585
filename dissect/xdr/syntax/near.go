package syntax

// DidYouMean asks whether a name was meant to be one of those, ": did you mean X?"; it is
// "" if none of them is near.
func DidYouMean(name string, names []string) string {
	if near := nearest(name, names); near != "" {
		return ": did you mean " + near + "?"
	}
	return ""
}

// nearest is the name that name most likely was meant to be, "" if none is
// near: at most a third of its letters may differ.
func nearest(name string, names []string) string {
	best, found := len(name)/3+1, ""
	for _, n := range names {
		if d := distance(name, n, best); d < best {
			best, found = d, n
		}
	}
	return found
}

// distance is the number of letters to change, add or take away to make b of
// a; limit or more if it is not below limit. Upper and lower case are the same.
func distance(a, b string, limit int) int {
	if len(a) > 64 || len(b) > 64 || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var row [65]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if lower(a[i]) != lower(b[j]) {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}
