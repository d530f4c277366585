package html

import (
	"sync/atomic"

	"github.com/rdmacap/rdmacap/report/page"
)

// A room is what parts know of the room in the page: what that was when it was noticed last.
type room struct {
	full atomic.Bool // there is none for another row
	used atomic.Int64
}

// notice notifies the parts what room there is.
func (r *room) notice(p *page.Writer) {
	r.full.Store(p.NextRow() < 0)
	r.used.Store(p.Used())
}

// below reports whether less than a share of the room for evidence was used, in percent: if it
// was not, it is not now.
func (r *room) below(share int64) bool { return r.used.Load() < share }
