package trans

import (
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/pause"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

const (
	// notablePause is for how many nanoseconds a pause is worth a warning: a port that copes with its load
	// ends one within microseconds, and a frame of PFC asks for at most 3.4 ms at 10 Gb/s.
	notablePause = int64(5 * time.Millisecond)
	// pausedShare is one in how many nanoseconds makes many short ones worth it too.
	pausedShare = 100
)

// pauses are those of the capture that a Checker saw.
type pauses struct {
	log    pause.Log
	waited waited
}

// waited is the RPC that took longest of those that waited while the link was paused.
type waited struct {
	call   string // "" if there is none
	xid    uint32
	kinds  pause.Set
	took   int64 // nanoseconds, and for how many of them it was paused
	paused int64
	own    bool
	reply  flow.Moment
}

// captured010 looks for frames that pause a port.
func captured010(k *rules.Capture, v *dissect.FrameView) {
	if v.Connection != nil || !v.Link.Pauses() {
		return
	}
	if x, ok := v.Link.Pause(v.Frame.Data); ok {
		captureSlot.Of(k).pauses.log.Take(&x, rules.Moment(v))
	}
}

// waited010 notes the slowest RPC that waited meanwhile.
func waited010(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if r.Paused() == 0 {
		return
	}
	took, ok := r.Latency()
	w := &captureSlot.Of(c.Capture).pauses.waited
	if !ok || took < notablePause || 2*r.Paused() < took || took <= w.took {
		return
	}
	p, _ := r.Parts()
	*w = waited{callName(r), r.XID, p.Kinds, took, p.Paused, p.OwnPaused, r.Reply.Moment()}
}

// callName is what an RPC is called.
func callName(r *dissect.RPC) string {
	if r.CallHeader() == nil {
		return "an RPC"
	}
	return string(r.AppendName(nil, r.Ops(nil)))
}

// A portPause is what a port paused of one kind.
type portPause struct {
	source [6]byte
	kind   int
	pause.Total
}

// paused010 reports the pauses of the whole capture.
func paused010(e *rules.ConnRef, report rules.Reporter) {
	var list []portPause
	var w waited
	captureSlot.Each(e.CrossConnection, func(k *keptOfCapture) {
		k.pauses.log.Each(func(source [6]byte, kind int, t pause.Total) { list = append(list, portPause{source, kind, t}) })
		if x := k.pauses.waited; x.took > w.took || x.took == w.took && x.took > 0 && x.reply.Ref.Compare(w.reply.Ref) < 0 {
			w = x
		}
	})
	slices.SortFunc(list, func(a, b portPause) int { return int(min(1, max(-1, b.Sum-a.Sum))) })
	for i := range list {
		list[i].report(e, report.Key([7]byte(append(list[i].source[:], byte(list[i].kind)))), &w)
	}
}

// warns reports whether it is worth a warning.
func (p *portPause) warns(w *waited) bool {
	return p.Longest >= notablePause || p.Sum >= notablePause && p.Sum >= (p.Last.Time-p.First.Time)/pausedShare || w.kinds.Has(p.kind)
}

// report reports it, and of the RPC that waited.
func (p *portPause) report(e *rules.ConnRef, report rules.Reporter, w *waited) {
	letter, at := "", p.First
	warns := p.warns(w)
	if warns {
		letter, at = "c", p.From
	}
	f := report.Moment(letter, at.Ref, at.Time, nil, "")
	if f == nil {
		return
	}
	protocol, of := "PFC", pause.Of(p.kind).String()
	if p.kind == pause.WholeLink {
		protocol = "PAUSE"
	}
	text := fmt.Sprintf("the port %s pauses %s with %s", net.HardwareAddr(p.source[:]), of, protocol)
	if p.Pauses > 1 {
		text += fmt.Sprintf(" %d times, for %s in total and %s at most", p.Pauses, rules.Duration(p.Sum), rules.Duration(p.Longest))
	} else if p.Sum > 0 {
		text += fmt.Sprintf(" for %s without interruption", rules.Duration(p.Sum))
	}
	f.See("port", net.HardwareAddr(p.source[:]).String(), nil).See("paused in all", finding.Nanoseconds(p.Sum), nil)
	f.See("longest pause", finding.Nanoseconds(p.Longest), nil).See("pauses", p.Pauses, nil).See("frames", p.Frames, nil)
	if warns {
		f.Spans(p.From.Time, p.To.Time)
		f.With(p.To.Ref)
	}
	if w.kinds.Has(p.kind) {
		text += fmt.Sprintf("; %s in frame %s took %s meanwhile", w.call, e.FrameName(w.reply.Ref), rules.Duration(w.took))
		if !w.own {
			text += " (its frames have no tag that shows their priority)"
		}
		f.See("slowest call meanwhile", finding.Nanoseconds(w.took), nil).See("its XID", rules.Handle(w.xid), nil).With(w.reply.Ref)
	}
	f.Messagef("%s", text)
}
