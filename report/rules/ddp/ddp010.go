package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp010() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-010", Title: "Write chunk provides room for padding",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "A Write chunk is longer than the longest result that the call asks for, by no more than what rounds " +
			"that up to a multiple of 4 (a segment of at most 4 octets behind the others, or a length rounded up).",
		Why: "A responder must not write the pad. The room for it costs a registration, and a handle that is the same " +
			"in every call keeps the server from invalidating the memory remotely (INV-005).",
		Advice: "Offer exactly as many octets as are asked for. Old responders that write the pad are the reason to keep " +
			"the room.",
		Reference: "RFC 8166, section 3.4.6.2; " +
			"draft-cel-nfsv4-rfc5666-implementation-experience-02, section 3.6",
		Gates: rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "Linux clients do so for each READ whose count is no multiple of 4. Silent for READLINK, which does not " +
			"say how long a path may be, and for counts that are multiples of 4.",
		Fields: countFields(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc010)},
		Fires: []rules.Sample{
			{Name: "a segment for the pad", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=3001
				    write 0x2001 3001 0x2002 4
				    want DDP-010 write1.2.length
				reply 1 data=bytes(3001) eof=true
				disconnect`},
			{Name: "the length is rounded up", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=3001}]
				    write 0x2001 3004
				    want DDP-010 write1.1.length
				reply 1 [SEQUENCE PUTFH READ{data=bytes(3001)}]
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "no room for a pad", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=3001
				    write 0x2001 3001
				reply 1 data=bytes(3001) eof=true
				disconnect`},
			{Name: "room for a whole page is not for the pad", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=3001
				    write 0x2001 4096
				reply 1 data=bytes(3001) eof=true
				disconnect`},
		},
	}
}

func rpc010(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingOf(c)
	if r.Call == nil || len(r.Call.Header.Writes) == 0 {
		return
	}
	list, _ := s.eligibleResults(c, r)
	h := &r.Call.Header
	for i := range min(len(list), len(h.Writes)) {
		if !list[i].counted || list[i].count%4 == 0 {
			continue
		}
		room := h.ChunkLength(h.Writes[i])
		if room <= list[i].count || room-list[i].count > 4 {
			continue
		}
		if f := say.Part("", r, r.Call, ""); f != nil {
			f.Sayf("the %s offers %d octets for a %s of at most %d", c.Sender(r.Requester), room, list[i].name, list[i].count)
			f.See("octets offered", room, list[i].count)
			f.Word(r.Call, h.SegmentAt(h.Writes[i].First+h.Writes[i].Count-1)+rpcrdma.SegmentLength)
		}
		return
	}
}
