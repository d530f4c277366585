package sym

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

// A stall is a time in which no frame moved a connection forward while calls were open.
// Frames that were sent again do not.
type stall struct {
	// from is the last frame before it, to the first one behind it, which by sent; or if
	// the connection ended first, the last one.
	from, to flow.Moment
	by       flow.End
	ended    bool
	// again says which ends sent again meanwhile what they had sent.
	again    [2]bool
	limit    int64    // nanoseconds that it is longer than
	usual    int64    // the connection's usual pause, if that is why it is one, else 0
	open     int      // calls
	xids     []uint32 // of the first of them
	had      []uint32 // those among them that the responder is shown to have had, and did not answer so far
	reported bool
}

const (
	mostStalls = 8  // that are remembered until the RPCs that waited are over
	mostXIDs   = 64 // of open calls
)

// newest is the newest frame of either end that it did not send again, up to the one
// before that which is told.
func newest(c *rules.Conn) flow.Moment {
	a, b := c.LastSeen(0).New, c.LastSeen(1).New
	if a.Time > b.Time {
		return a
	}
	return b
}

// stalled is the stall that a frame, or the end of the connection, ends; not ok if it is too
// short to be one. The end comes when it likes: it is compared with no usual pause.
func stalled(c *rules.Conn, to flow.Moment, end bool) (s stall, ok bool) {
	s = stall{from: newest(c), to: to, limit: c.Capture.Config.StallLimit()}
	if s.from.Time == 0 || s.length() <= c.Capture.Config.StallsAt(0) {
		return s, false
	}
	if s.length() <= s.limit {
		usual, known := usualPause(c)
		if s.limit = c.Capture.Config.StallsAt(usual); end || !known || s.length() <= s.limit {
			return s, false
		}
		s.usual = usual
	}
	for e := range s.again {
		s.again[e] = c.LastSeen(flow.End(e)).Again > s.from.Time
	}
	return s, true
}

// isOpen reports whether a call without a reply is known to be open: the capture lacks nothing that may be its answer.
func isOpen(c *rules.Conn, r *dissect.RPC) bool {
	return r.Call != nil && !c.LostOf(r.Requester.Peer(), r.Call.Frame())
}

// wait notes which calls are open.
func (s *stall) wait(c *rules.Conn) {
	c.EachOpen(func(r *dissect.RPC) {
		if isOpen(c, r) {
			s.waits(r)
		}
	})
}

func (s *stall) waits(r *dissect.RPC) {
	if r.Call.Last > s.from.Time {
		return // it ends the stall
	}
	if s.open++; len(s.xids) < mostXIDs {
		s.xids = append(s.xids, r.XID)
		if has(r) {
			s.had = append(s.had, r.XID)
		}
	}
}

// spans reports whether an RPC was open all the time, and is one that may be compared with the usual pause if the
// stall is.
func (s *stall) spans(r *dissect.RPC) bool {
	if s.usual > 0 && recordsClients(r) {
		return false
	}
	return r.Call != nil && r.Call.Last <= s.from.Time && (r.Reply == nil || s.to.Time <= r.Reply.Last)
}

// compared says how long the usual pause is, where that is why the stall is one.
func (s *stall) compared() string {
	switch {
	case s.usual == 0:
		return ""
	case s.usual <= rules.ShortestPause:
		return fmt.Sprintf(" (pauses are hardly ever longer than %s)", rules.Duration(s.usual))
	}
	return fmt.Sprintf(" (%d times the usual pause of %s)", s.length()/s.usual, rules.Duration(s.usual))
}

func (s *stall) length() int64 { return s.to.Time - s.from.Time }

// why says what the frames show of the reason.
func (s *stall) why(c *rules.Conn, r *dissect.RPC) string {
	timeout := setup.AckTimeout(c)
	const most = 4 // an adapter may take up to four times as long (InfiniBand Architecture 1.3, 9.7.6.1.3)
	matches := ""
	if t := int64(timeout); t > 0 && s.length() >= t && s.length() <= most*t {
		matches = fmt.Sprintf("; its Local ACK Timeout is %s", rules.Duration(t))
	}
	switch {
	case s.again[0] && s.again[1]:
		return "both ends retransmitted frames" + matches
	case s.again[0] || s.again[1]:
		e := flow.End(0)
		if s.again[1] {
			e = 1
		}
		return fmt.Sprintf("the %s retransmitted frames, because nothing acknowledged them%s", c.Sender(e), matches)
	case s.served(r):
		return s.turn(c, r)
	case s.ended:
		return "then the connection ended"
	}
	return fmt.Sprintf("then the %s continued", c.Sender(s.by))
}

// spared reports whether the capture lacks nothing of an end since the stall began, but for
// messages that others answer or call for.
func (s *stall) spared(c *rules.Conn, e flow.End) bool {
	return !c.LostOf(e, s.from.Ref) || c.Accounted(e, 0)
}

// report says it, unless the capture lacks frames since it began.
func (s *stall) report(c *rules.Conn, report rules.Reporter, r *dissect.RPC) {
	if s.reported || c.OneDirection() {
		return
	}
	doubt := ""
	switch {
	case c.LostSince(s.from.Ref):
		if !s.again[0] && !s.again[1] && !(r.Reply != nil && s.spared(c, 0) && s.spared(c, 1)) {
			return // it may be the capture that stood still
		}
		doubt = finding.DoubtLoss
	case c.Disordered():
		doubt = finding.DoubtOrder
	}
	s.reported = true
	if s.open < mostXIDs && !slices.Contains(s.xids, r.XID) {
		s.waits(r) // its answer came after all
	}
	f := report.Stretch("", s.from, s.to, doubt)
	if f == nil {
		return
	}
	for _, x := range s.xids {
		f.Also(x)
	}
	waited := fmt.Sprintf("%d calls were open", s.open)
	if s.open == 1 {
		waited = "a call was open"
		f.ForXID(r.XID)
		if r.CallHeader() != nil {
			f.Call = string(r.AppendName(nil, r.Ops(nil)))
			waited = f.Call + " was open"
		}
	}
	if s.served(r) {
		advice := "Look at the %s at that time: its NFS threads, file system and storage, and who holds what the call needs."
		if r.Reverse() {
			advice = "Look at the %s at that time: its callback service, and what it waits for."
		}
		if !s.silent(c, r) {
			advice += " Then look at the drops of the ports on the path."
		}
		f.Advise(advice, c.Sender(r.Requester.Peer()))
	}
	f.Messagef("there was no progress for %s%s while %s; %s", rules.Duration(s.length()), s.compared(), waited, s.why(c, r))
	f.See("length", finding.Nanoseconds(s.length()), finding.AtMost(finding.Nanoseconds(s.limit)))
	if s.usual > 0 {
		f.See("usual pause", finding.Nanoseconds(s.usual), nil)
	}
	f.See("last frame before it", c.Capture.FrameName(s.from.Ref), nil)
	f.See("open calls", rules.Handles(s.xids), nil)
	if t := setup.AckTimeout(c); t > 0 {
		f.See("Local ACK Timeout", finding.Nanoseconds(t), nil)
	}
	f.With(s.from.Ref)
}
