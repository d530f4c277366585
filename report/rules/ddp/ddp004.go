package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp004() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-004", Title: "Reduction of what RPCSEC_GSS protects",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A call whose arguments and results are covered by a checksum or encrypted (the integrity and privacy " +
			"services) uses chunks for single items, or a call moved its credential, its verifier or a message that " +
			"sets up or ends a security context into a chunk.",
		Why: "The checksum or cipher was made over octets which are not in the stream then, so that it cannot be " +
			"verified. What RPCSEC_GSS itself exchanges has no eligible items.",
		Advice: "With krb5i and krb5p the requester must convey large calls whole, by a Position-Zero Read chunk, and " +
			"provide a Reply chunk for large replies; with krb5 nothing changes.",
		Reference: "RFC 8166, section 8.2.2; RFC 2203, section 5.3",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut)},
		Limits: "A Write list that is offered and comes back unused is only a warning. Silent where the credential of a " +
			"long call was not captured.",
		Cases: []rules.Case{
			{Letter: "a", Title: "arguments or results under integrity or privacy", Severity: rules.Error},
			{Letter: "b", Title: "a credential, a verifier or a control message", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnRPC(rules.WithRPCSECGSS, rpc004)},
		Fires: []rules.Sample{
			{Name: "a WRITE under krb5i with a Read chunk", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    cred gss service=integrity seq=7 handle="ctx"
				    read 0x1001 3000
				    want DDP-004a read1.position
				reply 1 GARBAGE_ARGS
				disconnect`},
			{Name: "a READ under krb5p offers a Write chunk that is not used", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=3000
				    cred gss service=privacy seq=7 handle="ctx"
				    write 0x2001 3000
				    want DDP-004a write1.1
				reply 1
				    unused
				disconnect`},
			{Name: "an INIT with a Read chunk", Scene: `
				connect
				call 1 NFS3 NULL raw=bytes(400)
				    cred gss service=none procedure=init
				    read 0x1001 200 at 160+200
				    want DDP-004b read1.position
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "the body of a credential is in a Read chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"}]
				    cred gss service=none seq=7 handle="ctx1"
				    read 0x1001 24 at 32+24
				    want DDP-004b read1.position
				    want RPC-006b
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a WRITE of version 2 under krb5i with a Read chunk", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    cred gss service=integrity seq=7 handle="ctx"
				    read 0x1001 3000
				    want DDP-004a read1.position
				reply 2 GARBAGE_ARGS
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "krb5 protects the header only", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    cred gss service=none seq=7 handle="ctx"
				    read 0x1001 3000
				reply 1 count=3000
				disconnect`},
			{Name: "a long call under krb5p", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3000 data=bytes(3000)
				    cred gss service=privacy seq=7 handle="ctx"
				    long 0x1001 8192
				reply 1 count=3000
				disconnect`},
		},
	}
}

func rpc004(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	m := r.Call
	if m == nil || !m.HasRPC || m.CallHeader.Cred.Flavor != rpc.RPCSECGSS || !c.Sound(m) {
		return
	}
	h := &m.Header
	read := firstReduced(h)
	write, room := firstRoomy(h)
	if read < 0 && write < 0 {
		return
	}
	letter := gssCase(&m.CallHeader, h, read)
	if letter == "" {
		return
	}
	as := say
	if read < 0 && letter == "a" && unused(c, r.Reply) {
		as = say.As(rules.Warning)
	}
	f := as.Part(letter, r, m, "")
	if f == nil {
		return
	}
	cred := &m.CallHeader.Cred.GSS
	f.See("gss_proc", cred.Proc.String(), nil).See("service", cred.Service.String(), nil)
	if read >= 0 {
		e := &h.Reads[read]
		f.Sayf("the %s reduced %d octets at Position %d of a call under RPCSEC_GSS", c.Sender(m.From), h.ReadLength(e.Position), e.Position)
		f.See("position", e.Position, 0)
		markPosition(f, m, e.Position)
		return
	}
	f.Sayf("the %s offers a Write chunk of %d octets in a call under RPCSEC_GSS", c.Sender(m.From), room)
	f.See("octets offered", room, 0)
	markWrite(f, m, write)
}

// gssCase is the letter of what a call under RPCSEC_GSS did by reducing, "" if it
// may.
func gssCase(call *rpc.Call, h *rpcrdma.Header, read int) string {
	// The body of the credential begins behind its flavor and length; without it
	// the header cannot be decoded.
	const credential = 32
	switch {
	case read >= 0 && h.Reads[read].Position == credential:
		return "b"
	case call.Fault.Bad():
		return ""
	case call.Control() || read >= 0 && int64(h.Reads[read].Position) < int64(call.Length):
		return "b"
	case call.Protected():
		return "a"
	}
	return ""
}

// firstReduced is the index in the Read list of the first segment of a chunk that
// is not the Position-Zero one, -1 if there is none.
func firstReduced(h *rpcrdma.Header) int {
	for i := range h.Reads {
		if h.Reads[i].Position != 0 {
			return i
		}
	}
	return -1
}

// firstRoomy is the first Write chunk with room for anything, -1 if there is none,
// and the octets that it has.
func firstRoomy(h *rpcrdma.Header) (chunk int, room uint64) {
	for i, w := range h.Writes {
		if room = h.ChunkLength(w); room > 0 {
			return i, room
		}
	}
	return -1, 0
}

// unused reports whether a reply returned all Write chunks without a length.
func unused(c *rules.Conn, m *dissect.Message) bool {
	if !c.Sound(m) || m.Header.Proc == rpcrdma.RDMAError {
		return false
	}
	i, _ := firstRoomy(&m.Header)
	return i < 0
}
