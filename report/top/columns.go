package top

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/watch"
)

// A column is one of the table of connections.
type column struct {
	// by is what it is sorted by, in words.
	by    string
	title string
	width int
	left  bool
	// figure says that it is about the last seconds: a connection without traffic has words
	// in place of these.
	figure bool
	cell   func(r *watch.Row) string
	// order compares rows; most says that the greatest is what people look for.
	order func(a, b *watch.Row) int
	most  bool
}

const (
	// wide is from how many columns of the terminal on there is room for more.
	wide = 120
	// addresses is what two IPv4 addresses take.
	addresses = 33
)

// columns are those of a terminal with a width. Numbers of connections have as many digits.
func columns(width, digits int) []column {
	big := width >= wide
	pick := func(short, long string, narrow, broad int) (string, int) {
		if big {
			return long, broad
		}
		return short, narrow
	}
	list := []column{{
		by: "number", title: "#", width: max(2, digits),
		cell:  func(r *watch.Row) string { return strconv.Itoa(r.ID) },
		order: func(a, b *watch.Row) int { return cmp.Compare(a.ID, b.ID) },
	}}
	peers := column{
		by: "client", title: "client", left: true,
		cell: func(r *watch.Row) string { return r.Client.Addr },
		order: func(a, b *watch.Row) int {
			return cmp.Or(strings.Compare(a.Client.Addr, b.Client.Addr), strings.Compare(a.Server.Addr, b.Server.Addr))
		},
	}
	list = append(list, peers)
	if big {
		list = append(list, column{
			by: "transport", title: "transport", width: 10, left: true,
			cell:  func(r *watch.Row) string { return r.Transport },
			order: func(a, b *watch.Row) int { return strings.Compare(a.Transport, b.Transport) },
		})
	}
	number := func(by, short, long string, narrow, broad int, figure bool, cell func(*watch.Row) string, order func(*watch.Row) float64) {
		c := column{by: by, figure: figure, most: true, cell: cell}
		c.title, c.width = pick(short, long, narrow, broad)
		c.order = func(a, b *watch.Row) int { return cmp.Compare(order(a), order(b)) }
		list = append(list, c)
	}
	number("credits used", "credits", "credits", 7, 9, false, credits, used)
	number("calls/s", "calls", "calls/s", 5, 8, true,
		func(r *watch.Row) string { return rate(r.Now.Calls) }, func(r *watch.Row) float64 { return r.Now.Calls })
	number("MB/s to server", "MB→", "MB/s →", 5, 7, true,
		func(r *watch.Row) string { return megabytes(r.Now.ToServer) }, func(r *watch.Row) float64 { return r.Now.ToServer })
	number("MB/s to client", "MB←", "MB/s ←", 5, 7, true,
		func(r *watch.Row) string { return megabytes(r.Now.ToClient) }, func(r *watch.Row) float64 { return r.Now.ToClient })
	number("median latency", "p50", "p50", 6, 7, true,
		func(r *watch.Row) string { return latency(&r.Now, r.Now.P50) }, func(r *watch.Row) float64 { return float64(r.Now.P50) })
	number("99 % latency", "p99", "p99", 6, 7, true,
		func(r *watch.Row) string { return latency(&r.Now, r.Now.P99) }, func(r *watch.Row) float64 { return float64(r.Now.P99) })
	number("greatest latency", "max", "max", 6, 7, true,
		func(r *watch.Row) string { return latency(&r.Now, r.Now.Max) }, func(r *watch.Row) float64 { return float64(r.Now.Max) })
	number("retransmissions", "retr", "retrans", 4, 7, false,
		func(r *watch.Row) string { return unlessZero(r.Retransmissions) }, func(r *watch.Row) float64 { return float64(r.Retransmissions) })
	number("losses", "lost", "lost", 4, 6, false,
		func(r *watch.Row) string { return unlessZero(r.LostOnWire + r.Missing) }, func(r *watch.Row) float64 { return float64(r.LostOnWire + r.Missing) })
	shown := worst
	if big {
		shown = findings
	}
	number("findings", "find", "findings", 4, 12, false,
		func(r *watch.Row) string { return shown(r.Findings) },
		func(r *watch.Row) float64 {
			return float64(r.Findings.Errors)*1e12 + float64(r.Findings.Warnings)*1e6 + float64(r.Findings.Notes)
		})
	room := width - len(list) // the first gap is in front, for the mark
	for i := range list {
		room -= list[i].width
	}
	both := &list[1]
	both.width = max(4, room)
	switch {
	case big:
		both.title = "client → server"
		both.cell = func(r *watch.Row) string { return short(&r.Client) + " → " + short(&r.Server) }
	case room >= addresses:
		both.title = "client → server"
		both.cell = func(r *watch.Row) string { return r.Client.Addr + " → " + r.Server.Addr }
	}
	return list
}

// credits are the most calls at once that had no reply, of the credits granted.
func credits(r *watch.Row) string {
	if !r.HasGranted {
		if r.Now.MostOpen == 0 {
			return "-"
		}
		return count(int64(r.Now.MostOpen)) + "/?"
	}
	return count(int64(r.Now.MostOpen)) + "/" + count(int64(r.Granted))
}

// used is the part of the credits that is used.
func used(r *watch.Row) float64 {
	if !r.HasGranted || r.Granted == 0 {
		return float64(r.Now.MostOpen)
	}
	return float64(r.Now.MostOpen) / float64(r.Granted)
}

// short is an end with its port, or its queue pair where it has none.
func short(e *watch.Endpoint) string {
	switch {
	case e.Port != 0:
		return e.Addr + " port " + strconv.Itoa(int(e.Port))
	case e.HasQPN:
		return e.Addr + " QP " + string(field.AppendHex(nil, uint64(e.QPN), 6))
	}
	return e.Addr
}

// whole is an end with all that is known of it.
func whole(e *watch.Endpoint) string {
	s := e.Addr
	if e.Port != 0 {
		s += " port " + strconv.Itoa(int(e.Port))
	}
	if e.HasQPN {
		s += " QP " + string(field.AppendHex(nil, uint64(e.QPN), 6))
	}
	return s
}
