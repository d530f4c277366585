package ladder

import "github.com/rdmacap/rdmacap/dissect/flow"

const (
	// mostWalked is how many steps of a connection are looked through for a ladder.
	mostWalked = 1 << 14
	// Around is how many steps are shown before and after those of a finding
	// that is about no RPC.
	Around = 8
)

// A Thread ties the steps of a connection together, until it is over.
type Thread struct {
	// Stamp is as it was at the last frame.
	Stamp Stamp
	last  uint64 // number of its last step on the trail
	head  []Step // its first steps: what is about the connection is shown by them
}

// Remember puts the steps of a frame on the trail, with bytes of it. They are of a connection
// with that ID, 0 for none, and are tied to the Thread, nil for none.
func (t *RecentFrames) Remember(to *Thread, conn int, data []byte, steps []Step) {
	if len(steps) == 0 {
		return
	}
	before := uint64(0)
	if to != nil {
		before = to.last
	}
	at, last := t.store(data), before
	for i := range steps {
		s, number := t.keepStep(&steps[i])
		s.bytes, s.kept = at, uint16(len(data))
		if conn != 0 {
			s.conn, s.before = int32(conn), last
		}
		last = number
	}
	if to != nil {
		to.last = last
		t.keepHead(to, before)
	}
}

const (
	// headSteps is how many steps of a connection are kept until it is over, with so
	// many bytes of each frame.
	headSteps, headBytes = 8, 512
)

// keepHead keeps the first steps of a connection; last is the number of the one that was the last
// before the frame in hand.
func (t *RecentFrames) keepHead(c *Thread, last uint64) {
	if len(c.head) >= headSteps {
		return
	}
	first := max(last+1, c.last-min(c.last, headSteps)+1)
	for n := first; n <= c.last && len(c.head) < headSteps; n++ {
		s := t.get(n)
		if s == nil || s.conn == 0 {
			continue
		}
		x := *s
		data := t.data(s)
		own := more{own: append([]byte{}, data[:min(len(data), headBytes)]...)}
		if x.more != nil {
			own.text, own.name = x.more.text, x.more.name
		}
		x.more = &own
		c.head = append(c.head, x)
	}
}

// Late gives a message that had to wait to the step of its last frame.
func (t *RecentFrames) Late(of *Thread, m *Message) {
	const near = 256 // steps: what waits longer is told without its words
	number := of.last
	for range near {
		s := t.get(number)
		if s == nil {
			return
		}
		if s.frame == m.frame && (s.kind == kindSend || s.kind == kindSendInv) && !s.message.known {
			s.message, s.more = m.messageNumbers, m.more
			return
		}
		number = s.before
	}
}

// Find is the step of a frame, nil if it is not remembered. It is of a connection with that ID, if
// there is a Thread.
func (t *RecentFrames) Find(of *Thread, conn int, r flow.Ref) *Step {
	if of != nil {
		for i := range of.head {
			if s := &of.head[i]; s.frame == r {
				return s
			}
		}
		number := of.last
		for range mostWalked {
			s := t.get(number)
			if s == nil || int(s.conn) != conn {
				break
			}
			if s.frame == r {
				return s
			}
			number = s.before
		}
	}
	// One that came before its connection was known has none.
	const near = 4096
	for n := t.next - 1; n > 0 && n+near > t.next; n-- {
		if s := t.get(n); s != nil && s.frame == r {
			return s
		}
	}
	return nil
}
