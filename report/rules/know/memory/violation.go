package memory

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// A Violation is an RDMA operation that no call allows.
type Violation struct {
	// Access has the operation's first packet or segment that offends. Its range is
	// that of the whole operation. RPC and Region are nil.
	dissect.Access
	Verdict Verdict
	// Segment is what the verdict is about, if HasSegment, as it was then.
	Segment    AdvertisedSegment
	HasSegment bool
	// Answered says that an RDMA Read brought bytes.
	Answered bool
	// Doubt is what may be missing from the capture that would explain it, "" if nothing.
	Doubt string

	// known is how many messages that the owner sent before the operation are known to be missing
	// without it: calls that were answered by then, and answers to calls.
	known int64

	due           int64 // count of the connection's frames, 0 until the owner was heard
	refused       bool  // the owner refused it, or an operation near it
	severalRanges bool  // the handle had several ranges at the same time
	message       int64 // the RDMA Write that it is of, over iWARP
}

// doubtLast is why a call that was not captured may allow an operation.
const doubtLast = "a call that advertises the memory may be missing from the capture: no later message from the memory's owner rules that out"

// Report reports a violation; it returns nil if the same was told before.
func (o *Violation) Report(report rules.Reporter, letter string) *rules.Finding {
	f := report.Access(letter, &o.Access, o.Doubt)
	if f != nil && o.HasSegment {
		f.ForXID(o.Segment.XID)
	}
	return f
}

// Span is the memory that a violation touches, for a person.
func (o *Violation) Span() string { return BytesAt(o.Handle, o.Offset, uint64(o.Length)) }

// BytesAt is a range of memory, for a person.
func BytesAt(handle uint32, offset, length uint64) string {
	return fmt.Sprintf("%s bytes at %s of handle %s", Length(length), rules.Offset(offset), rules.Handle(handle))
}

// Length is how many bytes a segment or an RDMA operation has, for a person. A word of 2^31 or more
// is probably what was left of a subtraction that came out negative: that is reported with it.
func Length(n uint64) string {
	if n > math.MaxInt32 && n <= math.MaxUint32 {
		return fmt.Sprintf("%d (%d as a signed number)", n, int32(n))
	}
	return strconv.FormatUint(n, 10)
}

// Verb is what the operation does, for a person.
func (o *Violation) Verb() string {
	if o.Kind == dissect.AccessWrite {
		return "writes"
	}
	return "reads"
}

// frame is the last frame of what offends.
func (o *Violation) frame() flow.Ref { return o.Frames[len(o.Frames)-1] }

// before reports whether something was captured after the operation.
func (o *Violation) before(at flow.Ref, time int64) bool {
	if mine := o.frame(); mine.File == at.File {
		return at.Number > mine.Number
	}
	return time > o.Time
}

// touches reports whether the operation has bytes of its grant.
func (o *Violation) touches() bool {
	g := &o.Segment
	return o.Offset-g.Offset < uint64(g.Length) || g.Offset-o.Offset < uint64(o.Length)
}
