package check

import "github.com/rdmacap/rdmacap/dissect"

// notes have told, of each event of a shard, what a view noted of it: after what the rules say.
type notes struct {
	Notes
	shard *shard
	index int // of the view, see item
	kept  int // that is to be told
}

// Connection implements dissect.Sink.
func (n *notes) Connection(c *dissect.Connection, final bool) {
	n.Notes.Connection(c, final)
	n.keep()
}

// Frame implements dissect.Sink.
func (n *notes) Frame(v *dissect.FrameView) {
	n.Notes.Frame(v)
	n.keep()
}

// Message implements dissect.Sink.
func (n *notes) Message(m *dissect.Message) {
	n.Notes.Message(m)
	n.keep()
}

// RPC implements dissect.Sink.
func (n *notes) RPC(r *dissect.RPC) {
	n.Notes.RPC(r)
	n.keep()
}

// keep has told what was noted of an event.
func (n *notes) keep() {
	if kept := n.Kept(); kept > n.kept {
		n.kept = kept
		n.shard.addItem(item{at: n.shard.d.At(), view: n.index, noted: kept})
	}
}

// cut ends the batch.
func (n *notes) cut() noted {
	n.kept = 0
	return noted{Noted: n.Flush()}
}

// noted is what a view noted of a batch, and how much of that was told.
type noted struct {
	Noted
	emitted int
}

// emit tells up to some element.
func (n *noted) emit(end int) {
	for ; n.emitted < end; n.emitted++ {
		n.Emit(n.emitted)
	}
}
