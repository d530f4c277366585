package finding

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A SlowCall is a call that took long.
type SlowCall struct {
	// Connection is the number of its connection, 0 while that may have none.
	Connection int
	// Call is its name ("NFS4 READ"), "" if that is not known.
	Call string
	XID  uint32
	// Took is how many nanoseconds it took, Part how many of these went where In says: "in the server".
	Took, Part int64
	In         string
	// Reply is the frame that ends its reply.
	Reply flow.Moment
}

// MostSlow is how many slow calls are kept.
const MostSlow = 5

// SlowCalls are the calls that took longest, MostSlow at most, the slowest first.
type SlowCalls []SlowCall

// Has reports whether a call that took so many nanoseconds is among them, or would be.
func (l SlowCalls) Has(took int64) bool { return len(l) < MostSlow || took > l[len(l)-1].Took }

// Add adds a call if it is among the slowest.
func (l *SlowCalls) Add(x SlowCall) {
	if !l.Has(x.Took) {
		return
	}
	at, _ := slices.BinarySearchFunc(*l, x, func(a, b SlowCall) int {
		return cmp.Or(cmp.Compare(b.Took, a.Took), cmp.Compare(a.Connection, b.Connection), cmp.Compare(a.XID, b.XID), a.Reply.Ref.Compare(b.Reply.Ref))
	})
	if *l = slices.Insert(*l, at, x); len(*l) > MostSlow {
		*l = (*l)[:MostSlow]
	}
}
