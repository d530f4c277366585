package record

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/jsontext"
)

// tally appends the counts as members.
func (b *buffer) tally(t *finding.Tally) {
	for _, s := range finding.Severities() {
		b.int(s.String(), *t.Of(s))
	}
}

// overview appends what was found on all connections together.
func (b *buffer) overview(list []*finding.OverviewRow, several bool) {
	b.list("overview")
	for _, r := range list {
		b.object("")
		b.str("rule", r.ID)
		b.str("severity", r.Severity.String())
		b.str("title", r.Title)
		b.int("connections", r.Connections)
		b.int("count", r.Count)
		if several {
			b.int("first_file", int64(r.First.File))
		}
		b.int("first_frame", r.First.Number)
		b.str("worst", r.Worst)
		b.Close('}')
	}
	b.Close(']')
}

// limitations appends what could not be checked.
func (b *buffer) gates(name string, list []finding.Gate) {
	b.list(name)
	for _, g := range list {
		b.object("")
		b.str("what", g.What)
		b.str("why", g.Why)
		b.Close('}')
	}
	b.Close(']')
}

// finding appends the members of a finding record.
func (j *JSON) finding(b *buffer, f *finding.Finding, ids map[*finding.Finding]int64) {
	b.finding("id", f, ids)
	b.str("rule", f.ID())
	b.str("severity", f.Severity.String())
	b.str("title", f.Title())
	if c := f.Rule.Case(f.Letter); f.Letter != "" && c != nil {
		b.str("case", c.Title)
	}
	b.str("message", f.Message)
	if c := f.Connection; c != nil {
		b.number("connection", c)
	} else {
		b.null("connection")
	}
	if f.HasXID {
		b.handle("xid", f.XID)
	} else {
		b.null("xid")
	}
	b.strOrNull("call", f.Call)
	j.place(b, f.Frame)
	j.frames(b, f.Frames)
	b.time("time", f.Time)
	if c := f.Connection; f.HasFrom && c != nil {
		direction(b, c.ToServer(f.From))
	} else {
		b.null("direction")
	}
	evidence(b, f.Evidence)
	j.bytes(b, f.Bytes)
	b.str("reference", f.Rule.Reference)
	b.str("advice", f.WhatToDo())
	if f.Doubt == "" {
		b.str("certainty", "certain")
	} else {
		b.str("certainty", "likely")
		b.str("why_uncertain", f.Doubt)
	}
	b.int("count", f.Count)
	if j.opts.Files > 1 {
		b.int("last_file", int64(f.Last.File))
	}
	b.int("last_frame", f.Last.Number)
	b.time("last_time", f.LastTime)
	b.list("consequences")
	for _, c := range f.Consequences {
		b.object("")
		j.place(b, c.Frame)
		b.time("time", c.Time)
		b.str("text", c.Text)
		b.Close('}')
	}
	b.Close(']')
	if f.Cause != nil {
		b.int("caused_by", ids[f.Cause])
	} else {
		b.null("caused_by")
	}
	b.bool("root", f.Cause == nil)
}

// bytes appends those at fault.
func (j *JSON) bytes(b *buffer, list []flow.Place) {
	b.list("bytes")
	for _, p := range list {
		b.object("")
		j.place(b, p.Ref)
		b.int("offset", int64(p.Offset))
		b.int("length", int64(p.Length))
		b.Close('}')
	}
	b.Close(']')
}

// evidence appends an object with a member for each value. Two of one name get
// numbers, since the names in an object are unique.
func evidence(b *buffer, list []finding.Evidence) {
	b.object("evidence")
	used := make(map[string]bool)
	for _, e := range list {
		key := e.Key()
		name := key
		for n := 2; used[name]; n++ {
			name = key + " " + strconv.Itoa(n)
		}
		used[name] = true
		b.object(string(jsontext.AppendInside(nil, name)))
		b.value("observed", e.Observed)
		b.value("expected", e.Expected)
		b.Close('}')
	}
	b.Close('}')
}

// value appends what a rule observed or expected: what has a name by its name,
// numbers as numbers.
func (b *buffer) value(name string, v any) {
	switch v := v.(type) {
	case finding.Nanoseconds:
		b.int(name, int64(v))
		return
	case finding.Bound:
		b.value(name, v.Limit())
		return
	case fmt.Stringer:
		b.str(name, v.String())
		return
	}
	switch r := reflect.ValueOf(v); {
	case !r.IsValid():
		b.null(name)
	case r.CanInt():
		b.int(name, r.Int())
	case r.CanUint():
		b.uint(name, r.Uint())
	case r.CanFloat():
		b.float(name, r.Float())
	case r.Kind() == reflect.Bool:
		b.bool(name, r.Bool())
	default:
		b.str(name, fmt.Sprint(v))
	}
}

// float appends a number, null for what is none.
func (b *buffer) float(name string, v float64) {
	b.Name(name)
	b.Float(v)
}
