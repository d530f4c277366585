package html

import (
	"github.com/rdmacap/rdmacap/report/html/ladder"
	"github.com/rdmacap/rdmacap/report/rules"
)

// crossConnectionFinding takes a finding that was reported across connections.
func (h *Page) crossConnectionFinding(n rules.NewFinding) {
	if !h.opts.Selection.Has(n.Finding) {
		return
	}
	if n.Many {
		n.RPC = nil // no shard has made its evidence
	}
	w := newEvidenceRequest(n.Finding, n.RPC)
	w.many = n.Many
	h.newFinding(w)
}

// newFinding takes a finding that was just reported.
func (h *Page) newFinding(w *evidenceRequest) {
	h.numbers.key(w.key)
	if h.choice.repeats(&w.Finding) || !h.page.Room(share(w.Severity)) {
		h.requests.unshown++
		return
	}
	delete(h.numbers.items, w.key) // what is certain takes the place of what was in doubt
	if h.requests.ending {
		h.seeFrames(w, nil)
		h.showWithoutRPC(w)
		return
	}
	h.requests.new = append(h.requests.new, w)
	switch {
	case w.rpc.rpc != nil && h.requests.pending < mostPending:
		h.requests.pending++
		h.requests.waiting[w.rpc] = append(h.requests.waiting[w.rpc], w)
	default:
		if w.Connection != nil {
			w.due = h.states.at(w.Connection).frames + ladder.Around
		}
		h.requests.withoutRPC = append(h.requests.withoutRPC, w)
	}
}

// over takes an RPC that is over: its row, and its evidence if that is kept. Texts are those
// of its queue, its own from one on.
func (h *Page) over(x *rpcItem, texts [][]byte, from int) {
	h.stats.Count(x.conn, &x.fact)
	h.rpcChecked(x, texts, from)
	x.evidence = nil
	if x.failed {
		h.seriesOf(x.conn).Failed(x.failedAt)
		h.whole.Failed(x.failedAt)
	}
}

func (h *Page) rpcChecked(x *rpcItem, texts [][]byte, from int) {
	wants := h.requests.waiting[x.key]
	if wants != nil {
		delete(h.requests.waiting, x.key)
		h.requests.pending -= len(wants)
	}
	if !x.made || wants == nil && h.page.NextRow() < 0 {
		h.page.Skip() // without a row nobody would come to its evidence
		return
	}
	severity := max(x.severity, h.worst(h.check.CrossConnection().CheckedRPC(x.checked)))
	for _, w := range wants {
		severity = max(severity, w.Severity)
	}
	row := &x.row
	row.Connection, row.Start, row.Severity = x.conn.ID, h.since(row.Start), uint8(severity)
	h.textNumbers = h.textNumbers[:0]
	for _, text := range texts[from:x.texts] {
		h.textNumbers = append(h.textNumbers, h.page.Text(text))
	}
	h.columns.Numbered(row.Lists, from, h.textNumbers)
	tells := len(wants) > 0 || h.choice.informative(&h.states.at(x.conn).sampled, h.kindOf(row, severity), h.page.Room(anyway)) && h.page.Room(share(0))
	if tells && x.evidence != nil {
		h.requests.open = append(h.requests.open, h.openItem(x.evidence, wants))
		row.Evidence = h.page.NextItem() + len(h.requests.open)
		for _, w := range wants {
			h.numbers.addEvidence(w.key, row.Evidence-1)
		}
	}
	h.page.Row(row)
}

// openItem is the evidence of an RPC, without its ladder, for some of the findings that it
// may be for.
func (h *Page) openItem(e *rpcEvidence, wants []*evidenceRequest) openItem {
	o := openItem{item: e.item, request: e.request, requests: wants}
	o.item.Row = h.page.NextRow()
	for _, w := range wants {
		for n, pieces := range e.pieces {
			o.item.Exhibits[n].Bad = append(o.item.Exhibits[n].Bad, badOf(pieces, w.Bytes)...)
		}
		if o.item.Finding == 0 {
			o.item.Finding = h.numbers.key(w.key)
		}
		o.request.Blamed = append(o.request.Blamed, w.blames()...)
	}
	return o
}
