package rules

import "github.com/rdmacap/rdmacap/dissect"

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

// Watch has a Watcher told. It is to be called before the first event.
func (k *Checker) Watch(w Watcher) {
	k.watcher = w
	k.capture.watched = w != nil
}

// news is a finding that a Watcher has not heard of.
type news struct {
	finding *Finding
	rpc     *dissect.RPC
}

// tellNews tells the Watcher what the event that ends now has shown.
func (k *Checker) tellNews() {
	if k.capture.watched {
		k.tellWatcher()
	}
}

func (k *Checker) tellWatcher() {
	for _, n := range k.capture.news {
		k.watcher.Fresh(n.finding, n.rpc)
	}
	clear(k.capture.news)
	k.capture.news = k.capture.news[:0]
}
