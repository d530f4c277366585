package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A Watcher hears of findings before their connection is over, while what shows them
// is still at hand.
type Watcher interface {
	// Fresh is called at the end of the event in which a finding was said, the
	// first time and once more if it becomes certain; r is the RPC that it is about,
	// nil if it is about none. What followed it, and what explains it, is not
	// known yet.
	Fresh(f *finding.Finding, r *dissect.RPC)
	// Judged is called when an RPC is over of which more was said than notes.
	Judged(r *dissect.RPC, said []Said)
}

// Watch has a Watcher told. It is to be called before the first event, where Across takes
// what is posted at once.
func (k *Checker) Watch(w Watcher) {
	k.watcher = w
	k.capture.watched, k.across.capture.watched = w != nil, w != nil
}

// WatchApart has a function told at the end of each event in which anything was said or
// posted, for a Checker whose posts Across takes later: of what the Checker said, in that
// order, in a list that is valid during the call. What Across says itself comes by its News
// when it takes these posts. Judged, which may be nil, is called before, for an RPC that is over
// of which more was said than notes, or of which Across may have said something (Across.Judged).
func (k *Checker) WatchApart(told func(list []News), judged func(j Judged, said []Said)) {
	k.apart, k.judged, k.capture.watched = told, judged, true
}

// KeepNews has what Across says kept for TellNews, where nobody Watches a Checker of its own.
func (a *Across) KeepNews() { a.capture.watched = true }

// Abouts counts the frames, the messages and the RPCs that Across may say something about, because
// they are told of in what was posted: in an event in which that does not grow, it
// says nothing about what is at hand, but for News.Many.
func (k *Checker) Abouts() int64 { return k.capture.abouts }

// Judged names an RPC that is over of which Across may have said something; none where it is zero.
type Judged struct {
	rpc   *dissect.RPC // told from others, not looked at
	entry *Entry
	frame int64 // the ordinal of that at which it is over
}

// Judged is what Across said of an RPC that is over, but for notes, once it took what was
// posted of that.
func (a *Across) Judged(j Judged) []Said { return a.judgedOf(j.entry, j.rpc, j.frame) }

// News is a finding that nobody has heard of.
type News struct {
	*finding.Finding
	// RPC is what it is about, nil if it is about none, or if that may be over.
	RPC *dissect.RPC
	// Many says that it is about an RPC of which Abouts does not tell.
	Many bool
	at   turn
}

// Watched reports whether a Watcher hears of what goes on.
func (k *Capture) Watched() bool { return k.watched }

// Ongoing tells the Watcher, if there is one, what goes on right now and is no finding yet: it is known by a
// frame, at a time in nanoseconds since 1970.
func (s Say) Ongoing(at flow.Moment, r *dissect.RPC, now int64, message string) {
	f := &Finding{Finding: finding.Finding{
		Rule: &s.rule.Rule, Severity: s.rule.Severity, Connection: s.of.conn, Message: message, Frame: at.Ref, Frames: []flow.Ref{at.Ref},
		Time: now, LastTime: now, Last: at.Ref, Count: 1, Ongoing: true,
	}}
	if r != nil {
		f.XID, f.HasXID, f.Call = r.XID, true, name(r)
	}
	s.of.capture.heard(f, nil, s.of.turn())
}

// heard notes a finding for the Watcher.
func (k *Capture) heard(f *Finding, r *dissect.RPC, at turn) {
	if k.watched {
		k.news = append(k.news, News{Finding: &f.Finding, RPC: r, at: at})
	}
}

// tellNews tells the Watcher what the event that ends now has shown.
func (k *Checker) tellNews() {
	if k.apart != nil {
		k.apart(k.capture.news)
		clear(k.capture.news)
		k.capture.news = k.capture.news[:0]
		return
	}
	mine, others := &k.capture.news, &k.across.capture.news
	if k.watcher != nil && len(*mine)+len(*others) > 0 {
		k.tellWatcher(mine, others)
	}
}

func (k *Checker) tellWatcher(mine, others *[]News) {
	list := append(*mine, *others...)
	if len(*others) > 0 {
		slices.SortStableFunc(list, func(a, b News) int { return a.at.compare(b.at) })
	}
	for _, n := range list {
		k.watcher.Fresh(n.Finding, n.RPC)
	}
	clear(list)
	clear(*others)
	*mine, *others = list[:0], (*others)[:0]
}

// TellNews tells what Checkers that are watched apart said in an event, whose posts were just
// taken, together with what Across said of these: mine is called with the index of each in
// said, own with what is of Across (the RPC may be over where its Checker is, and is not to be looked
// at), all in the order in which they were said. Somebody Watches the Checker of its own,
// or has it KeepNews.
func (a *Across) TellNews(said []News, mine func(i int), own func(n News)) {
	i := 0
	for _, n := range a.capture.news {
		for ; i < len(said) && said[i].at.compare(n.at) <= 0; i++ {
			mine(i)
		}
		own(n)
	}
	for ; i < len(said); i++ {
		mine(i)
	}
	clear(a.capture.news)
	a.capture.news = a.capture.news[:0]
}
