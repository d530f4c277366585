package watch

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/check"
)

// A part notes what one of several goroutines finds. The Watch receives that in the order of
// the capture, since all connections together decide which have room. It is a check.Notes.
type part struct {
	*noter
	watch *Watch
	batch *batch // now

	mu    sync.Mutex // of what follows
	spare []*batch   // as many as wait to be told at the most
}

// A batch is what a part noted of one. It is a check.Noted.
type batch struct {
	notes
	part *part
}

// part returns one, with a filter of its own.
func (w *Watch) part() check.Notes {
	p := &part{watch: w}
	p.batch = p.empty()
	f := w.opts.Filter
	if f != nil {
		f = f.Another()
	}
	p.noter = newNoter(&p.batch.notes, f)
	return p
}

// Kept implements check.Notes.
func (p *part) Kept() int { return len(p.now.events) }

// Flush implements check.Notes.
func (p *part) Flush() check.Noted {
	b := p.batch
	p.batch = p.empty()
	p.now = &p.batch.notes
	return b
}

// empty is a batch without anything in it.
func (p *part) empty() *batch {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.spare)
	if n == 0 {
		return &batch{part: p}
	}
	b := p.spare[n-1]
	p.spare = p.spare[:n-1]
	return b
}

// A due is what the Watch is to be told when a batch is done, so that the lock is taken once for
// it: an event of notes, or a finding.
type due struct {
	notes   *notes
	index   int
	finding *reported
}

// reported is a finding in words, and its connection, nil for the whole capture.
type reported struct {
	Finding
	conn *dissect.Connection
}

// Emit implements check.Noted.
func (b *batch) Emit(i int) {
	w := b.part.watch
	w.due = append(w.due, due{notes: &b.notes, index: i})
}

// Done implements check.Noted.
func (b *batch) Done() {
	b.part.watch.flush()
	b.reset()
	p := b.part
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spare = append(p.spare, b)
}

// flush reports what is due.
func (w *Watch) flush() {
	if len(w.due) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.due {
		if d := &w.due[i]; d.finding != nil {
			w.addFinding(d.finding)
		} else {
			w.takeNotes(d.notes, d.index)
		}
	}
	clear(w.due)
	w.due = w.due[:0]
}
