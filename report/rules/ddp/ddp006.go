package ddp

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func ddp006() *rules.Rule {
	return &rules.Rule{
		ID: "DDP-006", Title: "Read list out of order",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "The segments of a Read list do not stand in the order of their Positions, segments of one chunk are " +
			"parted by those of another, or the octets of two chunks overlap in the message.",
		Why: "A responder that takes neighbouring segments of one Position for a chunk, as many do, makes two chunks of " +
			"one, or puts data back at the wrong octet.",
		Advice: "Emit the Read list chunk by chunk, in the order in which the items stand in the RPC message; the " +
			"Position-Zero Read chunk comes first.",
		Reference: "RFC 8166, section 3.4.5",
		Gates:     rules.Gates{rules.SilentIf(rules.Cut)},
		Limits: "No document forbids another order in so many words, so this is a warning. A Position-Zero Read chunk " +
			"overlaps no other, since it holds the message without what other chunks took out.",
		Causes: []string{"DDP-005", "DDP-007"},
		Speaks: rules.RPCRDMA,
		On:     []rules.Event{rules.OnMessage(rules.WithReads, message006)},
		Fires: []rules.Sample{
			{Name: "the chunk of the second WRITE stands first", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} WRITE{offset=3000 data=bytes(2000)}]
				    read 0x1002 2000 at item 2
				    read 0x1001 3000 at item 1
				    want DDP-006 read2.position
				reply 1
				disconnect`},
			{Name: "a segment of the first chunk stands behind the second chunk", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} WRITE{offset=3000 data=bytes(2000)}]
				    read 0x1001 2000 at item 1
				    read 0x1002 2000 at item 2
				    read 0x1003 1000 at item 1
				    want DDP-006 read3.position
				reply 1
				disconnect`},
			{Name: "a Position of version 2 comes back", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(100)} WRITE{data=bytes(200)}]
				    read 0x1001 200 at item 2
				    read 0x1002 100 at item 1
				    want DDP-006 read2.position
				error 2 BAD_XDR
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "Positions of version 2 in order", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(100)} WRITE{data=bytes(200)}]
				    read 0x1001 100
				    read 0x1002 200
				reply 2
				disconnect`},
			{Name: "a chunk of several segments, then another", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} WRITE{offset=3000 data=bytes(2000)}]
				    read 0x1001 2000 0x1003 1000
				    read 0x1002 2000
				reply 1
				disconnect`},
			{Name: "the Position-Zero Read chunk first, then another", Scene: `
				connect
				call 1 NFS4 COMPOUND [SEQUENCE PUTFH{object="fh"} WRITE{data=bytes(3000)} LOOKUP{objname=text(800)}]
				    long 0x1001 8192
				    read 0x1002 3000
				reply 1
				disconnect`},
		},
	}
}

func message006(c *rules.Conn, m *dissect.Message, say rules.Say) {
	h := &m.Header
	if len(h.Reads) < 2 || m.Role() != dissect.RoleCall || !c.Sound(m) {
		return
	}
	if i := descends(h); i >= 0 {
		if f := say.Message("", m, ""); f != nil {
			f.Sayf("the %s's Read list has Position %d behind Position %d", c.Sender(m.From), h.Reads[i].Position, h.Reads[i-1].Position)
			f.See("position", h.Reads[i].Position, "at least "+decimal(uint64(h.Reads[i-1].Position)))
			f.Word(m, h.PositionAt(i))
		}
		return
	}
	if i := overlaps(h); i >= 0 {
		position, _ := h.ReadChunk(i)
		before, segments := h.ReadChunk(i - 1)
		if f := say.Message("", m, ""); f != nil {
			end := uint64(before) + sum(segments)
			f.Sayf("the %s's Read chunk at Position %d reaches to %d, into the one at Position %d", c.Sender(m.From), before, end, position)
			f.See("position", position, "at least "+decimal(end))
			markPosition(f, m, position)
		}
	}
}

// descends is the index of the first Read segment whose Position is less than that
// of the one before it, -1 if there is none. Positions that come back are less, too.
func descends(h *rpcrdma.Header) int {
	for i := 1; i < len(h.Reads); i++ {
		if h.Reads[i].Position < h.Reads[i-1].Position {
			return i
		}
	}
	return -1
}

// overlaps is the index of the first Read chunk that begins within the one before
// it, -1 if there is none.
func overlaps(h *rpcrdma.Header) int {
	for i := 1; i < h.NumReadChunks(); i++ {
		before, segments := h.ReadChunk(i - 1)
		if position, _ := h.ReadChunk(i); before > 0 && uint64(before)+sum(segments) > uint64(position) {
			return i
		}
	}
	return -1
}

// sum is the number of octets of segments.
func sum(segments []rpcrdma.ReadSegment) (n uint64) {
	for i := range segments {
		n += uint64(segments[i].Length)
	}
	return n
}
