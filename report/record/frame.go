package record

import (
	"encoding/hex"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/exhibit"
	"github.com/rdmacap/rdmacap/report/words"
)

// frame appends the members of a frame record.
func (j *JSON) frame(b *buffer, v *dissect.FrameView) {
	members(j, b, j.framed, v, (*JSON).frameStructure)
}

// frameStructure appends a member that is more than one value, or that is worded elsewhere.
func (j *JSON) frameStructure(b *buffer, name string, v *dissect.FrameView) {
	switch name {
	case "frame":
		j.place(b, v.Frame.Ref())
	case "source":
		b.textFrom(name, v.Link.Src().AppendTo)
	case "destination":
		b.textFrom(name, v.Link.Dst().AppendTo)
	case "tcp_flags":
		b.textFrom(name, v.Link.TCP.Flags.AppendTo)
	case "units":
		units(b, name, v)
	case "connection":
		if v.Connection == nil {
			b.null(name)
			return
		}
		b.number(name, v.Connection)
	case "message":
		if v.Message == nil {
			b.null(name)
			return
		}
		b.object(name)
		j.message(b, v.Message)
		b.Close('}')
	case "malformed":
		b.strOrNull(name, fault(v))
	case "comments":
		b.list(name)
		for _, c := range v.Frame.Comments() {
			b.str("", c)
		}
		b.Close(']')
	}
}

// fault is the first fault in the headers, "" if there is none.
func fault(v *dissect.FrameView) string {
	bad := v.Link.Fault().String()
	if bad == "" {
		bad = words.IbFault(v)
	}
	for i := range v.Verdict.Units {
		if bad == "" {
			bad = words.UnitFault(&v.Verdict.Units[i])
		}
	}
	return bad
}

// exhibits appends the field trees and bytes that were asked for.
func (j *JSON) exhibits(b *buffer, of func() []exhibit.Exhibit) {
	if !j.opts.Details && !j.opts.Hex {
		return
	}
	b.list("details")
	for _, e := range of() {
		b.object("")
		b.str("title", e.Title(j.opts.Files > 1))
		if j.opts.Hex {
			b.str("octets", hex.EncodeToString(e.Bytes))
		}
		nodes(b, "fields", e.Nodes)
		b.Close('}')
	}
	b.Close(']')
}

func nodes(b *buffer, name string, list []field.Node) {
	b.list(name)
	for i := range list {
		n := &list[i]
		b.object("")
		b.str("name", n.Name)
		if n.Key != "" {
			b.str("key", n.Key)
		}
		if n.Value != "" {
			b.str("value", n.Value)
		}
		b.int("start", int64(n.Start))
		b.int("end", int64(n.End))
		if n.Fault != "" {
			b.str("fault", n.Fault)
		}
		if len(n.Children) > 0 {
			nodes(b, "fields", n.Children)
		}
		b.Close('}')
	}
	b.Close(']')
}
