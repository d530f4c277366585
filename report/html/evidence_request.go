package html

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/page/evidence"
)

// What shows a finding is gathered when it is reported, since soon nothing of it is left:
//
//	Fresh ──> fresh ──Frame──> its frames' bytes ─┬─> loose: some frames later, ladder ──> page
//	                                               └─> waiting: when the RPC is over ──> its item
//
// The evidence of an RPC is made when that is over; its ladder when the frame that
// ended it is on the trail too.

const (
	// mostPending bounds the findings that wait for what comes after them.
	mostPending = 256
	// dueEvery is how often those that are due are looked for, in frames.
	dueEvery = 64
)

// requests are the findings whose evidence is gathered.
type requests struct {
	new        []*evidenceRequest            // of the frame in hand
	withoutRPC []*evidenceRequest            // about no RPC
	waiting    map[rpcKey][]*evidenceRequest // about an RPC that is not over
	pending    int                           // those in waiting
	open       []openItem
	frames     int64 // that went by
	ending     bool  // a connection, or the capture, ends now
	unshown    int64 // findings without evidence
}

// A evidenceRequest is a finding that waits for its evidence, as it was when it was reported.
type evidenceRequest struct {
	finding.Finding
	key      *finding.Finding
	rpc      rpcKey // what it is about, if that is an RPC
	many     bool   // no shard shows it
	exhibits []evidence.Exhibit
	due      int64 // frames of its connection by when it has waited long enough
}

func newEvidenceRequest(f *finding.Finding, r *dissect.RPC) *evidenceRequest {
	return &evidenceRequest{Finding: *f, key: f, rpc: rpcKey{f.Connection, r}}
}

// refs are the frames that it is about, that which shows it first.
func (w *evidenceRequest) refs() []flow.Ref {
	refs := append([]flow.Ref{w.Frame}, refsOf(w.Bytes)...)
	slices.SortStableFunc(refs[1:], flow.Ref.Compare)
	return refs
}

// blames are the frames that it is about.
func (w *evidenceRequest) blames() []ladder.Blame {
	list := []ladder.Blame{{Frame: w.Frame, Rule: w.ID()}}
	for _, r := range refsOf(w.Bytes) {
		list = append(list, ladder.Blame{Frame: r, Rule: w.ID()})
	}
	return list
}

// An rpcEvidence is what a part has of an RPC that may have it in the page.
type rpcEvidence struct {
	item    evidence.Item
	request ladder.Request
	// pieces are where the messages lie that the first exhibits are, nil for others.
	pieces []dissect.Pieces
}

// An rpcKey finds what waits for the end of an RPC, which another may be made of afterwards: it is
// distinguished from others, and not looked at.
type rpcKey struct {
	conn *dissect.Connection
	rpc  *dissect.RPC
}

// An openItem is evidence that lacks only its ladder.
type openItem struct {
	item     evidence.Item
	request  ladder.Request
	requests []*evidenceRequest
}

func refsOf(places []flow.Place) (list []flow.Ref) {
	for _, p := range places {
		list = append(list, p.Ref)
	}
	return list
}
