package html

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/page"
)

// A numbering has the keys of findings, by which evidence names them while the capture goes by, and what it
// takes to say their numbers in the page once their order is known.
type numbering struct {
	of    map[*finding.Finding]int
	last  int
	items map[*finding.Finding][]int
	homes []home
}

// A home is where the finding of a key stands in the page. There are no more than items of evidence.
type home struct {
	key  int
	slot *slot
	nth  int // of the finding at the root and those that it explains, a cause before its effects
}

// A slot is where findings that say the same stand, with what they explain.
type slot struct {
	first int   // number of the one at the root, 0 if it had no room
	shown []int // of each, how many numbers after that
}

func newNumbering() numbering {
	return numbering{of: make(map[*finding.Finding]int), items: make(map[*finding.Finding][]int)}
}

// key is that of a finding.
func (x *numbering) key(f *finding.Finding) int {
	n := x.of[f]
	if n == 0 {
		x.last++
		n = x.last
		x.of[f] = n
	}
	return n
}

// addEvidence notes an item of evidence.
func (x *numbering) addEvidence(f *finding.Finding, item int) { x.items[f] = append(x.items[f], item) }

// place notes where a finding at the root, and what it explains, will stand, nil for nowhere. What else is known
// of them is forgotten.
func (x *numbering) place(root *finding.Finding, s *slot) {
	nth := 0
	finding.Walk([]*finding.Finding{root}, func(f *finding.Finding) {
		if key := x.of[f]; key > 0 && s != nil && len(x.items[f]) > 0 {
			x.homes = append(x.homes, home{key, s, nth})
		}
		nth++
		delete(x.items, f)
		delete(x.of, f)
	})
}

// table says which numbers in the page the findings have that evidence is for.
func (x *numbering) table() (list []page.FindingNumber) {
	for _, h := range x.homes {
		if h.slot.first > 0 && h.nth < len(h.slot.shown) {
			list = append(list, page.FindingNumber{Key: h.key, Number: h.slot.first + h.slot.shown[h.nth]})
		}
	}
	slices.SortFunc(list, func(a, b page.FindingNumber) int { return cmp.Compare(a.Key, b.Key) })
	return list
}
