package html

import (
	"fmt"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/page/visible"
	"github.com/rdmacap/rdmacap/report/words"
)

// Found takes what a connection came to.
func (h *Page) Found(f *finding.Found) {
	for _, root := range f.Roots {
		finding.Walk([]*finding.Finding{root}, h.rules.countFinding)
		h.numbers.place(root, h.keep(root))
	}
	if f.Connection != nil {
		h.connectionOver(f)
	}
}

// findingOf is a finding, and those that it explains, for the page.
func (h *Page) findingOf(f *finding.Finding) *markup.Finding {
	p := &markup.Finding{
		Evidence: h.numbers.items[f], ID: f.ID(), Severity: f.Severity.String(),
		Title: visible.Text(words.FindingTitle(f)), Message: visible.Text(words.Sentence(f.Message)),
		Where: h.where(f), Doubt: visible.Text(f.Doubt),
		Meaning: visible.Text(f.Rule.Meaning), Why: visible.Text(f.Rule.Why), Reference: visible.Text(f.Rule.Reference),
		Effect: f.Cause != nil, When: h.when(f),
	}
	if f.Cause == nil {
		p.Advice = visible.Text(f.WhatToDo())
	}
	for _, e := range f.Evidence {
		v := markup.Value{Name: visible.Text(e.Name), Observed: visible.Text(fmt.Sprint(e.Observed))}
		if e.Expected != nil {
			v.Expected = visible.Text(fmt.Sprint(e.Expected))
		}
		p.Values = append(p.Values, v)
	}
	p.Bytes = visible.Text(h.place().Bytes(f))
	for _, c := range f.Consequences {
		p.Consequences = append(p.Consequences, []markup.Part{h.framePart(c.Frame), {Text: visible.Text(words.Later(f, c) + ": " + c.Text)}})
	}
	if f.Count > 1 {
		p.Repeated = []markup.Part{
			{Text: visible.Text("Found " + strconv.FormatInt(f.Count, 10) + " times on this connection, last in ")},
			h.framePart(f.Last), {Text: visible.Text(h.place().At(f.LastTime) + ".")},
		}
	}
	for i, e := range f.Effects {
		if sameBefore(f.Effects, i) == i {
			p.Effects = append(p.Effects, h.findingOf(e))
		}
	}
	return p
}

// when is when a finding was found.
func (h *Page) when(f *finding.Finding) markup.When {
	if f.Time == 0 {
		return markup.When{}
	}
	w := markup.When{Known: true, First: h.since(f.Time), Last: max(h.since(f.Time), h.since(f.LastTime))}
	for _, s := range f.Stretches.All() {
		w.Stretches = append(w.Stretches, markup.Stretch{From: h.since(s.From), To: h.since(s.To)})
	}
	return w
}

// framePart names a frame, as a link.
func (h *Page) framePart(r flow.Ref) markup.Part {
	return markup.Part{Text: visible.Text(h.place().Frame(r)), Link: h.frameLink(r)}
}

// connectionPart names a connection, as a link.
func connectionPart(id int) markup.Part {
	return markup.Part{Text: visible.Text(fmt.Sprintf("connection"+words.NBSP+"%d", id)), Link: fmt.Sprintf("connection-%d", id)}
}

// rpcPart names an RPC, as a link.
func rpcPart(xid uint32) markup.Part {
	name := string(words.AppendHandle(nil, xid))
	return markup.Part{Text: visible.Text(name), Link: "rpc-" + name}
}

// frameLink is what the page calls a frame.
func (h *Page) frameLink(r flow.Ref) string {
	return "frame-" + r.Name(h.opts.Files > 1)
}

// others are the further frames that show a finding, in brackets: the first ones by name.
func (h *Page) others(f *finding.Finding) (list []markup.Part) {
	const named = 3
	separator := " (and" + words.NBSP
	left := 0
	for _, r := range f.Frames {
		switch {
		case r == f.Frame:
			continue
		case len(list) == 2*named:
			left++
			continue
		}
		list = append(list, markup.Part{Text: visible.Text(separator)}, h.framePart(r))
		separator = ", "
	}
	switch {
	case left > 0:
		list = append(list, markup.Part{Text: visible.Text(fmt.Sprintf(" and"+words.NBSP+"%d"+words.NBSP+"more)", left))})
	case len(list) > 0:
		list = append(list, markup.Part{Text: ")"})
	}
	return list
}

// where is the connection, the frame, the RPC, the direction and the time of a
// finding.
func (h *Page) where(f *finding.Finding) (list []markup.Part) {
	text := func(s string) { list = append(list, markup.Part{Text: visible.Text(s)}) }
	if c := f.Connection; c != nil {
		list = append(list, connectionPart(c.ID))
		text(", ")
	}
	list = append(list, h.framePart(f.Frame))
	list = append(list, h.others(f)...)
	if f.HasXID {
		text(", RPC" + words.NBSP)
		list = append(list, rpcPart(f.XID))
	}
	if f.Call != "" {
		text(", " + f.Call)
	}
	if c := f.Connection; f.HasFrom && c != nil {
		text(", " + words.Sender(c, f.From) + words.NBSP + "→" + words.NBSP + words.Sender(c, f.From.Peer()))
	}
	text(h.place().At(f.Time))
	return list
}
