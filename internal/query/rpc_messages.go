package query

import (
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
)

// addMessages adds the fields of the two messages: of both, of the call and of
// the reply. What counts, or says whether there is something, is that of the
// call, if that is in the capture: a reply never has Read chunks, so that with
// both rdma.reads.count == 0 would be true of all.
func addMessages(l *list[*dissect.RPC]) {
	type giver = func(*dissect.Message, *filter.Values)
	either := func(r *dissect.RPC, give giver, to *filter.Values) {
		if r.Call != nil {
			give(r.Call, to)
		}
		if r.Reply != nil {
			give(r.Reply, to)
		}
	}
	first := func(r *dissect.RPC, give giver, to *filter.Values) {
		if r.Call != nil {
			give(r.Call, to)
		} else if r.Reply != nil {
			give(r.Reply, to)
		}
	}
	call := func(r *dissect.RPC, give giver, to *filter.Values) {
		if r.Call != nil {
			give(r.Call, to)
		}
	}
	reply := func(r *dissect.RPC, give giver, to *filter.Values) {
		if r.Reply != nil {
			give(r.Reply, to)
		}
	}
	fields := messageFields().asked()
	for _, e := range fields {
		each, of := either, "call or reply"
		if e.Kind == filter.Bool && e.Name != processed || strings.HasSuffix(e.Name, ".count") {
			each, of = first, "call"
		}
		e.Doc = of + ": " + e.Doc
		*l = append(*l, mapped(e, each))
	}
	for _, half := range []struct {
		name string
		each func(*dissect.RPC, giver, *filter.Values)
	}{{"call", call}, {"reply", reply}} {
		for _, e := range fields {
			if e.Name != "rdma.credits" {
				e.Cell = Cell{}
			}
			e.Name = "rdma." + half.name + strings.TrimPrefix(e.Name, "rdma")
			e.Doc = half.name + ": " + e.Doc
			*l = append(*l, mapped(e, half.each))
		}
	}
}
