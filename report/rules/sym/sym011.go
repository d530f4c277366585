package sym

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/rocev2"
)

func sym011() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection), rules.LikelyIf(rules.Disordered)},
		Speaks:      rules.RPCRDMA,
		On: []rules.Event{
			rules.OnMessage(0, message011), rules.OnFrame(rules.Acknowledging, frame011), rules.OnFrame(rules.Segment, segment011),
			rules.OnAccess(rules.Reading|rules.Responding, access011),
			rules.OnRPC(0, rpc011),
		},
	}
}

// trips are what a connection shows of how long the way there and back takes. An adapter acknowledges a Send by
// itself, and answers an RDMA Read: no software stands between.
type trips struct {
	sends, reads [2]trip    // that wait for an answer, by the end that waits
	tcp          [2]tcpTrip // over iWARP
	ways         [2]run     // by the end that waits
	calls        run        // of the client
	kinds        [leastKinds]string
}

// A trip is something that the other end's adapter answers.
type trip struct {
	psn  uint32
	at   int64
	open bool
}

// A run is answers in a row that were all slow.
type run struct {
	first, last flow.Moment // of the run
	n           int64
	least       int64 // of the run, in nanoseconds
	fastest     int64 // of those before, 0 if there was none
	reported    int64 // answers in the run that was reported
	finding     *rules.Finding
}

const (
	leastRun   = 8 // answers in a row, before they are a run
	leastKinds = 3 // kinds of calls
)

// addLatency takes the next answer, which came after so long; it reports whether that makes a run.
func (r *run) addLatency(ns, limit int64, at flow.Moment) bool {
	if ns < limit {
		if r.fastest == 0 || ns < r.fastest {
			r.fastest = ns
		}
		r.n = 0
		return false
	}
	if r.n == 0 {
		r.first, r.least = at, ns
	}
	r.n++
	r.least, r.last = min(r.least, ns), at
	return r.n >= leastRun
}

// worst reports whether this run is longer than the one that was reported, which it then is.
func (r *run) worst() bool {
	if r.n <= r.reported {
		return false
	}
	r.reported = r.n
	return true
}

// since is the time of the run, with that of its first answer.
func (r *run) since() int64 { return r.last.Time - r.first.Time + r.least }

func message011(c *rules.Conn, m *dissect.Message, _ rules.Reporter) {
	if c.IWARP() || !m.Point.Numbered {
		return // TCP may put off an acknowledgement
	}
	if t := &rules.Some(&state.Of(c).trips).sends[m.From&1]; !t.open {
		*t = trip{m.Point.Last, m.Last, true}
	}
}

// frame011 takes an acknowledgement.
func frame011(c *rules.Conn, v *dissect.FrameView, report rules.Reporter) {
	k := state.IfAny(c)
	if k == nil || k.trips == nil || v.IB == nil || v.IB.OpCode.Kind() != rocev2.KindAcknowledge || !v.IB.Syndrome().IsACK() {
		return
	}
	waits := v.Verdict.From&1 ^ 1
	if t := &k.trips.sends[waits]; t.open && rocev2.PSNDiff(v.IB.PSN, t.psn) >= 0 {
		k.trips.back(c, t, waits, rules.Moment(v), report)
	}
}

func access011(c *rules.Conn, a *dissect.Access, report rules.Reporter) {
	waits := a.From & 1
	switch a.Kind {
	case dissect.AccessWrite:
		return
	case dissect.AccessRead:
		if t := &rules.Some(&state.Of(c).trips).reads[waits]; !t.open {
			*t = trip{a.Point.First, a.Time, true}
		}
		return
	}
	k := state.IfAny(c)
	if k == nil || k.trips == nil {
		return
	}
	if t := &k.trips.reads[waits]; t.open && t.psn == a.Point.First && len(a.Frames) > 0 {
		k.trips.back(c, t, waits, flow.Moment{Ref: a.Frames[len(a.Frames)-1], Time: a.Time}, report)
	}
}

// back takes an answer to what an end waited for.
func (x *trips) back(c *rules.Conn, t *trip, waits flow.End, at flow.Moment, report rules.Reporter) {
	t.open = false
	if c.LastSeen(waits).Again >= t.at || at.Time < t.at {
		return // it may answer the one or the other
	}
	r := &x.ways[waits]
	if !r.addLatency(at.Time-t.at, c.Capture.Config.SlowWayLimit(), at) || !r.worst() || c.OneDirection() {
		return
	}
	doubt := ""
	if c.Disordered() {
		doubt = finding.DoubtOrder
	}
	if r.fastest == 0 {
		report = report.As(finding.Note) // it is a long way, as far as the capture shows
	}
	if f := report.Key(waits).Moment("", r.first.Ref, r.first.Time, &waits, doubt); f != nil {
		r.finding = f
	}
	f := r.finding
	if f == nil {
		return
	}
	f.Frames, f.Evidence = nil, nil
	f.Frame, f.Time, f.Last, f.LastTime, f.Count = r.first.Ref, r.first.Time, r.last.Ref, r.last.Time, r.n
	who := "the adapter of the " + c.Sender(waits.Peer())
	f.Messagef("%s answered the %s only after %s or longer, %d times in a row within %s", who, c.Sender(waits),
		rules.Duration(r.least), r.n, rules.Duration(r.since()))
	f.See("answers in a row", r.n, nil).See("the fastest of them", finding.Nanoseconds(r.least), finding.Nanoseconds(c.Capture.Config.SlowWay))
	if r.fastest > 0 {
		f.Message += ", before that after " + rules.Duration(r.fastest)
		f.See("the fastest before", finding.Nanoseconds(r.fastest), nil)
	}
	f.Message += ": the path or that adapter is slow"
	f.With(r.first.Ref, r.last.Ref)
}

// rpc011 looks for calls that are slow whatever they are.
func rpc011(c *rules.Conn, r *dissect.RPC, report rules.Reporter) {
	ns, ok := r.Latency()
	limit := c.Capture.Config.SlowCallsLimit()
	if !ok || r.Requester != c.ClientEnd || ns >= limit && r.CallHeader() == nil {
		return
	}
	x := rules.Some(&state.Of(c).trips)
	if ns < limit {
		x.kinds = [leastKinds]string{}
	} else {
		parts, _ := r.Parts()
		if resent, _ := parts.Of(dissect.PhaseRetransmission); 2*resent > ns {
			x.calls.n, x.kinds = 0, [leastKinds]string{}
			return // that is what it waited for
		}
		x.kind(string(r.AppendName(nil, r.Ops(nil))))
	}
	if x.calls.addLatency(ns, limit, r.Reply.Moment()) && x.kinds[leastKinds-1] != "" && x.calls.fastest > 0 &&
		x.ways[0].n < leastRun && x.ways[1].n < leastRun && !c.OneDirection() && x.calls.worst() {
		x.reportCalls(c, report)
	}
}

// kind notes a kind of call.
func (x *trips) kind(name string) {
	for i := range x.kinds {
		switch x.kinds[i] {
		case name:
			return
		case "":
			x.kinds[i] = name
			return
		}
	}
}

// reportCalls reports calls in a row that were slow.
func (x *trips) reportCalls(c *rules.Conn, report rules.Reporter) {
	r, doubt := &x.calls, ""
	if c.Disordered() {
		doubt = finding.DoubtOrder
	}
	if f := report.Moment("b", r.first.Ref, r.first.Time, nil, doubt); f != nil {
		r.finding = f
	}
	f := r.finding
	if f == nil {
		return
	}
	f.Frames, f.Evidence = nil, nil
	f.Frame, f.Time, f.Last, f.LastTime, f.Count = r.first.Ref, r.first.Time, r.last.Ref, r.last.Time, r.n
	f.Messagef("each of %d calls in a row, whatever their kind, took %s or longer, within %s; the fastest before took %s", r.n, rules.Duration(r.least), rules.Duration(r.since()),
		rules.Duration(r.fastest))
	f.See("calls in a row", r.n, nil).See("the fastest of them", finding.Nanoseconds(r.least), finding.Nanoseconds(c.Capture.Config.SlowCalls))
	f.See("the fastest before", finding.Nanoseconds(r.fastest), nil).With(r.first.Ref, r.last.Ref)
}
