package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr007() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-007", Title: "Position-Zero chunk in an RDMA_MSG call",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A call has its RPC message inline, and also a Read chunk at Position 0, which is where the RPC message " +
			"itself begins.",
		Why: "Two things claim the first octet of the RPC message. Responders differ in what they make of it: some take the " +
			"inline message, some the chunk, some put one before the other.",
		Advice: "Send the call as RDMA_NOMSG if it is meant to travel in the Position-Zero Read chunk. If the chunk is an " +
			"argument, its Position is the offset of the argument's data in the RPC message, and never 0.",
		Reference: "draft-cel-nfsv4-rfc5666-implementation-experience-02, sections 3.4 and 3.4.1; RFC 8166, section 3.5.3",
		Limits: "RFC 8166 describes the Position-Zero Read chunk only as the carrier of a long call, and says nowhere in so " +
			"many words that an RDMA_MSG must not have one.",
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.WithReads, message007)},
		Fires: []rules.Sample{
			{Name: "the data of a WRITE at Position 0", Scene: `
				connect
				call 1 NFS3 WRITE count=3000 data=bytes(3000)
				    read 0x1001 3000 at item 1
				    set read1.position 0
				    want HDR-007 20+4
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "the data of a WRITE at Position 0 in version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE count=3000 data=bytes(3000)
				    read 0x1001 3000 at item 1
				    set read1.position 0
				    want HDR-007 28+4
				error 2 BAD_XDR
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a long call of version 2 with a Read chunk", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE count=3000 data=bytes(3000)
				    long 0x1001 all
				    read 0x1002 3000
				reply 2 count=3000
				disconnect`},
			{Name: "a reply with a Position-Zero Read chunk is HDR-009's", Scene: `
				connect
				call 1 NFS3 GETATTR
				reply 1
				    read 0x2001 100 at none
				    set read1.position 0
				    want HDR-009
				disconnect`},
			{Name: "the data of a WRITE at their Position", Scene: `
				connect
				call 1 NFS3 WRITE count=3000 data=bytes(3000)
				    read 0x1001 3000
				reply 1 count=3000
				disconnect`},
			{Name: "an RDMA_NOMSG call with a Position-Zero Read chunk", Scene: `
				connect
				call 1 NFS3 GETATTR
				    long 0x1001 200
				reply 1
				disconnect`},
		},
	}
}

func message007(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	if len(h.Reads) == 0 || h.Proc != rpcrdma.RDMAMsg || m.Role() != dissect.RoleCall || h.Fault.Bad() {
		return
	}
	length, ok := h.PositionZero()
	if !ok {
		return
	}
	f := say.Message("", m, "")
	if f == nil {
		return
	}
	inline := m.Length - h.Length
	f.Sayf("an %s call has %d octets inline and a Position-Zero Read chunk of %d octets", h.ProcName(), inline, length)
	f.See("octets behind the header", inline, 0).See("position", 0, "above 0 in an "+h.ProcName())
	for i := range h.Reads {
		if h.Reads[i].Position == 0 {
			f.Word(m, h.PositionAt(i))
			break
		}
	}
}
