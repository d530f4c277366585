package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/span"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/memory"
)

func ddp012() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-012", Title: "Returned length exceeds bytes placed",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "A reply says of a segment of a Write chunk or the Reply chunk that it holds more octets than were " +
			"written into it by RDMA Writes since the call offered it.",
		Why: "The requester takes what was in its memory before for data of the server. The application gets wrong file " +
			"contents, and nobody notices: this is silent corruption.",
		Advice: "Look at the server first: at whether it posts the RDMA Writes of a reply before the Send of that reply " +
			"on the same queue pair, and whether it returns lengths of what it meant to write or of what it wrote.",
		Reference: "RFC 8166, section 3.4.6",
		Gates:     rules.Gates{rules.SilentIf(rules.OneDirection, rules.LostSince, rules.Cut), rules.DetailIf(rules.BeganLate, rules.Disordered)},
		Limits: "Silent where the snap length cut an RDMA Write, where the call was sent before without an answer, where RDMA Writes " +
			"came that the capture ties to no call, where the same memory was offered by another call that was open, where the " +
			"returned segments are not those offered (HDR-010), and in the first moment of a connection whose beginning was not " +
			"captured.",
		Causes: []string{"DDP-014", "DDP-015", "DDP-013", "ULB-001"},
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{memory.JudgeKnowledge()},
		On:     []rules.Event{rules.OnRPC(rules.WithWrites|rules.WithReplyChunk, rpc012)},
		Fires: []rules.Sample{
			{Name: "half of a READ is placed", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(4096) eof=true
				    place 2048
				    want DDP-012 write1.1.length
				disconnect`},
			{Name: "nothing of a long reply is placed", Scene: `
				connect
				call 1 NFS3 READDIR dir="fh" count=4096
				    replychunk 0x3001 8192
				reply 1
				    place replychunk none
				    want DDP-012 replychunk.1.length
				disconnect`},
			{Name: "the second of two segments is not written", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} READ{count=4096}]
				    write 0x2001 2048 0x2002 2048
				reply 1 [SEQUENCE PUTFH READ{data=bytes(4096)}]
				    place 2048
				    want DDP-012 write1.2.length
				disconnect`},
			{Name: "a server of version 2 returns more than it wrote", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 2 data=bytes(4096)
				    place 1000
				    want DDP-012 write1.1.length
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "all that a server of version 2 returns was written", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 2 data=bytes(4096)
				disconnect`},
			{Name: "all of it is placed, in two segments", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 2048 0x2002 2048
				reply 1 data=bytes(3000) eof=true
				disconnect`},
			{Name: "more is written than returned", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(3000) eof=true
				    place 4096
				disconnect`},
			{Name: "the snap length cut the frames", Scene: `
				snap 400
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				reply 1 data=bytes(3000) eof=true
				disconnect`},
			{Name: "the call is sent again with the same memory behind the RDMA Write", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=3000
				    write 0x2001 3000
				rdma write server 0x2001 3000
				wait 2s
				call 1 again
				    write 0x2001 3000
				reply 1 data=bytes(3000) eof=true
				    place none
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "the call is sent again with other memory", Scene: `
				connect client=4096/4096,inv server=4096/4096,inv
				call 0 NFS3 NULL
				reply 0
				call 1 NFS3 READ file="fh" count=300
				    write 0x2001 300
				rdma write server 0x2001 300
				wait 2s
				call 1 again
				    write 0x2002 300
				reply 1 data=bytes(300)
				    returns write 0x2001 300
				    place none
				    invalidate 0x2001
				call 2 NFS3 NULL
				reply 2
				disconnect`},
			{Name: "a call is missing from the capture, so that the next are told behind their RDMA Writes", Scene: `
				connect
				repeat 7
				call $ NFS3 READ offset=$ count=3000
				    write 0x801 3000
				reply $ data=bytes(3000)
				end
				call 8 NFS3 READ count=3000
				    write 0x801 3000
				    drop frame 1
				reply 8 data=bytes(3000)
				repeat 2
				call $+8 NFS3 READ count=3000
				    write 0x801 3000
				reply $+8 data=bytes(3000)
				end
				disconnect`},
			{Name: "the set-up and the first RDMA Write are missing from the capture", Scene: `
				connect
				    drop frame 1
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 data=bytes(100)
				    drop frame 1
				disconnect`},
			{Name: "the frame that placed it is missing from the capture", Scene: `
				connect
				call 1 NFS3 READ file="fh" count=4096
				    write 0x2001 4096
				rdma write server 0x2001 2048@0x200100000; drop
				rdma write server 0x2001 1000@0x200100800
				reply 1 data=bytes(3048) eof=true
				    place none
				disconnect`},
		},
	}
}

// within is how many of the first n octets are in a set.
func within(set span.Set, n uint64) (octets uint64) {
	for _, s := range set {
		octets += min(s.End, n) - min(s.Start, n)
	}
	return octets
}

func rpc012(c *rules.Conn, r *dissect.RPC, say rules.Say) {
	j := memory.JudgeOf(c)
	if !answered(c, r) || len(r.Call.Header.Segments) == 0 {
		return
	}
	fillings(r, func(x filling) bool {
		for i, s := range x.returned {
			g := &x.regions[i]
			if g.Seen.Covers(0, uint64(s.Length)) || !j.Placed(r) || j.Shared(r, g) {
				continue
			}
			if f := say.Part("", r, r.Reply, ""); f != nil {
				placed := within(g.Seen, uint64(s.Length))
				f.Sayf("the %s returned %d octets for segment %d of %s, into which %d were written", c.Sender(r.Reply.From), s.Length, i+1, x.name(), placed)
				f.See("octets returned", s.Length, placed).See("handle", rules.Handle(s.Handle), nil)
				f.Word(r.Reply, r.Reply.Header.SegmentAt(x.first+i)+rpcrdma.SegmentLength)
			}
			return true
		}
		return false
	})
}
