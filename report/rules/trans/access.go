package trans

import (
	"fmt"
	"math"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/memory"
)

// number is a number, for a person.
func number(n int64) string { return strconv.FormatInt(n, 10) }

// memoryUse is memory of the peer that a refused operation names.
type memoryUse struct {
	from   flow.End // who issued the operation
	handle uint32
	offset uint64
	length uint64
	write  bool
}

// check is what the calls of a connection say of a use of memory, as a relative
// clause ("that ..."); "" where there are no calls of RPC-over-RDMA.
func (u *memoryUse) check(c *rules.Conn, b *memory.Ledger) (memory.Verdict, *memory.AdvertisedSegment, string) {
	if !c.RPCRDMA() {
		return memory.Never, nil, ""
	}
	v, g := b.Find(u.from, u.handle, u.offset, u.length, u.write)
	switch v {
	case memory.Fits:
		return v, g, fmt.Sprintf("that the call 0x%08x in frame %s advertised; the call has no reply so far", g.XID, c.Capture.FrameName(g.Call))
	case memory.Outside:
		return v, g, fmt.Sprintf("of which the call 0x%08x in frame %s advertised %d bytes from offset 0x%x", g.XID, c.Capture.FrameName(g.Call), g.Length, g.Offset)
	case memory.Direction:
		return v, g, fmt.Sprintf("that the call 0x%08x in frame %s advertised for the other direction", g.XID, c.Capture.FrameName(g.Call))
	case memory.OwnMemory:
		return v, g, "that belongs to the end that used it"
	case memory.TooLate:
		return v, g, fmt.Sprintf("that the call 0x%08x in frame %s advertised, until %s in frame %s", g.XID, c.Capture.FrameName(g.Call), g.Over, c.Capture.FrameName(g.By))
	}
	return v, nil, "that no call is known to have advertised"
}

// show puts a use of memory, and what advertised it, into a finding.
func (u *memoryUse) show(f *rules.Finding, g *memory.AdvertisedSegment) {
	f.See("handle", rules.Handle(u.handle), nil).See("offset", rules.Offset(u.offset), nil).See("length", u.length, nil)
	if u.length > math.MaxInt32 && u.length <= math.MaxUint32 {
		f.See("length as a signed number", int64(int32(u.length)), nil)
	}
	if g != nil {
		f.ForXID(g.XID)
		f.With(g.Call)
	}
}
