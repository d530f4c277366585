package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ddp008() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-008", Title: "XDR roundup in a Read chunk",
		Severity: rules.Note,
		Since:    "0.5",
		Meaning: "A Read chunk has the pad of its item too: its length is that of the item rounded up to a multiple of " +
			"4, in the last segment or in one of its own.",
		Why: "The responder knows how long the pad is and that it is zero. To register it and to read it costs time for " +
			"octets that nobody looks at.",
		Advice: "Leave the pad out of the Read chunk toward responders that send private data; old responders may need it.",
		Reference: "RFC 8166, section 3.4.5.2; " +
			"draft-cel-nfsv4-rfc5666-implementation-experience-02, section 3.5",
		Gates: rules.Gates{rules.SilentIf(rules.Cut, rules.Protected)},
		Limits: "In version 1 silent where the server sent no private data, or it was not captured: toward such servers Linux clients " +
			"include the pad on purpose.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithReads, rpc008)},
		Fires: []rules.Sample{
			{Name: "the last segment is rounded up", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3001 data=bytes(3001)
				    read 0x1001 3004
				    want DDP-008 read1.length
				reply 1 count=3001
				disconnect`},
			{Name: "a server of version 2 is no old one, whatever it sent", Scene: `
				connect version=2 server=none
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 WRITE file="fh" count=3001 data=bytes(3001)
				    read 0x1001 3004
				    want DDP-008 read1.length
				reply 2 count=3001
				disconnect`},
			{Name: "the pad is a segment of its own", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3001 data=bytes(3001)
				    read 0x1001 3001 0x1002 3
				    want DDP-008 read2.length
				reply 1 count=3001
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the item alone", Scene: `
				connect
				call 1 NFS3 WRITE file="fh" count=3001 data=bytes(3001)
				    read 0x1001 3001
				reply 1 count=3001
				disconnect`},
			{Name: "the server sent no private data", Scene: `
				connect server=none
				call 1 NFS3 WRITE file="fh" count=3001 data=bytes(3001)
				    read 0x1001 3004
				reply 1 count=3001
				disconnect`},
		},
	}
}

func rpc008(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	s := readingOf(c)
	b := s.reduced(c, r)
	if b == nil || c.ServerPrivate == nil && r.Call.Header.Version == rpcrdma.Version1 || r.Reverse() || !values.Explained(b) {
		return
	}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 || !e.Eligible || e.Length%4 == 0 {
			continue
		}
		chunk := b.Reduced.Reads[e.Chunk]
		if uint64(chunk.Length) != xdr.Padded(e.Length) {
			continue
		}
		if f := say.Part("", r, r.Call, ""); f != nil {
			f.Sayf("the %s's Read chunk at Position %d has %d octets for an item of %d: the last %d are its pad",
				c.Sender(r.Requester), chunk.Position, chunk.Length, e.Length, chunk.Length-e.Length)
			f.See("length", chunk.Length, e.Length)
			h := &r.Call.Header
			for k := len(h.Reads) - 1; k >= 0; k-- {
				if h.Reads[k].Position == chunk.Position {
					f.Word(r.Call, h.ReadSegmentAt(k)+rpcrdma.SegmentLength)
					break
				}
			}
		}
		return
	}
}
