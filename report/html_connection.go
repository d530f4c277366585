package report

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/page"
	"github.com/rdmacap/rdmacap/stats"
)

// maxConnectionNames bounds the connections whose addresses the script knows.
const maxConnectionNames = 4096

// connectionOver puts a connection that is over on its shelf.
func (h *HTML) connectionOver(f *found) {
	c := f.connection
	if len(h.meta.Connections) < maxConnectionNames {
		h.meta.Connections = append(h.meta.Connections, page.ConnectionName{
			ID: c.ID, Transport: c.Transport.String(), Client: c.Client().Addr.String(), Server: c.Server().Addr.String(),
			ClientPort: c.Client().Port, ServerPort: c.Server().Port, Service: c.Service, Version: c.Version,
		})
	}
	// Those with findings first, then those with more RPCs.
	worst := f.tally.worst()
	h.keepSeries(c, int64(worst))
	weight := int64(worst)<<8 | int64(bits.Len64(uint64(c.RPCs)))
	if !h.connections.Takes(weight) {
		return
	}
	p := &page.Connection{
		Number: c.ID, Title: page.Text(connectionTitle(c)), Verdict: page.Text(connectionVerdict(f)),
		Facts: h.facts(c), Ends: ends(c), Operations: operationsTable(&h.counted.Table), Charts: c.RPCs > 0,
	}
	if worst > 0 {
		p.Worst = worst.String()
	}
	for _, g := range f.gates {
		p.Unchecked = append(p.Unchecked, page.Text(g.What+": "+g.Why))
	}
	h.connections.Add(weight, int64(c.ID), p.HTML())
}

// connectionTitle says who a connection is between.
func connectionTitle(c *dissect.Connection) string {
	b := append(strconv.AppendInt([]byte("Connection "), int64(c.ID), 10), ": "...)
	b = append(append(b, c.Transport.String()...), ", "...)
	b = append(appendEndpoint(b, c.Client()), " → "...)
	b = appendEndpoint(b, c.Server())
	if c.Service != "" {
		b = append(append(b, ", "...), c.Service...)
	}
	return string(b)
}

func connectionVerdict(f *found) string {
	s := f.tally.String()
	if f.connection.RPCs > 0 {
		s += " in " + string(appendCount(nil, f.connection.RPCs, "RPC"))
	}
	return sentence(s)
}

// facts are lines about a connection.
func (h *HTML) facts(c *dissect.Connection) (list []page.Fact) {
	add := func(name, value string) {
		if value != "" {
			list = append(list, page.Fact{Name: page.Text(name), Value: page.Text(value)})
		}
	}
	add("First frame", h.say.frameName(c.First)+h.say.at(c.FirstTime))
	add("Last frame", h.say.frameName(c.Last)+h.say.at(c.LastTime))
	if c.Version != 0 {
		add("RPC-over-RDMA", "version "+strconv.FormatUint(uint64(c.Version), 10))
	}
	switch c.Setup {
	case flow.SetupInferred:
		add("Set-up", "not in the capture")
	case flow.SetupCM:
		add("Set-up", "InfiniBand connection management")
	case flow.SetupMPA:
		add("Set-up", "MPA Request and Reply")
	}
	if th, known := c.Thresholds(); known && c.RPCRDMA() {
		add("Inline thresholds", string(appendThresholds(nil, th)))
		if c.Version != 2 {
			add("Remote invalidation", invalidation(c))
		}
	} else if c.RPCRDMA() {
		add("Inline thresholds", "not known: not all of the set-up is in the capture")
	}
	if c.PathMTU != 0 {
		add("Path MTU", string(appendCount(nil, int64(c.PathMTU), "octet")))
	}
	for _, toServer := range [...]bool{true, false} {
		calls := h.counted.CallsOf(c, toServer)
		if calls.Count+calls.Granted.Count > 0 {
			add("Calls to "+receiver(toServer), callsText(calls))
		}
		if sends := h.counted.SendsOf(c, toServer); sends.Count > 0 {
			add("Sends to "+receiver(toServer), sendsText(sends))
		}
	}
	end, more, _ := strings.Cut(h.say.text(func(t *Text) { t.connectionEnd(c) }), "\n")
	if _, rest, ok := strings.Cut(strings.TrimPrefix(end, connectionMark), " "); ok {
		add("How it ended", rest)
	}
	for line := range strings.Lines(more) {
		line = strings.TrimSpace(line)
		if who, what, ok := strings.Cut(line, " announced "); ok {
			add("Announced by the "+who, what)
		} else {
			add("Negotiation", line)
		}
	}
	return list
}

func callsText(calls *stats.Calls) string {
	b := strconv.AppendInt(nil, calls.Count, 10)
	b = append(b, ", at most "...)
	b = strconv.AppendInt(b, int64(calls.MostOpen), 10)
	b = append(b, " open at once; credits requested "...)
	b = appendRange(b, &calls.Requested)
	b = append(b, ", granted "...)
	return string(appendRange(b, &calls.Granted))
}

func sendsText(sends *stats.Sends) string {
	b := strconv.AppendInt(nil, sends.Count, 10)
	b = append(b, ", the longest of "...)
	b = appendCount(b, int64(sends.Longest), "octet")
	if sends.Invalidates > 0 {
		b = append(b, "; "...)
		b = strconv.AppendInt(b, sends.Invalidates, 10)
		b = append(b, " with Invalidate"...)
	}
	return string(b)
}

// ends is what the two ends said of themselves in the set-up, nil if nothing is known.
func ends(c *dissect.Connection) *page.Table {
	if !c.RPCRDMA() || c.Setup == flow.SetupInferred {
		return nil
	}
	t := &page.Table{Caption: "Private data of the two ends (RFC 8797)", Columns: []page.Column{
		{Name: "End"}, {Name: "Private data"}, {Name: "Send size", Number: true}, {Name: "Receive size", Number: true}, {Name: "Remote invalidation"},
	}}
	row := func(name page.Text, e *flow.Endpoint, p *rpcrdma.PrivateData) {
		switch {
		case e.PrivateData == nil:
			t.Rows = append(t.Rows, []page.Text{name, "not in the capture", none, none, none})
		case p == nil && c.Version > 1: // whose sizes come by other ways
			t.Rows = append(t.Rows, []page.Text{name, "none for RPC-over-RDMA", none, none, none})
		case p == nil:
			t.Rows = append(t.Rows, []page.Text{name, "none for RPC-over-RDMA", "1024 by default", "1024 by default", "not supported"})
		default:
			taken := page.Text("not supported")
			if p.RemoteInvalidation() {
				taken = "supported"
			}
			t.Rows = append(t.Rows, []page.Text{name, page.Text("version " + strconv.Itoa(int(p.Version))),
				page.Text(strconv.Itoa(p.SendSize())), page.Text(strconv.Itoa(p.ReceiveSize())), taken})
		}
	}
	row("client", c.Client(), c.ClientPrivate)
	row("server", c.Server(), c.ServerPrivate)
	return t
}

// operationsTable is what was counted of operations, nil if there are none.
func operationsTable(of *stats.Table) *page.Table {
	g := operationsGrid(of)
	if len(g.rows) == 0 {
		return nil
	}
	return g.table("Operations: how often, how large, how they travelled (inline/chunked/long, in percent), how long they took")
}

// table is a grid for the page.
func (g *grid) table(caption page.Text) *page.Table {
	t := &page.Table{Caption: caption}
	for _, c := range g.columns {
		t.Columns = append(t.Columns, page.Column{Name: page.Text(c.name), Number: c.right})
	}
	for _, row := range g.rows {
		cells := make([]page.Text, len(row))
		for i, s := range row {
			cells[i] = page.Text(s)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
