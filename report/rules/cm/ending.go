package cm

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// An ending looks at how one connection began and ended.
type ending struct {
	c   *rules.Conn
	say rules.Reporter
	b   *setup.Handshake
}

// concerns reports whether the connection is one of RPC-over-RDMA, or was to be.
func (w *ending) concerns() bool {
	return (w.c.RPCRDMA() || w.c.Service == "NFS/RDMA") && !w.c.Other()
}

func (w *ending) reportEnd() {
	if !w.concerns() {
		return
	}
	late := w.late()
	if late != "" {
		w.say = w.say.As(finding.Warning)
	}
	if parts := w.parts(late); len(parts) > 0 {
		if f := w.moment(); f != nil {
			f.Messagef("%s", strings.Join(parts, "; "))
			if late != "" {
				f.Advise("Check whether the request reaches the server: look for lost frames on the path, for firewalls that block %s, and at the server's CM.", w.port())
			}
			w.show(f)
		}
	}
}

// late says how long the client asked in vain, "" if that was no longer than a call may take.
func (w *ending) late() string {
	steps := w.b.Steps
	if len(steps) == 0 || steps[0].From != w.c.ClientEnd {
		return ""
	}
	if w.c.IWARP() {
		// That the SYN was retransmitted is no step of the setup.
		if t := &w.b.Declared[w.c.ClientEnd&1]; t.SYNs > 1 && t.LastSYN-w.c.FirstTime >= w.c.Capture.Config.StallLimit() {
			return sentBefore("SYN", t.SYNs, t.LastSYN-w.c.FirstTime)
		}
		waited := steps[0].Time - w.c.FirstTime
		if w.c.Setup != flow.SetupMPA || waited < w.c.Capture.Config.StallLimit() {
			return ""
		}
		return fmt.Sprintf("the client's %s came %s after the first segment of its TCP connection in the capture", steps[0].Name, rules.Duration(waited))
	}
	for i := range steps {
		s := &steps[i]
		if s.From == w.c.ClientEnd {
			continue
		}
		if i > 0 && steps[i-1].Name != steps[0].Name {
			return "" // what came between shows an answer that the capture lacks
		}
		waited := steps[max(0, i-1)].Time - steps[0].Time // the last try was answered at once
		if i < 2 || waited < w.c.Capture.Config.StallLimit() {
			return ""
		}
		return sentBefore(steps[0].Name, int64(i), waited)
	}
	return ""
}

// sentBefore says how often the client sent something in vain, in so many nanoseconds.
func sentBefore(name string, times, ns int64) string {
	return fmt.Sprintf("the client's %s was sent %d times in %s before an answer was captured", name, times, rules.Duration(ns))
}

// port is where requests go.
func (w *ending) port() string {
	if w.c.IWARP() {
		return "the server's TCP port"
	}
	return "UDP port 4791"
}

// parts says what is not as usual.
func (w *ending) parts(late string) (parts []string) {
	b := w.b
	switch {
	case late != "":
		parts = append(parts, late)
	case b.Again > 0:
		parts = append(parts, "setup messages were retransmitted "+field.Counted(b.Again, "time"))
	}
	if w.noRTU() {
		parts = append(parts, "the capture has no RTU from the client")
	}
	return parts
}

// noRTU reports whether the client went on without an RTU, as far as the capture
// shows.
func (w *ending) noRTU() bool {
	c, b := w.c, w.b
	return c.Setup == flow.SetupCM && c.Established && b.Declared[0].Captured && b.Declared[1].Captured && !b.RTU &&
		c.Closing != flow.Rejected && c.Messages > 0 && !c.OneDirection() && !c.Lossy()
}

// moment begins a finding at the end of the connection.
func (w *ending) moment() *rules.Finding {
	b := w.b
	switch {
	case w.c.Closing == flow.Terminated:
		return w.say.Moment("", w.c.Last, w.c.LastTime, &w.c.TerminatedBy, "")
	case b.Ended:
		return w.say.Moment("", b.Over.Frame, b.Over.Time, &b.Over.From, "")
	}
	return w.say.Moment("", w.c.Last, w.c.LastTime, nil, "")
}

func (w *ending) show(f *rules.Finding) {
	if len(w.b.Steps) > 0 {
		f.See("setup and teardown", w.b.Ladder(w.c), nil)
	}
	for _, s := range w.b.Steps {
		f.With(s.Frame)
	}
}
