package track_test

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A chance is a random conversation and what became of its frames.
type chance struct {
	*build.Conversation
	rnd  *rand.Rand
	said [2][]said // by direction
	wire []int     // frames that were lost on the wire, before the capture
	late bool      // the capture does not begin with the setup
}

// said is a Send, and the PSNs of its packets.
type said struct {
	text       string
	first, end uint32
}

func newChance(seed uint64, rounds int) *chance {
	rnd := rand.New(rand.NewPCG(seed, 42))
	setup := build.Setup{
		PMTU:   256 << rnd.IntN(5),
		Client: build.Host{PSN: 0xffffff - rnd.Uint32N(60)},
		Server: build.Host{PSN: rnd.Uint32N(1 << 24)},
	}
	if rnd.IntN(4) == 0 {
		setup.Client.Addr, setup.Server.Addr = build.ClientIPv6, build.ServerIPv6
	}
	c := &chance{Conversation: build.NewConversation(setup), rnd: rnd}
	c.Connect()
	for i := range rounds {
		c.round(uint32(i))
	}
	return c
}

// round appends one operation, its loss and repetition perhaps, and its
// acknowledgement perhaps.
func (c *chance) round(i uint32) {
	d := build.Direction(c.rnd.IntN(2))
	n := c.rnd.IntN(3 * c.PMTU)
	if c.rnd.IntN(3) == 0 {
		n = c.rnd.IntN(40)
	}
	var span build.Span
	switch c.rnd.IntN(4) {
	case 0, 1:
		text := append([]byte{'T', byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i)}, memory(i, 0, n)...)
		first := c.NextPSN(d)
		span = c.Send(d, text)
		c.said[d] = append(c.said[d], said{string(text), first, c.NextPSN(d)})
	case 2:
		span = c.Write(d, i, uint64(i)<<20, memory(i, uint64(i)<<20, n))
	case 3:
		span = c.Read(d, i, uint64(i)<<20, memory(i, uint64(i)<<20, n))
	}
	if f := c.Frames[span.First]; c.rnd.IntN(6) == 0 && f.Data[c.bth(f)] != build.RCReadRequest {
		c.lose(d, span.First+c.rnd.IntN(span.End-span.First))
	}
	if c.rnd.IntN(3) > 0 {
		c.Ack(d.Opposite())
	}
}

// bth is where the transport begins in a frame.
func (c *chance) bth(build.Frame) int {
	if c.Client.Addr.Is6() {
		return 14 + 40 + 8
	}
	return atBTH
}

func (c *chance) psn(f build.Frame) uint32 {
	return binary.BigEndian.Uint32(f.Data[c.bth(f)+8:]) & 0xffffff
}

// captured counts the Sends of which the capture has every packet.
func (c *chance) captured() (n int) {
	type packet struct {
		d   build.Direction
		psn uint32
	}
	there := make(map[packet]bool)
	for _, f := range c.Frames {
		if op := f.Data[c.bth(f)]; op <= build.RCSendLastInvalidate && (op < build.RCReadResponseFirst || op > build.RCAtomicAcknowledge) {
			there[packet{f.Dir, c.psn(f)}] = true
		}
	}
	for d, list := range c.said {
		for _, s := range list {
			all := true
			for psn := s.first; psn != s.end; psn = (psn + 1) & 0xffffff {
				all = all && there[packet{build.Direction(d), psn}]
			}
			if all {
				n++
			}
		}
	}
	return n
}

// lose has a frame of the last message lost on the wire: the receiver notices
// or the sender's timer runs out, and it goes back.
func (c *chance) lose(d build.Direction, at int) {
	f := c.Frames[at]
	psn := c.psn(f)
	c.wire = append(c.wire, at)
	if at < len(c.Frames)-1 && c.rnd.IntN(2) == 0 {
		c.Nak(d.Opposite(), psn, build.SyndromePSNSequenceError)
	} else {
		c.Wait(20 * time.Millisecond)
	}
	c.Retransmit(at)
}

// TestWhateverHappens mangles random conversations, and holds what is told
// against what was reported: nothing is invented, nothing told twice or out of
// order, every byte lies where it belongs, and no more is reported to be lost than
// was taken away. Of a capture from the setup on, nothing is missing that is there.
func TestWhateverHappens(t *testing.T) {
	whole, sent := 0, 0
	for seed := range seeds(1500) {
		c := newChance(seed, 40)
		dropped := c.mangle()
		d := record(t, c.Frames)
		d.placedRight()
		d.brought()
		d.begins(true, func(handle uint32) uint64 { return uint64(handle) << 20 })
		n := c.compare(d)
		whole += n
		if want := c.captured(); !c.late && n != want {
			t.Errorf("%d Sends are whole, of %d all packets are captured", n, want)
		}
		sent += len(c.said[0]) + len(c.said[1])
		lost := int64(0)
		for _, n := range d.conns {
			if n.OneWay() {
				lost = 0 // of the other direction, nothing may be there
				break
			}
			lost += n.LostInCapture
		}
		if lost > int64(dropped) {
			t.Errorf("%d frames are said to be missing from the capture, %d are", lost, dropped)
		}
		if n := d.conns[0]; !c.late && dropped == 0 && n.Holes != 0 {
			t.Errorf("nothing is missing, and holes are told: %+v", n.Gaps)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if whole < sent/2 {
		t.Errorf("only %d of %d Sends are whole", whole, sent)
	}
	t.Logf("%d of %d Sends are whole", whole, sent)
}

// mangle takes the frames that were lost on the wire out, drops others, perhaps
// those before some frame, and doubles and reorders the rest. It returns how many frames the capture lacks that the
// network delivered.
func (c *chance) mangle() (dropped int) {
	f, rnd := c.Frames, c.rnd
	drop := append([]int(nil), c.wire...)
	for range rnd.IntN(5) {
		drop = append(drop, 3+rnd.IntN(len(f)-3))
		dropped++
	}
	f = f.Drop(drop...)
	if rnd.IntN(3) == 0 {
		f, c.late = f[3+rnd.IntN(20):], true
	}
	for range rnd.IntN(6) {
		f = f.Duplicate(rnd.IntN(len(f)))
	}
	for range rnd.IntN(6) {
		i := rnd.IntN(len(f) - 4)
		f = f.Swap(i, i+1+rnd.IntN(3))
	}
	c.Frames = f
	return dropped
}

// compare holds the Sends against what was reported, and counts the whole ones.
func (c *chance) compare(d *recorder) (whole int) {
	d.t.Helper()
	type stream struct {
		conn int
		from flow.End
	}
	next := make(map[stream][2]int) // after what was told last, in either direction
	for _, m := range d.sends {
		if !m.whole {
			continue
		}
		whole++
		key := stream{m.conn, m.from}
		at, found := next[key], false
		for dir, said := range c.said {
			for i := at[dir]; i < len(said) && !found; i++ {
				if said[i].text == m.bytes {
					at[dir], found = i+1, true
				}
			}
		}
		if !found {
			d.t.Errorf("a Send of %d bytes was not said, or not behind the one before it", m.length)
		}
		next[key] = at
	}
	return whole
}
