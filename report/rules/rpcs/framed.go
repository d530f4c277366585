package rpcs

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

// framed012 finds an answer whose RPC message stands in the frame of another answer: after a
// transport header of its own, or after the record mark of a stream.
func framed012(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if c.Cut(m) || m.Header.Fault.Bad() || m.Header.Proc != rpcrdma.RDMAMsg || m.Role() == dissect.RoleCall {
		return
	}
	what, length := framing(m.Inline(), m.Header.XID)
	if length == 0 {
		return
	}
	f := report.Message("", m, "")
	if f == nil {
		return
	}
	f.Messagef("the RPC message in the %s's Send does not begin with the reply: %s precedes it", c.Sender(m.From), what)
	f.See("bytes before the reply", length, 0).Word(m, m.Header.Length)
}

// framing says what stands before the reply with an XID in b, and how many bytes that has, 0 if
// nothing is known to.
func framing(b []byte, xid uint32) (what string, length int) {
	if mark, ok := xdr.WordAt(b, 0); ok && isReply(b, xdr.WordSize, xid) && mark == lastFragment|uint32(len(b)-xdr.WordSize) {
		return "the record mark of RPC over TCP (RFC 5531, section 11)", xdr.WordSize
	}
	var h rpcrdma.Header
	if h.Decode(b); !h.Fault.Bad() && h.Proc == rpcrdma.RDMAMsg && isReply(b, h.Length, xid) {
		return "another transport header", h.Length
	}
	return "", 0
}

// lastFragment marks the only fragment of a record (RFC 5531, section 11).
const (
	lastFragment = 1 << 31
	msgReply     = 1 // msg_type (RFC 5531, section 9)
)

// isReply reports whether a reply with an XID begins at an offset in b.
func isReply(b []byte, at int, xid uint32) bool {
	x, ok := xdr.WordAt(b, at)
	kind, has := xdr.WordAt(b, at+xdr.WordSize)
	return ok && has && x == xid && kind == msgReply
}
