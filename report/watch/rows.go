package watch

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// list makes a row, if there is room or something that is over can go.
func (w *Watch) list(e *event, x *identity) {
	if len(w.rows) >= mostRows && !w.evict() {
		w.unlisted++
		return
	}
	c := e.conn
	r := &row{conn: c, seen: x.first, Row: Row{ID: c.ID, Transport: x.transport}}
	r.refresh(x)
	r.count(&e.standing)
	w.rows = append(w.rows, r)
	w.open[c] = r
	w.last, w.lastConn = r, c
}

// endConnection turns the row of a connection into one that is over.
func (w *Watch) endConnection(r *row, e *event, x *identity) {
	r.refresh(x)
	r.count(&e.standing)
	w.stats.End(e.conn, new(stats.Traffic))
	w.closing(r, e.closing)
	r.conn = nil
	w.ended++
	if r.over != nil {
		w.kept += r.over.Table.Len()
	}
	delete(w.open, e.conn)
	w.last, w.lastConn = nil, nil
	for w.kept > mostOperations && w.evict() {
	}
}

// closing notes how a connection ends, which its last frames show before it is over.
func (w *Watch) closing(r *row, c flow.Closing) {
	if c == flow.Open {
		return
	}
	if r.Ended == "" {
		w.over++
	}
	r.Ended = ending(c)
}

// evict drops the row that came first of those that are over, and reports whether there was
// one.
func (w *Watch) evict() bool {
	if w.ended == 0 {
		return false
	}
	i := slices.IndexFunc(w.rows, func(r *row) bool { return r.conn == nil })
	w.drop(i)
	return true
}

// drop drops a row of a connection that is over.
func (w *Watch) drop(i int) {
	r := w.rows[i]
	w.gone.addLosses(r.Losses)
	if r.over != nil {
		w.kept -= r.over.Table.Len()
	}
	w.ended--
	w.rows = slices.Delete(w.rows, i, i+1)
}
