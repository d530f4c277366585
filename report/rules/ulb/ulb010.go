package ulb

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

const (
	// leastACL is the least room for an ACL that is recommended, in bytes
	// (RFC 8267, section 5.2).
	leastACL = 32768
	// cappedACL is a reply to GETACL with as many entries as the program allows, 1024
	// in each of its two lists (NFS_ACL_MAX_ENTRIES), in bytes.
	cappedACL = 24 + 96 + 2*(8+1024*12)
	// mostNetobj is the size in bytes that replies of NLM are estimated with
	// (RFC 8267, section 5.1).
	mostNetobj = 1024
)

func ulb010() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(rules.OtherProgram, rpc010)},
	}
}

func rpc010(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	if r.Call == nil || r.CallHeader() == nil || r.CallHeader().Program == rpc.ProgramNFS {
		return
	}
	h := called(c, r)
	if h == nil {
		return
	}
	switch {
	case h.Program == rpc.ProgramNLM:
		for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
			netobj010(c, report, r, m)
		}
	case h.Program == rpc.ProgramNFSACL && h.Procedure == numbers.ACLProcGetacl && r.Call.Header.HasReply:
		room := r.Call.Header.ChunkLength(r.Call.Header.Reply)
		if room >= cappedACL {
			return
		}
		if f := report.Part("a", r, r.Call, ""); f != nil {
			f.Messagef("the Reply chunk for an ACL has room for %d bytes", room)
			f.See("length of the Reply chunk", room, leastACL)
			f.ReplyChunk(r.Call)
		}
	}
}

// netobj010 looks for an item that is larger than the text of NLM allows, which
// has the limit that implementations have.
func netobj010(c *rules.Conn, report rules.Reporter, r *dissect.RPC, m *dissect.Message) {
	if !c.Sound(m) {
		return
	}
	b := m.Body()
	const reason = "length is above its limit" // the decoder's
	if b == nil || b.Fault.Reason != reason || b.Fault.Offset+xdr.WordSize > len(b.Bytes) {
		return
	}
	// The fault is at the length word, and its bytes are there.
	at := b.Fault.Offset
	length := uint64(binary.BigEndian.Uint32(b.Bytes[at:]))
	if length <= mostNetobj || uint64(at+xdr.WordSize)+length > uint64(len(b.Bytes)) {
		return
	}
	if f := report.Part("b", r, m, ""); f != nil {
		f.Messagef("an item of NLM has %d bytes", length)
		f.See("length", length, "at most 1024")
		f.Body(m, b, at, xdr.WordSize)
	}
}
