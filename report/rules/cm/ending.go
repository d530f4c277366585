package cm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/setup"
)

// An ending looks at how one connection began and ended.
type ending struct {
	c   *rules.Conn
	say rules.Say
	b   *setup.Handshake
	// open counts the calls that the end left unanswered, xids are the first of
	// the client's.
	open int
	xids []uint32
}

// closed reports whether an end closed the connection, or broke it.
func closed(c *rules.Conn) bool {
	switch c.Closing {
	case flow.Disconnected, flow.Terminated, flow.Reset:
		return true
	}
	return false
}

// concerns reports whether the connection is one of RPC-over-RDMA, or was to be.
func (w *ending) concerns() bool {
	return (w.c.RPCRDMA() || w.c.Service == "NFS/RDMA") && !w.c.Other()
}

func (w *ending) end() {
	if !w.concerns() {
		return
	}
	if parts := w.parts(); len(parts) > 0 {
		if f := w.moment(""); f != nil {
			f.Sayf("%s", strings.Join(parts, "; "))
			w.show(f)
		}
	}
}

// parts says what is not as usual.
func (w *ending) parts() (parts []string) {
	c, b := w.c, w.b
	if c.Closing == flow.Rejected {
		if c.IWARP() {
			parts = append(parts, "the server rejected the connection in its MPA Reply")
		} else {
			parts = append(parts, fmt.Sprintf("the %s rejected the connection: %v", c.Sender(b.Over.From), c.RejectReason))
		}
	}
	if b.Again > 0 {
		parts = append(parts, fmt.Sprintf("messages of the set-up were sent again %d times", b.Again))
	}
	if w.noRTU() {
		parts = append(parts, "the client never sent the RTU")
	}
	switch {
	case c.Closing == flow.Terminated:
		parts = append(parts, fmt.Sprintf("the %s ended the connection by a Terminate (%v), with %d calls unanswered", c.Sender(c.TerminatedBy), c.Termination, w.open))
	case w.open > 0 && b.Ended:
		parts = append(parts, fmt.Sprintf("the %s ended the connection by %s with %d calls unanswered", c.Sender(b.Over.From), b.Over.Name, w.open))
	case w.open > 0:
		parts = append(parts, fmt.Sprintf("the connection ended with %d calls unanswered", w.open))
	}
	return parts
}

// noRTU reports whether the client went on without an RTU, as far as the capture
// shows.
func (w *ending) noRTU() bool {
	c, b := w.c, w.b
	return c.Setup == flow.SetupCM && c.Established && b.Told[0].Heard && b.Told[1].Heard && !b.RTU &&
		c.Closing != flow.Rejected && c.Messages > 0 && !c.OneDirection() && !c.Lossy()
}

// moment begins a finding at the end of the connection.
func (w *ending) moment(letter string) *rules.Finding {
	b := w.b
	switch {
	case w.c.Closing == flow.Terminated:
		return w.say.Moment(letter, w.c.Last, w.c.LastTime, &w.c.TerminatedBy, "")
	case b.Ended:
		return w.say.Moment(letter, b.Over.Frame, b.Over.Time, &b.Over.From, "")
	}
	return w.say.Moment(letter, w.c.Last, w.c.LastTime, nil, "")
}

func (w *ending) show(f *rules.Finding) {
	if len(w.b.Steps) > 0 {
		f.See("set-up and end", w.b.Ladder(w.c), nil)
	}
	f.See("calls unanswered", w.open, nil)
	if len(w.xids) > 0 {
		f.See("their XIDs", rules.Handles(w.xids), nil)
	}
	for _, s := range w.b.Steps {
		f.With(s.Frame)
	}
}

// again looks at the connections of the same hosts that were lost before.
func (w *ending) again(h *history) {
	c := w.c
	if !w.concerns() {
		return
	}
	p := h.of(pairOf(c))
	if p == nil {
		return
	}
	if c.Disordered() {
		return // the capture's order is not that of the wire
	}
	lost := closed(c) && w.open > 0
	if lost {
		defer func() { p.last, p.lost = loss{c.LastTime, w.b.Over.Frame, w.xids}, true }()
	}
	config := &c.Capture.Config
	within := int64(config.ReconnectTime)
	if !p.lost || p.last.end > c.FirstTime || c.BeganLate() || c.Closing == flow.Rejected {
		return
	}
	var parts []string
	if c.FirstTime-p.last.end <= within {
		if n := p.reconnected(c.FirstTime, within); n >= config.Reconnects {
			parts = append(parts, fmt.Sprintf("this is reconnect %d within %v after a connection was lost", n, config.ReconnectTime))
		}
	}
	var common []uint32
	for _, x := range w.xids {
		if lost && slices.Contains(p.last.xids, x) {
			common = append(common, x)
		}
	}
	if len(common) > 0 {
		parts = append(parts, fmt.Sprintf("%d calls were unanswered when this and the connection before were lost: %s", len(common), rules.Handles(common)))
	}
	if len(parts) == 0 {
		return
	}
	if f := w.moment("b"); f != nil {
		f.Sayf("%s", strings.Join(parts, "; "))
		if len(common) == 1 {
			f.XID, f.HasXID = common[0], true
		}
		w.show(f)
	}
}
