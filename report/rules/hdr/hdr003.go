package hdr

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr003() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-003", Title: "Transport header XDR illegal",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The transport header cannot be decoded as XDR: its procedure is not defined, a word that says whether an " +
			"item follows is neither 0 nor 1, a list or a segment count runs past the Send, or words of lists are left over.",
		Why: "A responder has to answer such a call with ERR_CHUNK, or RDMA2_ERR_BAD_XDR, and a requester drops such a reply. Either way " +
			"the RPC fails for good: sent again, it fails the same way.",
		Advice: "Compare the sender's encoder with the XDR of the three lists. The usual mistakes are a Read list written as " +
			"a counted array, a Write list written flat, without a count for each chunk, and a word that ends a list " +
			"left out or written twice.",
		Reference: "RFC 8166, sections 4.1.2, 4.3 and 4.5.2; draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut).In("cde")},
		Limits: "Only the first fault of a header is told, and no other rule judges its chunks. Octets behind an RDMA_NOMSG or " +
			"RDMA_ERROR are case e where they go on with a word 0 or 1, as a list or an error's range would; otherwise they are " +
			"HDR-005's. In version 2 cases b to d are judged: procedures, directions, errors and what stands behind a header are " +
			"V2-007's, V2-001's, V2-006's and V2-004's.",
		Cases: []rules.Case{
			{Letter: "a", Title: "rdma_proc is not defined", Severity: rules.Error},
			{Letter: "b", Title: "an optional-data word is neither 0 nor 1", Severity: rules.Error},
			{Letter: "c", Title: "a list or array runs past the message", Severity: rules.Error},
			{Letter: "d", Title: "a segment count is more than the message can hold", Severity: rules.Error},
			{Letter: "e", Title: "words of the header are left over", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.Malformed|rules.WithoutInline|rules.OtherProcedure, message003)},
		Fires: []rules.Sample{
			{Name: "procedure 7", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc 7
				    want HDR-003a 12+4
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a Reply chunk of version 2 that is neither there nor not", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    set 32 7
				    want HDR-003b 32+4
				error 2 BAD_XDR
				disconnect`},
			{Name: "an RDMA2_OPTIONAL that ends in the middle", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				optional 2 client INIT_XCHAR [RBSIZ=8192]
				    set optinfo.length 400
				    want HDR-003c
				error 2 BAD_XDR
				disconnect`},
			{Name: "a Write chunk of 4096 segments in version 2", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=100
				    write 0x801 100
				    set write1.count 4096
				    want HDR-003d write1.count
				error 2 BAD_XDR
				disconnect`},
			{Name: "the Read list is written as a counted array of two", Scene: `
				connect
				call 1 NFS3 WRITE data=bytes(3000)
				    read 0x1001 3000
				    set 16 2
				    nopull
				    want HDR-003b 16+4
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "the words that end the lists are missing", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    payload none
				    cut 8
				    want HDR-003c -4+4
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a Write chunk of 4096 segments", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				    set write1.count 4096
				    want HDR-003d 24+4
				error 1 ERR_CHUNK
				disconnect`},
			{Name: "a word ends the Reply chunk as if it were a list", Scene: `
				connect
				call 1 NFS3 READDIR
				    long 0x1001 200
				    replychunk 0x1002 4096
				    append hex(00000000)
				    want HDR-003e -4+4
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a procedure and a direction that version 2 does not define", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 NULL
				    proc 7
				error 2 INVAL_PROC
				call 3 NFS3 NULL
				    direction 9
				    want V2-001d
				error 3 BAD_XDR
				disconnect`},
			{Name: "a legal Write list of two chunks", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100) count=100
				disconnect`},
			{Name: "the snap length cuts a long list", Scene: `
				connect
				call 1 NFS3 READ count=160
				    write 1 20 2 20 3 20 4 20 5 20 6 20 7 20 8 20
				reply 1 data=bytes(160)
				disconnect
				snap 150`},
		},
	}
}

func message003(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	if !h.Fault.Bad() {
		if m.Length > h.Length && first(m) && alone(h.Proc) && leftover(c, m) == listWords {
			if f := say.Message("e", m, ""); f != nil {
				f.Sayf("%d octets of lists are left over behind the %s of the %s", m.Length-h.Length, h.Proc, c.Sender(m.From))
				f.See("octets behind the header", m.Length-h.Length, 0).In(m, h.Length, m.Length-h.Length)
			}
		}
		return
	}
	letter := illegal(c, m)
	if letter == "" {
		return
	}
	f := say.Message(letter, m, "")
	if f == nil {
		return
	}
	at := h.Fault.Offset
	f.Sayf("the %s's header cannot be decoded: %s", c.Sender(m.From), h.Fault)
	switch v, ok := xdr.WordAt(m.Raw(), at); {
	case letter == "a":
		f.See("rdma_proc", uint32(h.Proc), "0 to 4")
	case letter == "b" && ok:
		f.See("optional-data word", v, "0 or 1")
	case letter == "d" && ok:
		f.See("segment count", v, "at most what the rest of the message holds").See("octets behind the count", m.Length-at-xdr.WordSize, nil)
	}
	f.See("octet", at, nil)
	if letter == "c" {
		// What runs past the end begins with the words before it.
		at = max(min(h.Length, at-xdr.WordSize), 0)
	}
	f.In(m, at, max(xdr.WordSize, h.Fault.Offset-at))
}

// alone reports whether nothing may stand behind the header of a procedure.
func alone(p rpcrdma.Proc) bool { return p == rpcrdma.RDMANoMsg || p == rpcrdma.RDMAError }
