package report

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/query"
	"github.com/rdmacap/rdmacap/report/page"
)

// A pageField is a field of the filter language that rows of the page can answer, in
// a column of their own or in one that they have anyway.
type pageField struct {
	name, column string
	cell         string // "" for a number, else what page.Field has
	near         bool   // values of a list are near those of the row before
	none         int64  // stands in a column for no value, if hasNone
	hasNone      bool
	// has reports whether an RPC may have values of a set; nil if any may.
	has func(r *dissect.RPC) bool
}

// pageFields are those fields. Those that are a set have their values from package
// query, so that they are what `rdmacap read -Y` looks at.
func pageFields(files int) []pageField {
	plain := func(name, column string) pageField { return pageField{name: name, column: column} }
	maybe := func(name, column string, none int64) pageField {
		return pageField{name: name, column: column, none: none, hasNone: true}
	}
	set := func(name string) pageField { return pageField{name: name, column: name, cell: "set"} }
	rarely := func(name string, has func(*dissect.RPC) bool) pageField {
		return pageField{name: name, column: name, cell: "set", has: has}
	}
	missing := maybe("rpc.missing", "missing", 0)
	missing.cell = "name"
	file := plain("frame.file", "file") // which is 0, if there is one
	if files > 1 {
		file = pageField{name: "frame.file", column: "frame.file", cell: "runs", near: true}
	}
	return []pageField{
		set("nfs.op"), set("rpc.procedure"), set("nfs.status"),
		maybe("rpc.latency", "latency", -1), plain("rpc.complete", "complete"), missing,
		set("rpc.status"), rarely("rpc.auth_stat", denied), plain("rpc.xid", "xid"), plain("rpc.reverse", "reverse"),
		set("rpc.program"), maybe("rpc.version", "version", -1), set("rpc.auth"), rarely("rpc.gss.service", secured), rarely("rpc.gss.proc", secured),
		maybe("rpc.call.length", "call_length", -1), maybe("rpc.reply.length", "reply_length", -1),
		set("rpc.transfer"), set("rpc.call.transfer"), set("rpc.reply.transfer"),
		plain("rpc.rdma_read_bytes", "read_bytes"), plain("rpc.rdma_write_bytes", "write_bytes"),
		plain("frame.time", "start"), plain("connection", "connection"),
		plain("ip.addr", "connection.addresses"), plain("port", "connection.ports"), plain("direction", "reverse"),
		plain("rdma.xid", "xid"), set("rdma.version"), set("rdma.proc"), rarely("rdma.error", refused),
		set("rdma.credits"), set("rdma.call.credits"), set("rdma.reply.credits"),
		set("rdma.reads.count"), set("rdma.writes.count"), set("rdma.reply"), set("rdma.segments.count"),
		{name: "nfs.name", column: "nfs.name", cell: "text"},
		{name: "nfs.fh", column: "nfs.fh", cell: "text"}, {name: "nfs.fh.hash", column: "nfs.fh", cell: "hash"},
		{name: "nfs.offset", column: "nfs.offset", cell: "list", near: true}, {name: "nfs.count", column: "nfs.count", cell: "list"},
		{name: "nfs.stateid", column: "nfs.stateid", cell: "text"}, {name: "nfs.stateid.hash", column: "nfs.stateid", cell: "hash"},
		{name: "nfs.stateid.seqid", column: "nfs.stateid.seqid", cell: "list"},
		{name: "frame.number", column: "frame.number", cell: "runs", near: true}, file,
		{name: "rdma.handle", column: "rdma.handle", cell: "list", near: true},
	}
}

// denied, secured and refused say of what few RPCs have.
func denied(r *dissect.RPC) bool { h := r.ReplyHeader(); return h != nil && h.Denied }
func secured(r *dissect.RPC) bool {
	h := r.CallHeader()
	return h != nil && h.Cred.Flavor == rpc.RPCSECGSS
}
func refused(r *dissect.RPC) bool {
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		if m != nil && m.Header.Proc == rpcrdma.RDMAError {
			return true
		}
	}
	return false
}

// A setColumn is a column of sets, and how an RPC fills it.
type setColumn struct {
	name   string
	has    func(r *dissect.RPC) bool
	values func(r *dissect.RPC, to *filter.Numbers)
}

// describeFields fills in the fields of the page from those of the language.
func (h *HTML) describeFields(sets *query.Sets) {
	fields := sets.Set(query.RPCs).Fields()
	for _, p := range pageFields(h.opts.Files) {
		at := slices.IndexFunc(fields, func(f filter.Field) bool { return f.Name == p.name })
		if at < 0 {
			continue
		}
		f := &fields[at]
		d := page.Field{Name: f.Name, Kind: kindWord(f.Kind), Doc: f.Doc, Column: p.column, Cell: p.cell, None: p.none, HasNone: p.hasNone}
		if f.Kind == filter.Enum {
			for name, value := range f.Names {
				d.Names = append(d.Names, page.NamedValue{Name: name, Value: value})
			}
		}
		if p.cell == "set" {
			values := sets.Numbers(f.Name)
			if values == nil {
				continue
			}
			h.columns = append(h.columns, setColumn{f.Name, p.has, values})
		}
		h.meta.Fields = append(h.meta.Fields, d)
	}
	h.lists = newListColumns(sets, pageFields(h.opts.Files))
	var here []string
	for _, f := range h.meta.Fields {
		here = append(here, f.Name)
	}
	for _, of := range [...]struct {
		level query.Level
		flag  string
	}{{query.RPCs, ""}, {query.Messages, "message"}, {query.Frames, "frame"}} {
		all := sets.Set(of.level).Fields()
		if names := elsewhere(all, here); names != nil {
			h.meta.Elsewhere = append(h.meta.Elsewhere, page.Elsewhere{Level: of.flag, Names: names})
		}
		for _, f := range all {
			here = append(here, f.Name)
		}
	}
}

// columnNames are the names of the columns of sets.
func (h *HTML) columnNames() (names []string) {
	for _, c := range h.columns {
		names = append(names, c.name)
	}
	return names
}

// kindWord is what the page calls a kind of values.
func kindWord(k filter.Kind) string {
	return map[filter.Kind]string{
		filter.Uint: "uint", filter.Int: "int", filter.Duration: "duration", filter.Bool: "bool", filter.String: "string",
		filter.Octets: "octets", filter.Address: "address", filter.Enum: "enum", filter.Time: "time",
	}[k]
}

// elsewhere are the fields that are not here, those whose first word none here has by
// that word alone.
func elsewhere(all []filter.Field, here []string) (list []string) {
	first := func(name string) string {
		word, _, _ := strings.Cut(name, ".")
		return word + "."
	}
	words := make(map[string]bool)
	names := make(map[string]bool)
	for _, name := range here {
		words[first(name)], names[name] = true, true
	}
	seen := make(map[string]bool)
	for _, f := range all {
		name := f.Name
		if names[name] {
			continue
		}
		if !words[first(name)] {
			name = first(name)
		}
		if !seen[name] {
			seen[name] = true
			list = append(list, name)
		}
	}
	return list
}

// fillSets gives a row the values of its set columns.
func (h *HTML) fillSets(row *page.Row, r *dissect.RPC) {
	if cap(h.sets) < len(h.columns) {
		h.sets = make([]filter.Numbers, len(h.columns))
		h.row.sets = make([][]uint64, len(h.columns))
	}
	for i := range h.columns {
		n := &h.sets[i]
		h.row.sets[i] = nil
		if c := &h.columns[i]; c.has == nil || c.has(r) {
			c.values(r, n)
			h.row.sets[i] = n.List
		}
	}
	row.Sets = h.row.sets
	row.Lists = h.lists.of(r)
}
