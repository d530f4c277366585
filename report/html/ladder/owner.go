package ladder

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// An owner is the RPC that a step is known to be of, which is not the one of the ladder.
type owner struct {
	xid   uint32
	other bool
}

// A place is that of a packet of RoCE among those of its sender: what is retransmitted has the same.
type place struct {
	psn      uint32
	from     flow.End
	response bool
}

// place is that of a step which carries a part of an RPC, if PSNs tell it.
func (s *Step) place() (p place, ok bool) {
	switch s.kind {
	case kindSend, kindSendInv, kindWrite, kindReadRequest:
		return place{s.psn, s.from, false}, true
	case kindReadData:
		return place{s.psn, s.from, true}, true
	}
	return place{}, false
}

// of is the XID of the RPC whose message a step ends, or whose memory it moves.
func (s *Step) of() (xid uint32, ok bool) {
	if s.owned {
		return s.owner, true
	}
	return s.message.xid, s.message.known && s.message.role != dissect.RoleNone
}

// ownersOf says of the steps of an RPC's ladder which of them are of others. One that is not known
// to be of another is none of them.
func (t *RecentFrames) ownersOf(w *Request, of *Thread, shown []*Step) []owner {
	list := make([]owner, len(shown))
	if !w.ofRPC {
		return list
	}
	wanted := frames(w.Frames)
	again := make(map[place][]int) // what was retransmitted, and does not say of what
	for i, s := range shown {
		if w.roce && wanted.has(s.frame) {
			continue // a frame of iWARP may have a part of several
		}
		if xid, known := s.of(); known {
			list[i] = owner{xid, xid != w.xid}
		} else if p, ok := s.place(); ok && w.roce {
			again[p] = append(again[p], i)
		}
	}
	number := of.last
	for range mostWalked {
		s := t.get(number)
		if len(again) == 0 || s == nil || int(s.conn) != w.Conn.ID {
			break
		}
		number = s.before
		p, ok := s.place()
		if !ok {
			continue
		}
		same, found := again[p]
		if !found {
			continue
		}
		xid, known := s.of()
		if own := wanted.has(s.frame); !own && !known {
			continue // another time that it was retransmitted
		} else if !own {
			for _, i := range same {
				list[i] = owner{xid, xid != w.xid}
			}
		}
		delete(again, p)
	}
	return list
}
