package sec

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

// samples is how many new handles are looked at.
const samples = 64

func sec002() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnMessage(rules.WithChunks, message002)},
	}
}

// pattern looks at the first new handles of one end, until it is over.
type pattern struct {
	handles []uint32
	over    bool
}

func message002(c *rules.Conn, m *dissect.Message, report rules.Reporter) {
	if m.Role() != dissect.RoleCall || c.Cut(m) || m.Header.Fault.Bad() {
		return
	}
	h := &m.Header
	if len(h.Reads)+len(h.Segments) == 0 {
		return
	}
	p := &state.Of(c).patterns[m.From&1]
	if p.over {
		return
	}
	for i := range h.Reads {
		p.addSegment(h.Reads[i].Segment)
	}
	for _, s := range h.Segments {
		p.addSegment(s)
	}
	if len(p.handles) < samples {
		return
	}
	step, share, uppers := commonStep(p.handles)
	*p = pattern{over: true}
	const most, few = samples * 9 / 10, 16
	if share < most && uppers >= few {
		return
	}
	f := report.Connection("", "")
	if f == nil {
		return
	}
	f.From, f.HasFrom = m.From, true
	if share >= most {
		f.Messagef("%d of %d new handles of the %s differ by %+d from the previous one", share, samples-1, c.Sender(m.From), step)
	} else {
		f.Messagef("the upper 24 bits of the first %d handles of the %s have only %d values: each use of a registration changes only the low byte",
			samples, c.Sender(m.From), uppers)
	}
	f.See("commonest step", int(step), nil).See("handles with it", share, nil).See("values of the upper 24 bits", uppers, nil)
}

// addSegment notes a handle that is not the one before.
func (p *pattern) addSegment(s rpcrdma.Segment) {
	n := len(p.handles)
	if s.Length <= pad || n >= samples || n > 0 && p.handles[n-1] == s.Handle {
		return
	}
	p.handles = append(p.handles, s.Handle)
}

// commonStep finds the commonest step from one handle to the next if it is a small one,
// how many have it, and how many values the upper 24 bits have.
func commonStep(handles []uint32) (step int32, share, uppers int) {
	const small = 1 << 16
	for i := 1; i < len(handles); i++ {
		d := int32(handles[i] - handles[i-1])
		if d > small || d < -small {
			continue
		}
		n := 0
		for j := 1; j < len(handles); j++ {
			if int32(handles[j]-handles[j-1]) == d {
				n++
			}
		}
		if n > share {
			step, share = d, n
		}
	}
	for i := range handles {
		first := true
		for j := range i {
			first = first && handles[j]>>8 != handles[i]>>8
		}
		if first {
			uppers++
		}
	}
	return step, share, uppers
}
