package ulb

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

const (
	// leastACL is the least room for an ACL that is recommended, in octets
	// (RFC 8267, section 5.2).
	leastACL = 32768
	// cappedACL is a reply to GETACL with as many entries as the program allows, 1024
	// in each of its two lists (NFS_ACL_MAX_ENTRIES), in octets.
	cappedACL = 24 + 96 + 2*(8+1024*12)
	// mostNetobj is the size in octets that replies of NLM are estimated with
	// (RFC 8267, section 5.1).
	mostNetobj = 1024
)

func ulb010() *rules.Rule {
	return &rules.Rule{
		ID: "ULB-010", Title: "Room for replies of auxiliary programs",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "The Reply chunk for an ACL is smaller than the binding recommends, or an item of NLM is larger than replies are estimated " +
			"with.",
		Why: "Neither has a limit in the protocol. A reply that does not fit is answered with ERR_CHUNK, and the application sees an input or " +
			"output error.",
		Advice: "Offer at least 32768 octets for GETACL, up to the read size of the mount; with locks, find out whose handles are that large.",
		Reference: "RFC 8267, sections 5.1 and 5.2; draft-dnoveck-nfsv4-nfsulb-01, " +
			"sections 4.1.1 and 4.1.2",
		Gates: rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "Silent if the chunk holds 1024 entries in both lists, 24712 octets, as that of Linux does: such a client takes no more. " +
			"What the size led to is HDR-014 and ULB-011.",
		Cases: []rules.Case{
			{Letter: "a", Title: "a Reply chunk for GETACL of less than 32768 octets", Severity: rules.Note},
			{Letter: "b", Title: "an item of NLM of more than 1024 octets", Severity: rules.Note},
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.OtherProgram, rpc010)},
		Fires: []rules.Sample{
			{Name: "room for a page of ACL", Scene: `
				connect
				call 1 NFSACL3 GETACL
				    replychunk 0x801 4096
				    want ULB-010a replychunk
				reply 1
				disconnect`},
			{Name: "a lock owner of 2000 octets", Scene: `
				connect
				call 1 NLM4 TEST oh=bytes(2000)
				    want ULB-010b
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "1024 entries in both lists, as Linux offers", Scene: `
				connect
				call 1 NFSACL3 GETACL
				    replychunk 0x801 28932
				reply 1
				disconnect`},
			{Name: "a lock owner of 1024 octets", Scene: `
				connect
				call 1 NLM4 TEST oh=bytes(1024)
				reply 1
				disconnect`},
		},
	}
}

func rpc010(c *rules.Conn, r *dissect.RPC, say rules.Say) {
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
			netobj010(c, say, r, m)
		}
	case h.Program == rpc.ProgramNFSACL && h.Procedure == values.ProcGetACL && r.Call.Header.HasReply:
		room := r.Call.Header.ChunkLength(r.Call.Header.Reply)
		if room >= cappedACL {
			return
		}
		if f := say.Part("a", r, r.Call, ""); f != nil {
			f.Sayf("the Reply chunk for an ACL has room for %d octets", room)
			f.See("length of the Reply chunk", room, leastACL)
			f.ReplyChunk(r.Call)
		}
	}
}

// netobj010 looks for an item that is larger than the text of NLM allows, which
// has the limit that implementations have.
func netobj010(c *rules.Conn, say rules.Say, r *dissect.RPC, m *dissect.Message) {
	if !c.Sound(m) {
		return
	}
	b := m.Body()
	const reason = "length is above its limit" // the decoder's
	if b == nil || b.Fault.Reason != reason || b.Fault.Offset+xdr.WordSize > len(b.Octets) {
		return
	}
	// The fault is at the length word, and its octets are there.
	at := b.Fault.Offset
	length := uint64(binary.BigEndian.Uint32(b.Octets[at:]))
	if length <= mostNetobj || uint64(at+xdr.WordSize)+length > uint64(len(b.Octets)) {
		return
	}
	if f := say.Part("b", r, m, ""); f != nil {
		f.Sayf("an item of NLM has %d octets", length)
		f.See("length", length, "at most 1024")
		f.Body(m, b, at, xdr.WordSize)
	}
}
