package dataset

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/query"
)

// Wanted are the datasets that are written.
type Wanted struct{ RPCs, Messages, Findings, Connections, Frames bool }

// Names are what the datasets are called, in their order: those of Wanted.
func Names() []string { return []string{"rpcs", "messages", "findings", "connections", "frames"} }

// set has a dataset written, by its name, and reports whether there is one.
func (w *Wanted) set(name string) bool {
	all := map[string]*bool{"rpcs": &w.RPCs, "messages": &w.Messages, "findings": &w.Findings, "connections": &w.Connections, "frames": &w.Frames}
	want, ok := all[name]
	if ok {
		*want = true
	}
	return ok
}

// Parse reads a list of names: "rpcs,findings". If there is no dataset of one of them, which may be
// empty, it returns that name and false.
func Parse(list string) (w Wanted, unknown string, ok bool) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); !w.set(name) {
			return w, name, false
		}
	}
	return w, "", true
}

// columns are those of a dataset: first the capture, which ties the datasets of one together, then
// what rows have.
func columns(fields ...*node) []*node {
	return append([]*node{{name: "capture", kind: word}}, fields...)
}

// bothEnds are the addresses of a connection.
func bothEnds() []*node { return []*node{{name: "client", kind: word}, {name: "server", kind: word}} }

func rpcColumns() []*node {
	named := append(bothEnds(), &node{name: "operation", kind: word})
	return columns(append(named, nodes(query.RPCMembers(), func(name string) []*node {
		switch name {
		case "call", "reply":
			return []*node{{name: name, kind: group, fields: append(messageFields(),
				&node{name: "rpc_length", kind: number}, &node{name: "transfer", kind: word})}}
		case "ops":
			return []*node{{name: name, kind: groups, fields: []*node{{name: "op", kind: word}, {name: "status", kind: word}}}}
		case "parts_ns":
			parts := &node{name: name, kind: group}
			for x := range dissect.NumPhases {
				parts.fields = append(parts.fields, &node{name: x.String(), kind: number})
			}
			return []*node{parts}
		}
		return places(name)
	})...)...)
}

// places are a frame or some, with their files, and the number of a connection.
func places(name string) []*node {
	switch name {
	case "connection":
		return []*node{{name: name, kind: ordinal}}
	case "frame":
		return []*node{{name: name, kind: number}, {name: "file", kind: number}}
	case "frames":
		return []*node{{name: name, kind: numbers}, {name: "frame_files", kind: numbers}}
	}
	return nil
}

func messageFields() []*node { return nodes(query.MessageMembers(), places) }

func messageColumns() []*node { return columns(append(bothEnds(), messageFields()...)...) }

func frameColumns() []*node {
	return columns(nodes(query.FrameMembers(), func(name string) []*node {
		if name == "message" {
			return []*node{{name: name, kind: group, fields: messageFields()}}
		}
		return places(name)
	})...)
}

func connectionColumns() []*node {
	return columns(nodes(query.ConnectionMembers(), func(name string) []*node {
		switch name {
		case "first_frame":
			return []*node{{name: "file", kind: number}, {name: name, kind: number}}
		case "final":
			return []*node{} // only what is final is written
		}
		return nil
	})...)
}

// findingColumns are the members of the records that package record writes of findings.
func findingColumns() []*node {
	of := func(k kind, names ...string) (list []*node) {
		for _, name := range names {
			list = append(list, &node{name: name, kind: k})
		}
		return list
	}
	return columns(slices.Concat(
		bothEnds(),
		of(number, "id"), of(word, "rule", "severity", "title", "case"), of(text, "message"), of(ordinal, "connection"),
		of(text, "xid"), of(word, "call"), of(number, "frame", "file"), of(numbers, "frames", "frame_files"), of(moment, "time"),
		of(word, "direction"), of(document, "evidence", "bytes"), of(word, "reference", "advice", "certainty"), of(text, "why_uncertain"),
		of(number, "count", "last_frame", "last_file"), of(moment, "last_time"), of(document, "consequences"),
		of(number, "caused_by"), of(truth, "root", "final"),
	)...)
}
