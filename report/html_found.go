package report

import (
	"fmt"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/rules"
)

// found takes what a connection came to.
func (h *HTML) found(f *found) {
	for _, root := range f.roots {
		h.order++
		if weight := int64(root.Worst()); h.findings.Takes(weight) {
			h.findings.Add(weight, h.order, h.findingOf(root).HTML())
		}
		h.first.see(root, h.order)
	}
	f.all(func(x *rules.Finding) {
		h.rules.add(x, h.number(x))
		delete(h.items, x)
		delete(h.numbers, x)
	})
	if f.connection != nil {
		h.connectionOver(f)
	}
}

// findingOf is a finding, and those that it explains, for the page.
func (h *HTML) findingOf(f *rules.Finding) *page.Finding {
	p := &page.Finding{
		Number: h.number(f), Evidence: h.items[f], ID: f.ID(), Severity: f.Severity.String(),
		Title: page.Text(findingTitle(f)), Message: page.Text(sentence(f.Message)),
		Where: h.where(f), Doubt: page.Text(f.Doubt),
		Meaning: page.Text(f.Rule.Meaning), Why: page.Text(f.Rule.Why), Reference: page.Text(f.Rule.Reference),
		Effect: f.Cause != nil,
	}
	if f.Cause == nil {
		p.Advice = page.Text(f.WhatToDo())
	}
	for _, e := range f.Evidence {
		v := page.Value{Name: page.Text(e.Name), Observed: page.Text(fmt.Sprint(e.Observed))}
		if e.Expected != nil {
			v.Expected = page.Text(fmt.Sprint(e.Expected))
		}
		p.Values = append(p.Values, v)
	}
	p.Octets = page.Text(h.say.octets(f))
	for _, c := range f.Consequences {
		p.Consequences = append(p.Consequences, []page.Part{h.framePart(c.Frame), {Text: page.Text(h.afterwards(f, c) + ": " + c.Text)}})
	}
	if f.Count > 1 {
		p.Repeated = []page.Part{
			{Text: page.Text("Found " + strconv.FormatInt(f.Count, 10) + " times on this connection, last in ")},
			h.framePart(f.Last), {Text: page.Text(h.say.at(f.LastTime) + ".")},
		}
	}
	for _, e := range f.Effects {
		p.Effects = append(p.Effects, h.findingOf(e))
	}
	return p
}

// framePart names a frame, as a link.
func (h *HTML) framePart(r flow.Ref) page.Part {
	return page.Part{Text: page.Text(h.say.frameName(r)), Link: h.frameLink(r)}
}

// frameLink is what the page calls a frame.
func (h *HTML) frameLink(r flow.Ref) string {
	return "frame-" + r.Name(h.opts.Files > 1)
}

// afterwards is how long after a finding something came, "" if that is not known.
func (h *HTML) afterwards(f *rules.Finding, c rules.Consequence) string {
	if c.Time == 0 || f.LastTime == 0 || c.Time < f.LastTime {
		return ""
	}
	return ", " + string(field.AppendDuration(nil, c.Time-f.LastTime)) + " later"
}

// others are the further frames that show a finding, in brackets: the first ones by name.
func (h *HTML) others(f *rules.Finding) (list []page.Part) {
	const named = 3
	separator := " (and" + nbsp
	left := 0
	for _, r := range f.Frames {
		switch {
		case r == f.Frame:
			continue
		case len(list) == 2*named:
			left++
			continue
		}
		list = append(list, page.Part{Text: page.Text(separator)}, h.framePart(r))
		separator = ", "
	}
	switch {
	case left > 0:
		list = append(list, page.Part{Text: page.Text(fmt.Sprintf(" and"+nbsp+"%d"+nbsp+"more)", left))})
	case len(list) > 0:
		list = append(list, page.Part{Text: ")"})
	}
	return list
}

// where is the connection, the frame, the RPC, the direction and the time of a
// finding.
func (h *HTML) where(f *rules.Finding) (list []page.Part) {
	text := func(s string) { list = append(list, page.Part{Text: page.Text(s)}) }
	if c := f.Connection; c != nil {
		list = append(list, page.Part{Text: page.Text(fmt.Sprintf("connection"+nbsp+"%d", c.ID)), Link: fmt.Sprintf("connection-%d", c.ID)})
		text(", ")
	}
	list = append(list, h.framePart(f.Frame))
	list = append(list, h.others(f)...)
	if f.HasXID {
		text(", RPC" + nbsp)
		xid := string(appendHandle(nil, f.XID))
		list = append(list, page.Part{Text: page.Text(xid), Link: "rpc-" + xid})
	}
	if f.Call != "" {
		text(", " + f.Call)
	}
	if c := f.Connection; f.HasFrom && c != nil {
		text(", " + sender(c, f.From) + nbsp + "→" + nbsp + sender(c, f.From.Peer()))
	}
	text(h.say.at(f.Time))
	return list
}
