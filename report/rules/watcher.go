package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A Watcher receives findings before their connection is over, while what shows them
// is still at hand.
type Watcher interface {
	// NewFinding is called at the end of the event in which a finding was reported, the
	// first time and once more if it becomes certain; r is the RPC that it is about,
	// nil if it is about none. What followed it, and what explains it, is not
	// known yet.
	NewFinding(f *finding.Finding, r *dissect.RPC)
	// RPCChecked is called when an RPC is over of which more was reported than notes.
	RPCChecked(r *dissect.RPC, said []Reported)
}

// Watch sets the Watcher. It is to be called before the first event, where CrossConnection takes
// what is published at once.
func (k *Checker) Watch(w Watcher) {
	k.watcher = w
	k.capture.watched, k.crossConnection.capture.watched = w != nil, w != nil
}

// WatchApart is Watch for a Checker whose publications CrossConnection takes later. Emit is called at the
// end of each event in which anything was reported or published, with what the Checker reported, in that
// order; the list is valid during the call. What CrossConnection itself reports is emitted by
// EmitNewFindings when it takes these publications. Judged, which may be nil, is called before emit, for an RPC
// that is over and has findings other than notes, or may have some of CrossConnection (CrossConnection.CheckedRPC).
func (k *Checker) WatchApart(emit func(list []NewFinding), judged func(j CheckedRPC, said []Reported)) {
	k.apart, k.onChecked, k.capture.watched = emit, judged, true
}

// KeepNewFindings has CrossConnection keep what it reports for EmitNewFindings, where no Checker of its own has a Watcher.
func (a *CrossConnection) KeepNewFindings() { a.capture.watched = true }

// Abouts counts the frames, messages and RPCs that CrossConnection may report something about, because they
// were published: in an event that does not add to it, CrossConnection reports nothing about the
// frame or RPC of the event, except for NewFinding.Many.
func (k *Checker) Abouts() int64 { return k.capture.abouts }

// CheckedRPC names an RPC that is over of which CrossConnection may have reported something; none where it is zero.
type CheckedRPC struct {
	rpc   *dissect.RPC // distinguished from others, not looked at
	ref   *ConnRef
	frame int64 // the ordinal of that at which it is over
}

// CheckedRPC is what CrossConnection reported of an RPC that is over, but for notes, once it took what was
// published of that.
func (a *CrossConnection) CheckedRPC(j CheckedRPC) []Reported {
	return a.checkedOf(j.ref, j.rpc, j.frame)
}

// A NewFinding is a finding of which no Watcher has been notified yet.
type NewFinding struct {
	*finding.Finding
	// RPC is what it is about, nil if it is about none, or if that may be over.
	RPC *dissect.RPC
	// Many says that it is about an RPC of which Abouts does not tell.
	Many bool
	at   turn
}

// Watched reports whether a Watcher receives what goes on.
func (k *Capture) Watched() bool { return k.watched }

// Ongoing notifies the Watcher, if there is one, what goes on right now and is no finding yet: it is known by a
// frame, at a time in nanoseconds since 1970.
func (s Reporter) Ongoing(at flow.Moment, r *dissect.RPC, now int64, message string) {
	f := &Finding{Finding: finding.Finding{
		Rule: &s.rule.Rule, Severity: s.rule.Severity, Connection: s.state.conn, Message: message, Frame: at.Ref, Frames: []flow.Ref{at.Ref},
		Time: now, LastTime: now, Last: at.Ref, Count: 1, Ongoing: true,
	}}
	if r != nil {
		f.XID, f.HasXID, f.Call = r.XID, true, name(r)
	}
	s.state.capture.noteNewFinding(f, nil, s.state.turn())
}

// noteNewFinding notes a finding for the Watcher.
func (k *Capture) noteNewFinding(f *Finding, r *dissect.RPC, at turn) {
	if k.watched {
		k.newFindings = append(k.newFindings, NewFinding{Finding: &f.Finding, RPC: r, at: at})
	}
}

// emitNewFindings notifies the Watcher what the event that ends now has shown.
func (k *Checker) emitNewFindings() {
	if k.apart != nil {
		k.apart(k.capture.newFindings)
		clear(k.capture.newFindings)
		k.capture.newFindings = k.capture.newFindings[:0]
		return
	}
	mine, others := &k.capture.newFindings, &k.crossConnection.capture.newFindings
	if k.watcher != nil && len(*mine)+len(*others) > 0 {
		k.notifyWatcher(mine, others)
	}
}

func (k *Checker) notifyWatcher(mine, others *[]NewFinding) {
	list := append(*mine, *others...)
	if len(*others) > 0 {
		slices.SortStableFunc(list, func(a, b NewFinding) int { return a.at.compare(b.at) })
	}
	for _, n := range list {
		k.watcher.NewFinding(n.Finding, n.RPC)
	}
	clear(list)
	clear(*others)
	*mine, *others = list[:0], (*others)[:0]
}

// EmitNewFindings reports what Checkers that are watched apart said in an event, whose publications were just
// taken, together with what CrossConnection reported of these: mine is called with the index of each in
// said, own with what is of CrossConnection (the RPC may be over where its Checker is, and is not to be looked
// at), all in the order in which they were reported. Somebody Watches the Checker of its own,
// or has it KeepNewFindings.
func (a *CrossConnection) EmitNewFindings(said []NewFinding, mine func(i int), own func(n NewFinding)) {
	i := 0
	for _, n := range a.capture.newFindings {
		for ; i < len(said) && said[i].at.compare(n.at) <= 0; i++ {
			mine(i)
		}
		own(n)
	}
	for ; i < len(said); i++ {
		mine(i)
	}
	clear(a.capture.newFindings)
	a.capture.newFindings = a.capture.newFindings[:0]
}
