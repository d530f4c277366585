package effect

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// A Count is how many messages have one Verdict.
type Count struct {
	Verdict
	// Calls counts the messages, of which nearly all are calls.
	Calls int
	// Bytes are the bytes of their Read chunks.
	Bytes uint64
}

// A Tally counts messages by what they may do, in the order in which that is first met.
type Tally []Count

// Add counts a message; the call that it makes is nil if it makes none.
func (t *Tally) Add(v Verdict, c *script.Call) {
	i := slices.IndexFunc(*t, func(x Count) bool { return x.Verdict == v })
	if i < 0 {
		i = len(*t)
		*t = append(*t, Count{Verdict: v})
	}
	n := &(*t)[i]
	n.Calls++
	if c == nil {
		return
	}
	for j := range c.Segments {
		if g := &c.Segments[j]; g.Purpose == rpcrdma.ForRead {
			n.Bytes += uint64(g.Length)
		}
	}
}

// Of are the counts of an effect.
func (t Tally) Of(e Effect) (list []Count) {
	for _, n := range t {
		if n.Effect == e {
			list = append(list, n)
		}
	}
	return list
}

// Changes reports whether a message changes files, or takes state away from the captured
// client, or may.
func (t Tally) Changes() bool { return len(t.Of(Changes)) > 0 }

// Heading is what stands above a list of what has an effect.
func (e Effect) Heading() string {
	return [...]string{
		"these would change nothing but access times:",
		"these would change state on the server (opens, locks, sessions):",
		"these would or may change files on the server, or state of the captured client there:",
	}[e]
}
