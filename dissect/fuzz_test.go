package dissect_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/ruletest"
)

// balance is a Sink that holds what it is told against itself: each connection ends once, and of
// what it has none is told after its end.
type balance struct {
	t              *testing.T
	ended          map[*dissect.Connection]bool
	frames         int64
	messages, rpcs int64
	incomplete     int64
}

func (b *balance) Connection(c *dissect.Connection, final bool) {
	if b.ended[c] {
		b.t.Errorf("connection %d is told of behind its end", c.ID)
	}
	if final {
		b.ended[c] = true
	} else if _, known := b.ended[c]; !known {
		b.ended[c] = false
	}
}

func (b *balance) alive(c *dissect.Connection, what string) {
	if over, known := b.ended[c]; over || !known {
		b.t.Errorf("connection %d: %s, known %v, ended %v", c.ID, what, known, over)
	}
}

func (b *balance) Frame(v *dissect.FrameView) { b.frames++ }

func (b *balance) Message(m *dissect.Message) {
	b.alive(m.Connection, "a message")
	b.messages++
	if m.Whole != (m.Missing == "") || len(m.Raw()) > m.Length {
		b.t.Errorf("a message of %d bytes has %d: whole %v, missing %q", m.Length, len(m.Raw()), m.Whole, m.Missing)
	}
}

func (b *balance) RPC(r *dissect.RPC) {
	b.alive(r.Connection, "an RPC")
	b.rpcs++
	if !r.Complete {
		b.incomplete++
	}
	if r.Complete != (r.Missing == "") || r.Complete && (r.Call == nil || r.Reply == nil) {
		b.t.Errorf("an RPC is complete %v, missing %q, call %v, reply %v", r.Complete, r.Missing, r.Call != nil, r.Reply != nil)
	}
}

// settled holds that at the end of the capture all connections have ended, and the Summary
// counts what was told.
func (b *balance) settled(frames int, sum dissect.Summary) {
	for c, over := range b.ended {
		if !over {
			b.t.Errorf("connection %d never ends", c.ID)
		}
	}
	if b.frames != int64(frames) || sum.Frames != b.frames || sum.Connections != int64(len(b.ended)) ||
		sum.Messages != b.messages || sum.RPCs != b.rpcs || sum.IncompleteRPCs != b.incomplete {
		b.t.Errorf("told of %d frames of %d, %d connections, %d messages, %d RPCs, %d incomplete: %+v",
			b.frames, frames, len(b.ended), b.messages, b.rpcs, b.incomplete, sum)
	}
}

// FuzzDissector dissects real captures that strangers changed. One Dissector and four shards
// tell the same of them, and what is told adds up.
func FuzzDissector(f *testing.F) {
	var samples [][]capture.Frame
	for _, name := range []string{"rxe-cb", "siw-cb", "version2-roce", "version2-iwarp"} {
		list := ruletest.Sample(f, "../samples/"+name+".pcap.zst")
		samples = append(samples, list[:min(len(list), 250)])
	}
	for i := range samples {
		sample := byte(i)
		f.Add([]byte{sample})
		f.Add(append([]byte{sample}, damage.Lose(30)...))
		f.Add(append([]byte{sample}, damage.Cut(45, 90)...))
		f.Add(append([]byte{sample}, damage.Change(50, 61, 2)...))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 512 {
			return
		}
		list := damage.Edit(samples[int(data[0])%len(samples)], data[1:])
		emitTheSame(t, "edited", list, 4)
		b := &balance{t: t, ended: make(map[*dissect.Connection]bool)}
		d := dissect.New(b, dissect.Options{Units: true})
		for i := range list {
			d.Frame(&list[i])
		}
		d.Flush()
		b.settled(len(list), d.Summary())
	})
}
