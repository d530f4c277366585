package thresh

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// tooLong is the limit that a Send exceeds; not ok if it does not, or nothing is
// known of the limit. No limit is below the default.
func tooLong(c *rules.Conn, m *dissect.Message) (l setup.Limit, ok bool) {
	if !aboveDefault(m) {
		return l, false
	}
	l, ok = setup.LimitOf(c, m.From)
	return l, ok && m.Length > l.Bytes
}

// aboveDefault reports whether a message is one whose Send is longer than the
// default threshold.
func aboveDefault(m *dissect.Message) bool {
	return m.Length > rpcrdma.DefaultThreshold && !(m.Whole && m.Header.Fault.Bad()) &&
		m.Header.Length >= rpcrdma.FixedSize && m.Header.Version == rpcrdma.Version1
}

// reverse reports whether a message belongs to a call of the server (RFC 8167).
func reverse(c *rules.Conn, m *dissect.Message) bool {
	role := m.Role()
	return c.RolesKnown && role != dissect.RoleNone && (role == dissect.RoleCall) != c.ToServer(m.From)
}

// kind names a message for a person.
func kind(m *dissect.Message) string {
	switch {
	case m.Role() == dissect.RoleCall:
		return "call"
	case m.Header.Proc == rpcrdma.RDMAError:
		return "RDMA_ERROR"
	case m.Role() == dissect.RoleAnswer:
		return "reply"
	}
	return "message"
}

// readable reports whether a message may be judged by its chunks.
func readable(c *rules.Conn, m *dissect.Message) bool { return c.Sound(m) && m.RPCLength > 0 }

// shortCall is how long the Send of a Long Call would be if its RPC message were in
// it.
func shortCall(h *rpcrdma.Header) uint64 {
	n := uint64(h.Length)
	for i := range h.Reads {
		if h.Reads[i].Position == 0 {
			n += uint64(h.Reads[i].Length) - rpcrdma.ReadSize
		}
	}
	return n
}

// shortReply is the same for a Long Reply. The word for the Reply chunk stays, and
// says that there is none.
func shortReply(h *rpcrdma.Header) uint64 {
	return uint64(h.Length-xdr.WordSize-h.Reply.Count*rpcrdma.SegmentSize) + h.ChunkLength(h.Reply)
}

// writeList is how many bytes the Write list of a header has, its end left out.
func writeList(h *rpcrdma.Header) uint64 { return uint64(h.WriteAt(len(h.Writes)) - h.WriteAt(0)) }

// pastExcess is what is to be remembered of a message that is longer than a limit.
func pastExcess(m *dissect.Message, limit int) rules.PastMessage {
	return rules.PastPart(m, limit, m.Length-limit)
}
