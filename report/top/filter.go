package top

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/report/watch"
)

// A rowField is a field of connections that an expression may ask about.
type rowField struct {
	filter.Field
	value func(r *watch.Row, to *filter.Values)
}

// fields are all of them.
func fields() []rowField {
	list := []rowField{
		{filter.Field{Name: "transport", Kind: filter.String, Doc: "RoCEv2, iWARP"}, func(r *watch.Row, to *filter.Values) { to.String(r.Transport) }},
		{filter.Field{Name: "service", Kind: filter.String, Doc: "NFS/RDMA"}, func(r *watch.Row, to *filter.Values) { to.String(r.Service) }},
		{filter.Field{Name: "client", Kind: filter.Address, Doc: "address of the client"}, func(r *watch.Row, to *filter.Values) { address(&r.Client, to) }},
		{filter.Field{Name: "server", Kind: filter.Address, Doc: "address of the server"}, func(r *watch.Row, to *filter.Values) { address(&r.Server, to) }},
		{filter.Field{Name: "ended", Kind: filter.Bool, Doc: "the connection has ended"}, func(r *watch.Row, to *filter.Values) { to.Bool(r.Ended != "") }},
		{filter.Field{Name: "quiet", Kind: filter.Bool, Doc: "no traffic in the last seconds"}, func(r *watch.Row, to *filter.Values) { to.Bool(r.Now.Quiet) }},
	}
	number := func(name, doc string, of func(r *watch.Row) int64) {
		list = append(list, rowField{filter.Field{Name: name, Kind: filter.Uint, Doc: doc}, func(r *watch.Row, to *filter.Values) { to.Uint(uint64(of(r))) }})
	}
	lasts := func(name, doc string, of func(r *watch.Row) (ns int64, known bool)) {
		list = append(list, rowField{filter.Field{Name: name, Kind: filter.Duration, Doc: doc}, func(r *watch.Row, to *filter.Values) {
			if ns, known := of(r); known {
				to.Duration(time.Duration(ns))
			}
		}})
	}
	number("number", "of the connection", func(r *watch.Row) int64 { return int64(r.ID) })
	number("calls", "a second", func(r *watch.Row) int64 { return int64(r.Now.Calls + 0.5) })
	number("to_server", "bytes per second", func(r *watch.Row) int64 { return int64(r.Now.ToServer) })
	number("to_client", "bytes per second", func(r *watch.Row) int64 { return int64(r.Now.ToClient) })
	number("used", "the largest number of calls without a reply at a time", func(r *watch.Row) int64 { return int64(r.Now.MostOpen) })
	number("granted", "credits granted", func(r *watch.Row) int64 { return int64(r.Granted) })
	number("retransmissions", "retransmitted frames", func(r *watch.Row) int64 { return r.Retransmissions })
	number("lost", "frames lost on the wire, or missing from the capture", func(r *watch.Row) int64 { return r.LostOnWire + r.Missing })
	number("errors", "findings of this severity", func(r *watch.Row) int64 { return r.Findings.Errors })
	number("warnings", "findings of this severity", func(r *watch.Row) int64 { return r.Findings.Warnings })
	number("notes", "findings of this severity", func(r *watch.Row) int64 { return r.Findings.Notes })
	lasts("p50", "median latency", func(r *watch.Row) (int64, bool) { return r.Now.P50, r.Now.Answered > 0 })
	lasts("p99", "99 % latency", func(r *watch.Row) (int64, bool) { return r.Now.P99, r.Now.Answered > 0 })
	lasts("max", "greatest latency", func(r *watch.Row) (int64, bool) { return r.Now.Max, r.Now.Answered > 0 })
	lasts("idle", "since its last frame", func(r *watch.Row) (int64, bool) { return int64(r.Idle), true })
	return list
}

func address(e *watch.Endpoint, to *filter.Values) {
	if a, err := netip.ParseAddr(e.Addr); err == nil {
		to.Addr(a)
	}
}

// A choice is which connections are listed: all, those with a text, or those of an expression.
type choice struct {
	text   string
	expr   *filter.Filter
	fields []rowField
}

// choose understands what a user wrote. What has an operator is an expression about fields,
// or wrong; anything else a text, unless it is an expression.
func choose(text string) (choice, error) {
	c := choice{text: strings.TrimSpace(text)}
	if c.text == "" {
		return c, nil
	}
	c.fields = fields()
	list := make([]filter.Field, len(c.fields))
	for i := range c.fields {
		list[i] = c.fields[i].Field
	}
	set, err := filter.NewSet(list...)
	if err == nil {
		c.expr, err = set.Compile(c.text)
	}
	if err != nil && strings.ContainsAny(c.text, "<>=!&|(){}") {
		return c, err
	}
	return c, nil
}

// has reports whether a connection is listed.
func (c *choice) has(r *watch.Row) bool {
	switch {
	case c.text == "":
		return true
	case c.expr != nil:
		return c.expr.Match(&rowRecord{r, c.fields})
	}
	return contains(c.text, "#"+strconv.Itoa(r.ID), whole(&r.Client)+" → "+whole(&r.Server), r.Transport, r.Service, r.Ended)
}

// contains reports whether one of the texts has another, in upper or lower case.
func contains(what string, texts ...string) bool {
	what = strings.ToLower(what)
	for _, t := range texts {
		if strings.Contains(strings.ToLower(t), what) {
			return true
		}
	}
	return false
}

// A rowRecord is a connection as a filter.Record.
type rowRecord struct {
	row    *watch.Row
	fields []rowField
}

// Values implements filter.Record.
func (r *rowRecord) Values(field int, to *filter.Values) { r.fields[field].value(r.row, to) }
