package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/values"
)

func ddp011() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-011", Title: "Returned Write chunk length wrong",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The lengths with which a Write chunk comes back do not add up to the length of the result that is in " +
			"it, or the responder wrote the pad behind the result too.",
		Why: "The requester takes the returned lengths for the number of octets that it got. A pad that is written may " +
			"lie in memory that serves something else already.",
		Advice: "Return the octets of the result as its length word says, without its pad, and end the RDMA Write with " +
			"the last of them.",
		Reference: "RFC 8166, section 3.4.6",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut, rules.Protected), rules.DetailIf(rules.BeganLate)},
		Limits: "Silent where the reply cannot be decoded to its last octet (DDP-009). Lengths rounded up are a warning as long as a " +
			"server of version 1 that is known to have sent no private data returns no others: RFC 5666 was read so.",
		Causes: []string{"HDR-010d", "ULB-001"},
		Cases: []rules.Case{
			{Letter: "a", Title: "the returned length is not that of the result", Severity: rules.Error},
			{Letter: "b", Title: "the pad was written too", Severity: rules.Error},
			{Letter: "c", Title: "the returned length is rounded up to a multiple of 4", Severity: rules.Error},
		},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{readings()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites, rpc011)},
		Fires: []rules.Sample{
			{Name: "the whole chunk is returned for a short READ", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(3000) eof=true
				    place 4096
				    returns write 0x2001 4096
				    want DDP-011a write1.1.length
				disconnect`},
			{Name: "the pad is written", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(3001) eof=true
				    place 3004
				    want DDP-011b
				disconnect`},
			{Name: "the length is rounded up", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(3001) eof=true
				    place 3004
				    returns write 0x2001 3004
				    want DDP-011b
				    want DDP-011c write1.1.length
				disconnect`},
			{Name: "a server without private data rounds up", Scene: `
				connect server=none
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(3001) eof=true
				    place 3004
				    returns write 0x2001 3004
				    want DDP-011b
				    want DDP-011c write1.1.length
				disconnect`},
			{Name: "a server of version 2 without private data rounds up", Scene: `
				connect version=2 client=none server=none
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 2 data=bytes(3001) eof=true
				    returns write 0x2001 3004
				    place 3004
				    want DDP-011b
				    want DDP-011c write1.1.length
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "a short READ", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(3001) eof=true
				disconnect`},
			{Name: "a whole page is written of which not all is returned", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(3001) eof=true
				    place 4096
				disconnect`},
			{Name: "the first READ got nothing, the second was placed", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=100} READ{count=4096}]
				    write 0x2001 100
				    write 0x2002 4096
				reply 1 [SEQUENCE PUTFH READ{data="" eof=TRUE} READ{data=bytes(3001)}]
				disconnect`},
		},
	}
}

func rpc011(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	m := r.Reply
	if m == nil || len(m.Header.Writes) == 0 || len(m.Header.Writes) > mostChunks {
		return
	}
	b := readingOf(c).reply(c, r)
	if b == nil || !values.Explained(b) {
		return
	}
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 || !e.Eligible {
			continue
		}
		returned := b.Reduced.Writes[e.Chunk]
		if returned == e.Length && returned%4 != 0 {
			rules.Kept[kept](c, rules.KeepsDDP).exact = true
		}
		letter, as := "a", say
		switch {
		case returned == e.Length:
			letter = ""
		case uint64(returned) == xdr.Padded(e.Length):
			letter = "c"
			if !exact(c) && !c.BeganLate() && c.ServerPrivate == nil && m.Header.Version == rpcrdma.Version1 {
				as = say.As(rules.Warning)
			}
		}
		if letter != "" {
			if f := as.Part(letter, r, m, ""); f != nil {
				f.Sayf("the %s returned %d octets in %s, and the result in it has %d", c.Sender(m.From), returned, rpcrdma.WriteChunkName(int(e.Chunk)), e.Length)
				f.See("octets returned", returned, e.Length)
				markWriteLengths(f, m, int(e.Chunk))
			}
		}
		if e.Length%4 == 0 {
			continue
		}
		if wrote := reach(r, int(e.Chunk)); wrote == xdr.Padded(e.Length) {
			if f := say.Part("b", r, m, ""); f != nil {
				f.Sayf("the %s wrote %d octets into %s, %d of the result and its pad", c.Sender(m.From), wrote, rpcrdma.WriteChunkName(int(e.Chunk)), e.Length)
				f.See("octets written", wrote, e.Length)
				f.Body(m, b, int(e.Offset)-xdr.WordSize, xdr.WordSize)
			}
		}
	}
}

// exact reports whether the server returned a length that is no multiple of 4.
func exact(c *rules.Conn) bool {
	k := rules.KeptIf[kept](c, rules.KeepsDDP)
	return k != nil && k.exact
}

// reach is how far into a Write chunk RDMA Writes were seen, in octets from its
// first.
func reach(r *dissect.RPC, chunk int) (end uint64) {
	for i := range r.Offer.Regions {
		g := &r.Offer.Regions[i]
		if g.Purpose != rpcrdma.ForWrite || g.Chunk != chunk || len(g.Seen) == 0 {
			continue
		}
		end = max(end, g.Start+g.Seen[len(g.Seen)-1].End)
	}
	return end
}
