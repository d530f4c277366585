package build

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"time"
)

// Many are conversations that go on at once. They take turns, and the frames of a
// turn are handed over, so that captures of any length need little memory.
type Many struct {
	// All are the conversations. Their clocks are Many's.
	All []*Conversation

	now  time.Time
	step time.Duration
	turn Frames // that was handed over last
}

// NewMany begins n conversations with a server, of as many clients in turn, each
// with queue pairs, PSNs and communication IDs of its own. What they have in common
// is the setup. The numbers are the same each time.
func NewMany(n, clients int, s Setup) *Many {
	rnd := rand.New(rand.NewPCG(uint64(n), 7))
	m := new(Many)
	for i := range n {
		s.Client = Host{Addr: netip.AddrFrom4([4]byte{10, 1, byte(i % clients >> 8), byte(i % clients)})}
		for at, h := range []*Host{&s.Client, &s.Server} {
			h.QPN, h.CommID = uint32(0x100+2*i+at), uint32(0x10000+2*i+at)
			h.PSN = 1 + rnd.Uint32()%0xfffffe
			h.IPID = uint16(rnd.Uint32())
		}
		s.Client.Port, s.Client.UDPPort = uint16(0x4000+i), uint16(0xc000+i%0x3fff)
		m.All = append(m.All, NewConversation(s))
	}
	m.now, m.step = m.All[0].Start, m.All[0].Step
	return m
}

// Split divides them into groups of n, which go on one without the other.
func (m *Many) Split(n int) (list []*Many) {
	for all := range slices.Chunk(m.All, n) {
		list = append(list, &Many{All: all, now: m.now, step: m.step})
	}
	return list
}

// Turn lets each conversation go on, and returns what they all appended: the first
// frame of each, then the second of each, and so on. The list is valid until the
// next turn.
func (m *Many) Turn(goOn func(i int, c *Conversation)) Frames { return m.turnOf(m.All, 0, goOn) }

// Waves is Turn for n conversations at a time, one group after the other. Each list is valid until
// the next one.
func (m *Many) Waves(n int, goOn func(i int, c *Conversation), take func(turn Frames)) {
	first := 0
	for all := range slices.Chunk(m.All, n) {
		take(m.turnOf(all, first, goOn))
		first += len(all)
	}
}

func (m *Many) turnOf(all []*Conversation, first int, goOn func(i int, c *Conversation)) Frames {
	most := 0
	for i, c := range all {
		goOn(first+i, c)
		most = max(most, len(c.Frames))
	}
	clear(m.turn)
	m.turn = m.turn[:0]
	for at := range most {
		for _, c := range all {
			if at < len(c.Frames) {
				f := c.Frames[at]
				f.Time, f.layers = m.now, nil
				m.now = m.now.Add(m.step)
				m.turn = append(m.turn, f)
			}
		}
	}
	for _, c := range all {
		clear(c.Frames)
		c.Frames = slices.Delete(c.Frames, 0, len(c.Frames))
	}
	return m.turn
}
