package series

import "github.com/rdmacap/rdmacap/dissect"

// A Count is what a message or an access adds to a series.
type Count struct {
	Conn  *dissect.Connection
	time  int64
	bytes uint32
	used  uint32 // calls that are open, at least
	// credits are those of the header, if known.
	credits  uint32
	known    bool
	toServer bool // where the bytes go
	kind     countKind
}

type countKind uint8

const (
	countMessage countKind = iota // that is neither call nor reply
	countCall
	countReply
	countWrite
	countReadData
	countNothing
)

// CountOf is what a message adds.
func CountOf(m *dissect.Message) Count {
	c := m.Connection
	x := Count{Conn: c, time: m.Last, bytes: uint32(m.Length), toServer: m.ToServer()}
	const fixed = 16 // bytes of the words that every header has
	x.known, x.credits = m.Header.Length >= fixed, m.Header.Credits
	switch r := m.RPC(); {
	case r == nil || r.Requester != c.ClientEnd:
	case m == r.Call:
		x.kind, x.used = countCall, uint32(c.Outstanding(r.Requester)+1)
	default:
		x.kind, x.used = countReply, uint32(max(1, c.Outstanding(r.Requester)))
	}
	return x
}

// CountOfAccess is what bytes add that RDMA moves.
func CountOfAccess(a *dissect.Access) Count {
	c := a.Connection
	x := Count{Conn: c, time: a.Time, bytes: uint32(a.Length), toServer: a.From == c.ClientEnd}
	switch a.Kind {
	case dissect.AccessRead:
		x.kind = countNothing
	case dissect.AccessWrite:
		x.kind = countWrite
	default:
		x.kind, x.toServer = countReadData, !x.toServer // they go to the end that asked for them
	}
	return x
}

// Count counts; a nil Series does not.
func (s *Series) Count(x *Count) {
	if s == nil || x.kind == countNothing {
		return
	}
	b := s.at(x.time)
	if b == nil {
		return
	}
	switch x.kind {
	case countWrite:
		b.write += uint64(x.bytes)
		return
	case countReadData:
		b.read += uint64(x.bytes)
		return
	}
	if x.toServer {
		b.in += uint64(x.bytes)
	} else {
		b.out += uint64(x.bytes)
	}
	switch x.kind {
	case countCall:
		b.calls++
		b.called = true
		if x.known {
			b.asked = max(b.asked, x.credits)
		}
		b.used = max(b.used, x.used)
	case countReply:
		b.replies++
		b.called = true
		b.used = max(b.used, x.used)
		if x.known {
			b.grant(x.credits)
		}
	}
}
