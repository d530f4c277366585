package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
)

// A Watcher hears of findings before their connection is over, while what shows them
// is still at hand.
type Watcher interface {
	// Fresh is called at the end of the event in which a finding was said, the
	// first time and once more if it becomes certain; r is the RPC that it is about,
	// nil if it is about none. What followed it, and what explains it, is not
	// known yet.
	Fresh(f *Finding, r *dissect.RPC)
	// Judged is called when an RPC is over of which more was said than notes.
	Judged(r *dissect.RPC, said []Said)
}

// Watch has a Watcher told. It is to be called before the first event, where Across takes
// what is posted at once.
func (k *Checker) Watch(w Watcher) {
	k.watcher = w
	k.capture.watched, k.across.capture.watched = w != nil, w != nil
}

// news is a finding that a Watcher has not heard of.
type news struct {
	finding *Finding
	rpc     *dissect.RPC
	at      turn
}

// heard notes a finding for the Watcher.
func (k *Capture) heard(f *Finding, r *dissect.RPC, at turn) {
	if k.watched {
		k.news = append(k.news, news{f, r, at})
	}
}

// tellNews tells the Watcher what the event that ends now has shown.
func (k *Checker) tellNews() {
	mine, others := &k.capture.news, &k.across.capture.news
	if k.watcher != nil && len(*mine)+len(*others) > 0 {
		k.tellWatcher(mine, others)
	}
}

func (k *Checker) tellWatcher(mine, others *[]news) {
	list := append(*mine, *others...)
	if len(*others) > 0 {
		slices.SortStableFunc(list, func(a, b news) int { return a.at.compare(b.at) })
	}
	for _, n := range list {
		k.watcher.Fresh(n.finding, n.rpc)
	}
	clear(list)
	clear(*others)
	*mine, *others = list[:0], (*others)[:0]
}
