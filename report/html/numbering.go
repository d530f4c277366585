package html

import "github.com/rdmacap/rdmacap/report/finding"

// A numbering has the numbers of findings in the page, and of the evidence of each.
type numbering struct {
	of    map[*finding.Finding]int
	last  int
	items map[*finding.Finding][]int
}

func newNumbering() numbering {
	return numbering{of: make(map[*finding.Finding]int), items: make(map[*finding.Finding][]int)}
}

// number is that of a finding.
func (x *numbering) number(f *finding.Finding) int {
	n := x.of[f]
	if n == 0 {
		x.last++
		n = x.last
		x.of[f] = n
	}
	return n
}

// add notes an item of evidence.
func (x *numbering) add(f *finding.Finding, item int) { x.items[f] = append(x.items[f], item) }

// forget drops what is known of a finding that is in the page.
func (x *numbering) forget(f *finding.Finding) {
	delete(x.items, f)
	delete(x.of, f)
}
