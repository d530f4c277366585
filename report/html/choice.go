package html

import "github.com/rdmacap/rdmacap/report/finding"

// A choice says which RPCs and findings have evidence: the first of each kind. The Page has one
// that decides, and each part one by which it knows what cannot be chosen, and so need not be
// made.
type choice struct {
	kinds map[kindOf]int
	// beyond is how many there were of a kind that there is no room to count.
	beyond  int
	sampled int            // connections that had RPCs
	shown   map[caseOf]int // findings
}

// sampled is what is known of a connection.
type sampled struct {
	rpcs int
	few  bool // there were many connections before: fewer are kept
}

func newChoice(beyond int) choice {
	return choice{kinds: make(map[kindOf]int), beyond: beyond, shown: make(map[caseOf]int)}
}

// informative reports whether an RPC that no finding is new of tells something; anyway says that all
// do, since there is so much room.
func (x *choice) informative(c *sampled, kind kindOf, anyway bool) bool {
	if c.rpcs == 0 {
		x.sampled++
		c.few = x.sampled > firstConnections
	}
	n, known := x.kinds[kind]
	room := len(x.kinds) < mostKindsKept
	if !known && !room {
		n = x.beyond
	}
	first, alike := howMany(c.few, kind.slow)
	tells := c.rpcs < first || n < alike || anyway
	c.rpcs++
	if known || room {
		x.kinds[kind] = n + 1
	}
	return tells
}

// repeats reports whether there were so many findings of the case of a rule that one
// more has no evidence, and counts it.
func (x *choice) repeats(f *finding.Finding) bool {
	of := caseOf{f.Rule, f.Letter}
	x.shown[of]++
	return x.shown[of] > ofARule
}
