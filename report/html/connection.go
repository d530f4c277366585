package html

import (
	"math/bits"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/report/page/markup"
	"github.com/rdmacap/rdmacap/report/page/visible"
	"github.com/rdmacap/rdmacap/report/words"
)

// maxConnectionNames bounds the connections whose addresses the script knows.
const maxConnectionNames = 4096

// connectionOver puts a connection that is over on its shelf.
func (h *Page) connectionOver(f *finding.Found) {
	c := f.Connection
	if len(h.meta.Connections) < maxConnectionNames {
		h.meta.Connections = append(h.meta.Connections, page.ConnectionName{
			ID: c.ID, Transport: c.Transport.String(), Client: c.Client().Addr.String(), Server: c.Server().Addr.String(),
			ClientPort: c.Client().Port, ServerPort: c.Server().Port, Service: c.Service, Version: c.Version,
			First: h.since(c.FirstTime), Last: h.since(c.LastTime), Setup: c.Setup.String(), Closing: c.Closing.String(),
		})
	}
	// Those with findings first, then those with more RPCs.
	worst := f.Tally.Worst()
	h.series.Keep(h.states.at(c).series, c, int64(worst), h.start())
	weight := int64(worst)<<8 | int64(bits.Len64(uint64(c.RPCs)))
	p := &markup.Connection{Number: c.ID, Title: visible.Text(connectionTitle(c)), Verdict: visible.Text(connectionVerdict(f))}
	if worst > 0 {
		p.Worst = worst.String()
	}
	short := p.Short()
	if !h.shelf.Takes(weight) {
		h.shelf.AddShort(weight, int64(c.ID), short)
		return
	}
	p.Facts, p.Ends, p.Operations, p.Charts = h.facts(c), ends(c), operationsTable(&h.counted.Table), c.RPCs > 0
	for _, g := range f.Gates {
		p.Unchecked = append(p.Unchecked, visible.Text(g.What+": "+g.Why))
	}
	h.shelf.Add(weight, int64(c.ID), p.HTML(), short)
}

// connectionTitle says who a connection is between.
func connectionTitle(c *dissect.Connection) string {
	b := append(strconv.AppendInt([]byte("Connection "), int64(c.ID), 10), ": "...)
	b = append(append(b, c.Transport.String()...), ", "...)
	b = append(words.AppendEndpoint(b, c.Client()), " → "...)
	b = words.AppendEndpoint(b, c.Server())
	if c.Service != "" {
		b = append(append(b, ", "...), c.Service...)
	}
	return string(b)
}

func connectionVerdict(f *finding.Found) string {
	return words.Sentence(f.Counts())
}

// facts are lines about a connection.
func (h *Page) facts(c *dissect.Connection) (list []markup.Fact) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, markup.Fact{Name: visible.Text(name), Value: visible.Text(value)})
		}
	}
	add("First frame", h.place().Frame(c.First)+h.place().At(c.FirstTime))
	add("Last frame", h.place().Frame(c.Last)+h.place().At(c.LastTime))
	if c.Version != 0 {
		add("RPC-over-RDMA", "version "+strconv.FormatUint(uint64(c.Version), 10))
	}
	switch c.Setup {
	case flow.SetupInferred:
		add("Setup", "not in the capture")
	case flow.SetupCM:
		add("Setup", "InfiniBand connection management")
	case flow.SetupMPA:
		add("Setup", "MPA Request and Reply")
	}
	if th, known := c.Thresholds(); known && c.RPCRDMA() {
		add("Inline thresholds", string(words.AppendThresholds(nil, th)))
		if c.Version != 2 {
			add("Remote invalidation", words.Invalidation(c))
		}
	} else if c.RPCRDMA() {
		add("Inline thresholds", "unknown: not all of the setup is in the capture")
	}
	if c.PathMTU != 0 {
		add("Path MTU", string(words.AppendCount(nil, int64(c.PathMTU), "byte")))
	}
	for _, toServer := range [...]bool{true, false} {
		calls := h.counted.CallsOf(c, toServer)
		if calls.Count+calls.Granted.Count > 0 {
			add("Calls to "+words.Receiver(toServer), callsText(calls))
		}
		if sends := h.counted.SendsOf(c, toServer); sends.Count > 0 {
			add("Sends to "+words.Receiver(toServer), sendsText(sends))
		}
	}
	add("How it ended", string(words.AppendClosing(nil, words.Inks{}, c)))
	if n, ok := c.Negotiation(); ok {
		several := h.opts.Files > 1
		add("Negotiation", string(words.AppendNegotiation(nil, c, &n)))
		add("Announced by the client", string(words.AppendAnnounced(nil, several, c.Characteristics(c.ClientEnd))))
		add("Announced by the server", string(words.AppendAnnounced(nil, several, c.Characteristics(c.ClientEnd.Peer()))))
	}
	return list
}

func callsText(calls *stats.Calls) string {
	b := strconv.AppendInt(nil, calls.Count, 10)
	b = append(b, ", at most "...)
	b = strconv.AppendInt(b, int64(calls.MostOpen), 10)
	b = append(b, " open at a time; credits requested "...)
	b = words.AppendRange(b, &calls.Requested)
	b = append(b, ", granted "...)
	return string(words.AppendRange(b, &calls.Granted))
}

func sendsText(sends *stats.Sends) string {
	b := strconv.AppendInt(nil, sends.Count, 10)
	b = append(b, ", the longest of "...)
	b = words.AppendCount(b, int64(sends.Longest), "byte")
	if sends.Invalidates > 0 {
		b = append(b, "; "...)
		b = strconv.AppendInt(b, sends.Invalidates, 10)
		b = append(b, " with Invalidate"...)
	}
	return string(b)
}

// ends is what the two ends said of themselves in the setup, nil if nothing is known.
func ends(c *dissect.Connection) *markup.Table {
	if !c.RPCRDMA() || c.Setup == flow.SetupInferred {
		return nil
	}
	t := &markup.Table{Caption: "Private data of the two ends (RFC 8797)", Columns: []markup.Column{
		{Name: "End"}, {Name: "Private data"}, {Name: "Send size", Number: true}, {Name: "Receive size", Number: true}, {Name: "Remote invalidation"},
	}}
	row := func(name visible.Text, e *flow.Endpoint, p *rpcrdma.PrivateData) {
		switch {
		case e.PrivateData == nil:
			t.Rows = append(t.Rows, []visible.Text{name, "not in the capture", words.None, words.None, words.None})
		case p == nil && c.Version > 1: // whose sizes come by other ways
			t.Rows = append(t.Rows, []visible.Text{name, "none for RPC-over-RDMA", words.None, words.None, words.None})
		case p == nil:
			t.Rows = append(t.Rows, []visible.Text{name, "none for RPC-over-RDMA", "1024 by default", "1024 by default", "not supported"})
		default:
			taken := visible.Text("not supported")
			if p.RemoteInvalidation() {
				taken = "supported"
			}
			t.Rows = append(t.Rows, []visible.Text{name, visible.Text("version " + strconv.Itoa(int(p.Version))),
				visible.Text(strconv.Itoa(p.SendSize())), visible.Text(strconv.Itoa(p.ReceiveSize())), taken})
		}
	}
	row("client", c.Client(), c.ClientPrivate)
	row("server", c.Server(), c.ServerPrivate)
	return t
}

// operationsTable is what was counted of operations, nil if there are none.
func operationsTable(of *stats.Table) *markup.Table {
	g, _ := words.OperationsGrid(of, stats.Order{})
	if len(g.Rows) == 0 {
		return nil
	}
	return tableOf(g, "Operations: count, size, transfer (inline/chunked/long, in percent) and latency")
}

// tableOf is a grid for the page.
func tableOf(g *words.Grid, caption visible.Text) *markup.Table {
	t := &markup.Table{Caption: caption}
	for _, c := range g.Columns {
		t.Columns = append(t.Columns, markup.Column{Name: visible.Text(c.Name), Number: c.Right})
	}
	for _, row := range g.Rows {
		cells := make([]visible.Text, len(row))
		for i, s := range row {
			cells[i] = visible.Text(s)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
