package html

import (
	"fmt"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/page/visible"
	"github.com/rdmacap/rdmacap/report/words"
)

// mostPlaces is of how many findings that say the same as one in the page the place is named.
const mostPlaces = 24

// found are the findings at the root that have room in the page, those that say the same once.
type found = finding.Digest[piece]

// A piece of the page is a finding at the root with what it explains.
type piece struct {
	html  visible.HTML // without numbers
	kinds []ruleKind   // of what is shown, in the order of the page
	slot  *slot
}

func newFound(room int64) found {
	return found{Room: room, Places: mostPlaces, Size: func(x *finding.Alike[piece]) int64 {
		size := len(x.Value.html) + 64 // where the others are reported to be
		for _, p := range x.Places {
			size += len(p)
		}
		return int64(size)
	}}
}

// keep keeps a finding at the root if there is room, and says where it will stand: nil if nowhere.
func (h *Page) keep(root *finding.Finding) (at *slot) {
	shows := false
	finding.Walk([]*finding.Finding{root}, func(f *finding.Finding) { shows = shows || len(h.numbers.items[f]) > 0 })
	when := h.when(root)
	x := h.found.Add(root, string(markup.Place(h.whereElse(root), &when)), shows, func(old piece) piece {
		p := piece{html: h.findingOf(root).HTML(), slot: old.slot}
		if p.slot == nil {
			p.slot = new(slot)
		}
		p.slot.shown = p.slot.shown[:0]
		p.list(root)
		return p
	})
	if x == nil {
		return nil
	}
	return x.Value.slot
}

// list notes which findings are shown, and where: what is not shown again stands where it is shown.
func (p *piece) list(f *finding.Finding) {
	p.slot.shown = append(p.slot.shown, len(p.kinds))
	p.kinds = append(p.kinds, kindOfRule(f))
	at := make([]int, len(f.Effects))
	for i, e := range f.Effects {
		before := sameBefore(f.Effects, i)
		if at[i] = at[before]; before == i {
			at[i] = len(p.kinds)
			p.list(e)
			continue
		}
		finding.Walk([]*finding.Finding{e}, func(*finding.Finding) { p.slot.shown = append(p.slot.shown, at[i]) })
	}
}

// sameBefore is the index of the first of some findings that is of the same rule and place as the one at i: that itself, if
// it is the first.
func sameBefore(list []*finding.Finding, i int) int {
	for n, x := range list[:i] {
		if y := list[i]; x.ID() == y.ID() && x.Frame == y.Frame && x.HasXID == y.HasXID && x.XID == y.XID {
			return n
		}
	}
	return i
}

// whereElse says where a finding is that says the same as another.
func (h *Page) whereElse(f *finding.Finding) (list []markup.Part) {
	if c := f.Connection; c != nil {
		list = append(list, connectionPart(c.ID), markup.Part{Text: ", "})
	}
	list = append(list, h.framePart(f.Frame))
	if f.HasXID {
		list = append(list, markup.Part{Text: visible.Text(", RPC" + words.NBSP)}, rpcPart(f.XID))
	}
	return list
}

// pieces are the findings of the page with their numbers, from 1 in its order: that of which the verdict speaks first, then what
// hurts most.
func (h *Page) pieces() (list []visible.HTML) {
	number := 1
	for _, x := range h.found.SortedFor(&h.end) {
		p := &x.Value
		list = append(list, markup.Numbered(p.html, number, sameAs(x)))
		p.slot.first = number
		for _, kind := range p.kinds {
			h.rules.stands(kind, number)
			number++
		}
	}
	return list
}

// sameAs says where the others are that say the same.
func sameAs(x *finding.Alike[piece]) visible.HTML {
	others := x.N - 1
	if others == 0 {
		return ""
	}
	intro := fmt.Sprintf("Also on %s:", words.AppendCount(nil, others, "more connection"))
	if x.Connections != x.N {
		intro = fmt.Sprintf("Also %s:", words.AppendCount(nil, others, "more time"))
	}
	places := make([]visible.HTML, len(x.Places))
	for i, p := range x.Places {
		places[i] = visible.HTML(p)
	}
	return markup.Same(visible.Text(intro), places, others-int64(len(places)))
}
