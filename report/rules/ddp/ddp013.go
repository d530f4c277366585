package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func ddp013() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-013", Title: "Write or Reply chunk not filled in order",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "When the reply was sent, the octets that had been written into a chunk did not begin with its first " +
			"one or had a hole: the responder skipped octets, or left a segment partly empty and used one behind it.",
		Why: "The requester takes the octets of the segments together, in their order, for the result. With a hole, what " +
			"stands behind it is at the wrong place.",
		Advice: "Let the responder fill the segments of a chunk from the first octet on, each up to its length before the " +
			"next one is used.",
		Reference: "RFC 8166, section 3.4.6",
		Gates:     rules.Gates{rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Cut), rules.DetailIf(rules.BeganLate, rules.Disordered)},
		Limits: "The order in which the RDMA Writes were made is free: what counts is what was written at the end. Silent where the " +
			"reply claims none of the octets at or behind the hole, where the reply does not return the segments as they were " +
			"offered (HDR-010), where the snap length cut an RDMA Write, where the same memory was offered by another call that " +
			"was open, and in the first moment of a connection whose beginning was not captured.",
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites|rules.WithReplyChunk, rpc013)},
		Fires: []rules.Sample{
			{Name: "the first segment is half empty and the second is used", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 2048 0x2002 2048
				rdma write server 0x2001 1000
				rdma write server 0x2002 1000
				reply 1 data=bytes(2000) eof=true
				    place none
				    returns write 0x2001 1000 0x2002 1000
				    want DDP-013
				disconnect`},
			{Name: "the first octets of the chunk are skipped", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write server 0x2001 1000@0x200100200
				reply 1 data=bytes(1000) eof=true
				    place none
				    want DDP-012
				    want DDP-013
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "the second segment is written before the first", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 2048 0x2002 2048
				rdma write server 0x2002 1000
				rdma write server 0x2001 2048
				reply 1 data=bytes(3048) eof=true
				    place none
				    returns write 0x2001 2048 0x2002 1000
				disconnect`},
			{Name: "octets far behind the result are written and not returned", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write server 0x2001 100@0x200100800
				reply 1 data=bytes(1000) eof=true
				disconnect`},
			{Name: "the call is captured behind what fills its first segment", Scene: `
				connect
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 READ file="fh" count=2000
				    write 0x2001 1000@0x1000 0x2001 1000@0x13e8
				    late 2 frame 1
				rdma write server 0x2001 1024@0x1000
				rdma write server 0x2001 976@0x1400
				reply 1 data=bytes(2000) eof=true
				    place none
				call 2 NFS3 NULL
				reply 2
				wait 1s
				call 3 NFS3 NULL
				reply 3
				disconnect`},
			{Name: "an empty segment between two", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 2048 0x2002 0 0x2003 2048
				    want DDP-020c
				reply 1 data=bytes(3000) eof=true
				disconnect`},
		},
	}
}

func rpc013(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	j := memory.JudgeOf(c)
	if !answered(c, r) || len(r.Call.Header.Segments) == 0 {
		return
	}
	fillings(r, func(x filling) bool {
		hole, behind := x.hole()
		if hole < 0 || !x.claims(hole) || !j.Placed(r) || j.Shared(r, &x.regions[hole]) || j.Shared(r, &x.regions[behind]) {
			return false
		}
		if f := say.Part("", r, r.Reply, ""); f != nil {
			g, next := &x.regions[hole], &x.regions[behind]
			filled := front(g)
			f.Sayf("the %s left %s empty from octet %d of segment %d on, and wrote to segment %d behind that",
				c.Sender(r.Reply.From), x.name(), filled, hole+1, behind+1)
			f.See("octets without a hole in segment "+decimal(uint64(hole)+1), filled, g.Length)
			f.See("octets in segment "+decimal(uint64(behind)+1), next.Seen.Len(), 0)
			x.markOffered(f, r.Call, hole)
		}
		return true
	})
}

// hole is the first segment that has octets which were not written although some
// behind them were, and the segment of these; -1 if there is none.
func (x *filling) hole() (segment, behind int) {
	segment = -1
	for i := range x.regions {
		g := &x.regions[i]
		written := len(g.Seen) > 0
		if segment >= 0 && written {
			return segment, i
		}
		if segment < 0 && front(g) < uint64(g.Length) {
			segment = i
			if written && g.Seen[len(g.Seen)-1].End > front(g) {
				return i, i
			}
		}
	}
	return -1, -1
}

// claims reports whether the reply says that octets which were not written in a
// segment, or octets behind them, are of use. Octets that are written and not
// returned do no harm.
func (x *filling) claims(hole int) bool {
	for i, s := range x.returned {
		if i > hole && s.Length > 0 || i == hole && uint64(s.Length) > front(&x.regions[hole]) {
			return true
		}
	}
	return false
}

// front is how many octets of a segment, from its first on, were written.
func front(g *rpcrdma.Region) uint64 {
	if len(g.Seen) == 0 || g.Seen[0].Start > 0 {
		return 0
	}
	return g.Seen[0].End
}
