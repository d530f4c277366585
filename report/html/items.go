package html

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/html/series"
	"github.com/rdmacap/rdmacap/report/page/columns"
	"github.com/rdmacap/rdmacap/report/page/evidence"
	"github.com/rdmacap/rdmacap/report/rules"
)

// An item is one of what a queue has, or with itemFinding what was reported and published up to some.
type item struct {
	at                        flow.Position
	publications, newFindings int32
	kind                      itemKind
}

type itemKind uint8

const (
	itemBegins itemKind = iota // something was captured at a time
	itemFinding
	itemFrame
	itemRPC
	itemEnds  // a connection is over
	itemEnded // and all of that was told
)

// A seenFrame is a frame. Its bytes are where they were read to.
type seenFrame struct {
	frame *flow.Frame
	conn  *dissect.Connection
	stamp *ladder.Stamp // nil if nothing of that has changed
	late  []ladder.Message
	// steps and counts are up to which ones of its queue are its own, from those of what is before.
	steps, counts int32
	keep          uint16 // bytes of it
	sign          series.Sign
	// here is how its shard shows it, nil if it does not expect that to be asked for.
	here []evidence.Exhibit
}

// An ending is a connection that is over.
type ending struct {
	conn    *dissect.Connection
	traffic *stats.Traffic
	late    []ladder.Message
	counts  int // as of a frame
}

// An rpcItem is an RPC that is over. The row's connection, and its time, are filled in later.
type rpcItem struct {
	conn     *dissect.Connection
	key      rpcKey
	fact     stats.Fact
	row      columns.Row
	made     bool // there is a row
	texts    int  // up to this one of those of queue.store, from the one of the row before
	severity finding.Severity
	checked  rules.CheckedRPC
	failed   bool
	failedAt int64
	evidence *rpcEvidence
}
