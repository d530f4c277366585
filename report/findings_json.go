package report

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/rules"
)

// findingsJSON writes findings as records: those of a connection between its two
// records, those of the whole capture behind all connections.
type findingsJSON struct{ j *JSON }

// NewFindingsJSON returns Findings that write records to w: one array, or one
// object a line.
func NewFindingsJSON(w io.Writer, array bool, o CheckOptions) *Findings {
	return newFindings(&findingsJSON{NewJSON(w, array, o.Options)}, o)
}

func (x *findingsJSON) starts(int64)                   {}
func (x *findingsJSON) announce(c *dissect.Connection) { x.j.Connection(c, false) }
func (x *findingsJSON) Flush() error                   { return x.j.Flush() }
func (x *findingsJSON) Err() error                     { return x.j.Err() }

func (x *findingsJSON) found(f *found) {
	f.all(func(one *rules.Finding) {
		b := x.j.begin("finding")
		x.j.finding(b, one, f.ids)
		x.j.end()
	})
	if f.connection == nil {
		return
	}
	b := x.j.begin("connection_findings")
	b.int("connection", int64(f.connection.ID))
	b.object("findings")
	f.tally.members(b)
	b.close('}')
	b.gates("not_checked", f.gates)
	x.j.end()
	x.j.Connection(f.connection, true)
}

func (x *findingsJSON) finish(e *ending) error {
	x.j.found = e.tally
	return x.j.Finish(e.Summary, e.elapsed)
}

// gates appends what could not be checked.
func (b *jsonBuffer) gates(name string, list []Gate) {
	b.list(name)
	for _, g := range list {
		b.object("")
		b.str("what", g.What)
		b.str("why", g.Why)
		b.close('}')
	}
	b.close(']')
}

// finding appends the members of a finding record.
func (j *JSON) finding(b *jsonBuffer, f *rules.Finding, ids map[*rules.Finding]int64) {
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
	j.octets(b, f.Octets)
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
		b.close('}')
	}
	b.close(']')
	if f.Cause != nil {
		b.int("caused_by", ids[f.Cause])
	} else {
		b.null("caused_by")
	}
}

// octets appends those at fault.
func (j *JSON) octets(b *jsonBuffer, list []flow.Place) {
	b.list("bytes")
	for _, p := range list {
		b.object("")
		j.place(b, p.Ref)
		b.int("offset", int64(p.Offset))
		b.int("length", int64(p.Length))
		b.close('}')
	}
	b.close(']')
}

// evidence appends an object with a member for each value. Two of one name get
// numbers, since the names in an object are unique.
func evidence(b *jsonBuffer, list []rules.Evidence) {
	b.object("evidence")
	used := make(map[string]bool)
	for _, e := range list {
		name := e.Name
		for n := 2; used[name]; n++ {
			name = e.Name + " " + strconv.Itoa(n)
		}
		used[name] = true
		b.object(string(appendJSONText(nil, name)))
		b.value("observed", e.Observed)
		b.value("expected", e.Expected)
		b.close('}')
	}
	b.close('}')
}

// value appends what a rule observed or expected: what has a name by its name,
// numbers as numbers.
func (b *jsonBuffer) value(name string, v any) {
	if s, ok := v.(fmt.Stringer); ok {
		b.str(name, s.String())
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
func (b *jsonBuffer) float(name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		b.null(name)
		return
	}
	b.name(name)
	b.b = strconv.AppendFloat(b.b, v, 'g', -1, 64)
}
