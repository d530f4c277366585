package report

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/rules"
)

// What shows a finding is gathered when it is said, since soon nothing of it is left:
//
//	Fresh ──> fresh ──Frame──> its frames' octets ─┬─> loose: some frames later, ladder ──> page
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

// A want is a finding that waits for its evidence.
type want struct {
	*rules.Finding
	exhibits []page.Exhibit
	due      int64 // frames of its connection by when it has waited long enough
}

// An rpcKey finds what waits for the end of an RPC.
type rpcKey struct {
	conn      *dissect.Connection
	requester flow.End
	xid       uint32
}

func keyOf(r *dissect.RPC) rpcKey { return rpcKey{r.Connection, r.Requester, r.XID} }

// An openItem is evidence that lacks only its ladder.
type openItem struct {
	item   page.Item
	wish   ladderWish
	wants  []*want
	frames []page.Exhibit // those of the wants
}

// number is that of a finding in the page.
func (h *HTML) number(f *rules.Finding) int {
	n := h.numbers[f]
	if n == 0 {
		h.numbered++
		n = h.numbered
		h.numbers[f] = n
	}
	return n
}

// Fresh implements rules.Watcher.
func (h *HTML) Fresh(f *rules.Finding, r *dissect.RPC) {
	if !h.Findings.opts.Selection.Has(f) {
		return
	}
	h.number(f)
	if h.repeats(f) || !h.page.Room(share(f.Severity)) {
		h.unshown++
		return
	}
	delete(h.items, f) // what is certain takes the place of what was in doubt
	w := &want{Finding: f}
	if h.ending {
		h.seeFrames(w, nil)
		h.showLoose(w)
		return
	}
	h.fresh = append(h.fresh, w)
	switch {
	case r != nil && h.pending < mostPending:
		h.pending++
		h.waiting[keyOf(r)] = append(h.waiting[keyOf(r)], w)
	default:
		if f.Connection != nil {
			w.due = h.stateOf(f.Connection).frames + ladderAround
		}
		h.loose = append(h.loose, w)
	}
}

// Judged implements rules.Watcher.
func (h *HTML) Judged(_ *dissect.RPC, said []rules.Said) {
	for _, s := range said {
		if h.Findings.opts.Selection.Has(s.Finding) {
			h.severity = max(h.severity, s.Finding.Severity)
		}
	}
}

// judged takes an RPC that is over: its row, and its evidence if that is kept.
func (h *HTML) judged(r *dissect.RPC) {
	key := keyOf(r)
	wants := h.waiting[key]
	if wants != nil {
		delete(h.waiting, key)
		h.pending -= len(wants)
	}
	severity := h.severity
	h.severity = 0
	for _, w := range wants {
		severity = max(severity, w.Severity)
	}
	if wants == nil && h.page.NextRow() < 0 {
		h.page.Skip() // without a row nobody would come to its evidence
		return
	}
	row := h.rowOf(r)
	row.Severity = uint8(severity)
	if len(wants) > 0 || h.telling(r, row, severity) && h.page.Room(share(0)) {
		h.open = append(h.open, h.itemOf(r, row, wants))
		row.Evidence = h.page.NextItem() + len(h.open)
		for _, w := range wants {
			h.items[w.Finding] = append(h.items[w.Finding], row.Evidence-1)
		}
	}
	h.page.Row(row)
}

// itemOf is the evidence of an RPC without its ladder.
func (h *HTML) itemOf(r *dissect.RPC, row *page.Row, wants []*want) openItem {
	o := openItem{wants: wants}
	i := &o.item
	i.Row, i.Title = h.page.NextRow(), row.Name+", RPC "+string(appendHandle(nil, r.XID))+", "+row.Status
	i.Ops = h.operations(r)
	places := placesOf(wants)
	list := exhibit.OfRPC(r)
	messages := messagesOf(r)
	for n := range list {
		p := h.exhibitOf(&list[n])
		if n < len(messages) && messages[n] != nil {
			m := messages[n]
			p.Bad = badOf(m, places)
			if len(m.Frames) == 1 {
				p.Frame, p.Part = frameOf(m.Frame()), true
			}
		}
		i.Exhibits = append(i.Exhibits, p)
	}
	w := &o.wish
	*w = ladderWish{conn: r.Connection, frames: slices.Clone(r.Frames), call: lastRef(r.Call), reply: lastRef(r.Reply), name: row.Name, status: row.Status, named: r.CallHeader() != nil, chunks: chunksOf(r)}
	for _, x := range wants {
		if i.Finding == 0 {
			i.Finding = h.number(x.Finding)
		}
		w.blamed = append(w.blamed, x.blames()...)
	}
	return o
}

// messagesOf are the messages that the first exhibits of an RPC are, nil for one that
// is the long message behind it.
func messagesOf(r *dissect.RPC) (list []*dissect.Message) {
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if m == nil {
			continue
		}
		list = append(list, m)
		if m.Transfer == dissect.Long {
			list = append(list, nil)
		}
	}
	return list
}

func placesOf(wants []*want) (list []flow.Place) {
	for _, w := range wants {
		list = append(list, w.Octets...)
	}
	return list
}

func refsOf(places []flow.Place) (list []flow.Ref) {
	for _, p := range places {
		list = append(list, p.Ref)
	}
	return list
}

// operations are those of an RPC, each with what was asked for and what came of it.
func (h *HTML) operations(r *dissect.RPC) (list []page.Op) {
	w := &h.words
	args, result := bodies(r)
	for n := range w.ops {
		op := &w.ops[n]
		one := page.Op{Name: op.Name, Status: op.Status}
		var b []byte
		switch {
		case op.Args < 0 && op.Result < 0:
			b = w.appendOperations(b, r)
		default:
			if op.Args >= 0 && args != nil {
				b = trimName(view.AppendOperation(b, &args.Walker, op.Args), op.Name)
			}
			if op.Result >= 0 && result != nil {
				w.result = view.AppendOperation(w.result[:0], &result.Walker, op.Result)
				b = appendOutcome(b, 0, trimName(w.result, op.Name), op.Status)
			} else if r.Reply != nil && op.Result < 0 {
				one.Status = "not reached"
			}
		}
		one.Detail = string(b)
		list = append(list, one)
	}
	return list
}
