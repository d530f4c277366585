package types

import (
	"math"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// Names are the names of an Enum's values.
type Names struct {
	// Type is the name of the Enum.
	Type string
	// Members are in the order of the text.
	Members []Member
	// Prefix is left out of names in summaries (@prefix).
	Prefix string
	// OK is the member that means success, -1 without a @status note.
	OK int

	byValue []valueName // in ascending order, the first name of each
}

// A valueName is what is looked up of a Member: by most operations of most RPCs, so
// it is small.
type valueName struct {
	value int32
	rank  uint8
	name  string
}

// A Member is one name of an Enum and its value.
type Member struct {
	Name  string
	Value int32
	// Rank is that of the operation which the value selects (@rank), MaxRank
	// without a note.
	Rank uint8
	// Retry says of a status that the caller is asked to wait and send the call
	// again (@retry); Unsequenced that a call which fails so has not used up its
	// seqid (@unsequenced).
	Retry, Unsequenced bool
	Doc                string
	Place              syntax.Place
}

// Name is the name of a value, "" if it has none. Of two names for one value it
// is the first. A negative value may come as 32 bits or extended to 64.
func (n *Names) Name(v uint64) string {
	if found := n.findValue(v); found != nil {
		return found.name
	}
	return ""
}

// Rank is the rank of a value, MaxRank if it has no name, and 0 if it is no number of an operation at
// all: those are given in order, so that a large one is something else, read where an operation
// should stand.
func (n *Names) Rank(v uint64) uint8 {
	if found := n.findValue(v); found != nil {
		return found.rank
	}
	if v > maxOperation {
		return 0
	}
	return MaxRank
}

// maxOperation is more than operations will have as their number; NFS version 4.2 ends below 80.
const maxOperation = math.MaxUint16

// MaxRank is the rank of an operation of which no note says one.
const MaxRank = math.MaxUint8

// findValue is what is known of a value, nil if it has no name.
func (n *Names) findValue(v uint64) *valueName {
	if uint64(int32(v)) != v && uint64(uint32(v)) != v {
		return nil
	}
	list, want := n.byValue, int32(v)
	lo, hi := 0, len(list)
	if hi > 0 {
		// Most enums count up from their first value, at least at their beginning.
		if at := int64(want) - int64(list[0].value); at >= 0 && at < int64(hi) && list[at].value == want {
			return &list[at]
		}
	}
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); list[mid].value < want {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(list) && list[lo].value == want {
		return &list[lo]
	}
	return nil
}

// Value is the value of a name, with or without the Prefix; a negative value is
// extended to 64 bits.
func (n *Names) Value(name string) (v uint64, ok bool) {
	for i := range n.Members {
		if m := &n.Members[i]; m.Name == name || n.Prefix != "" && m.Name == n.Prefix+name {
			return uint64(m.Value), true
		}
	}
	return 0, false
}

// Member is the first member with a value, nil if none has it. Unlike Name it searches.
func (n *Names) Member(v uint64) *Member {
	for i := range n.Members {
		if uint32(n.Members[i].Value) == uint32(v) {
			return &n.Members[i]
		}
	}
	return nil
}
