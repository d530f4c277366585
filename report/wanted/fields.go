package wanted

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A field is one thing that an expression may ask of findings.
type field struct {
	filter.Field
	give func(f *finding.Finding, to *filter.Values)
}

// fields are all of them. Times count from a start.
func fields(start *query.Start) (list []field) {
	add := func(name string, kind filter.Kind, doc string, give func(f *finding.Finding, to *filter.Values)) *filter.Field {
		list = append(list, field{filter.Field{Name: name, Kind: kind, Doc: doc}, give})
		return &list[len(list)-1].Field
	}
	add("finding.rule", filter.String, "ID of the rule with and without the letter of the case, and the family: TRANS-003c, TRANS-003, TRANS",
		func(f *finding.Finding, to *filter.Values) {
			to.String(f.ID())
			if f.Letter != "" {
				to.String(f.Rule.ID)
			}
			to.String(f.Rule.Family())
		})
	add("finding.severity", filter.Enum, "severity; notes are least severe", func(f *finding.Finding, to *filter.Values) {
		to.Uint(uint64(f.Severity))
	}).Names = func(yield func(string, uint64) bool) {
		for _, s := range finding.Severities() {
			if !yield(s.String(), uint64(s)) {
				return
			}
		}
	}
	add("finding.certain", filter.Bool, "certain: no frames missing from the capture could explain it",
		func(f *finding.Finding, to *filter.Values) { to.Bool(f.Doubt == "") })
	add("finding.title", filter.String, "title of the rule", func(f *finding.Finding, to *filter.Values) { to.String(f.Title()) })
	add("finding.message", filter.String, "the message", func(f *finding.Finding, to *filter.Values) { to.String(f.Message) })
	add("finding.count", filter.Uint, "number of times it was found", func(f *finding.Finding, to *filter.Values) { to.Uint(uint64(f.Count)) })
	add("rpc.xid", filter.Uint, "XID of the RPC that it is about", func(f *finding.Finding, to *filter.Values) {
		if f.HasXID {
			to.Uint(uint64(f.XID))
		}
	}).Hex = true
	add("rpc.name", filter.String, `program, version and procedure of that RPC: "NFS4 READ"`, func(f *finding.Finding, to *filter.Values) {
		if f.Call != "" {
			to.String(f.Call)
		}
	})
	add("frame.number", filter.Uint, "number of a frame that shows it", func(f *finding.Finding, to *filter.Values) {
		eachFrame(f, func(r flow.Ref) { to.Uint(uint64(r.Number)) })
	})
	add("frame.file", filter.Uint, "index of the file, from 0, of a frame that shows it", func(f *finding.Finding, to *filter.Values) {
		eachFrame(f, func(r flow.Ref) { to.Uint(uint64(r.File)) })
	})
	add("frame.time", filter.Time, "time when it was first found, and last", func(f *finding.Finding, to *filter.Values) {
		for _, ns := range span(f) {
			if ns != 0 {
				to.Time(ns)
			}
		}
	})
	add("frame.time_relative", filter.Duration, "the same, since the first frame", func(f *finding.Finding, to *filter.Values) {
		for _, ns := range span(f) {
			if since, known := start.Since(ns); known {
				to.Duration(time.Duration(since))
			}
		}
	})
	add("connection", filter.Uint, "number of its connection", func(f *finding.Finding, to *filter.Values) {
		if f.Connection != nil {
			to.Uint(uint64(f.Connection.ID))
		}
	})
	add("ip.addr", filter.Address, "address of either end of its connection", func(f *finding.Finding, to *filter.Values) {
		if c := f.Connection; c != nil {
			for i := range c.Ends {
				to.Addr(c.Ends[i].Addr.IP())
			}
		}
	})
	return list
}

// eachFrame calls do for the frames that show a finding.
func eachFrame(f *finding.Finding, do func(flow.Ref)) {
	do(f.Frame)
	for _, r := range f.Frames {
		do(r)
	}
	if f.Count > 1 {
		do(f.Last)
	}
}

// span is when a finding was found first, and last, in nanoseconds since 1970; 0 where that is not
// known.
func span(f *finding.Finding) [2]int64 {
	first := f.Start().Time
	return [2]int64{first, max(first, f.Time, f.LastTime)}
}
