package query

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A header is a table and where a frame has what it describes.
type header struct {
	table *field.Table
	find  finder
}

// headers are all headers that a frame may have, from the outside in. Those of
// RPC-over-RDMA and RPC are not among them: they are of messages, which may take
// several frames.
func headers() (list []header) {
	for _, t := range link.Tables() {
		list = append(list, header{t, linkHeader(t)})
	}
	for _, t := range rocev2.Tables() {
		list = append(list, header{t, ibHeader(t)})
	}
	for i, t := range rocev2.CMTables() {
		list = append(list, header{t, cmHeader(t, i)})
	}
	for _, t := range iwarp.MPATables() {
		list = append(list, header{t, units(mpaHeader(t))})
	}
	for _, t := range iwarp.Tables() {
		list = append(list, header{t, units(pduHeader(t))})
	}
	return append(list, header{rpcrdma.PrivateDataTable(), privateData})
}

// addHeaders adds the fields of all headers.
func addHeaders(l *list[*dissect.FrameView]) {
	for _, h := range headers() {
		for i, f := range filter.Fields(h.table) {
			at, find := &h.table.Fields[i], h.find
			switch f.Name {
			case "ip.src":
				find = orOther(find, (*link.Packet).Src)
			case "ip.dst":
				find = orOther(find, (*link.Packet).Dst)
			}
			l.addField(f, func(v *dissect.FrameView, to *filter.Values) { find(v, at, to) })
		}
	}
}

// orOther finds what is in IPv4 headers, and an address that is in none: of IPv6, or a
// GID. So ip.src means of frames what it means of messages.
func orOther(find finder, other func(*link.Packet) link.Addr) finder {
	return func(v *dissect.FrameView, f *field.Field, to *filter.Values) {
		find(v, f, to)
		if a := other(v.Link).IP(); a.IsValid() && !a.Unmap().Is4() {
			to.Addr(a)
		}
	}
}

// privateData finds what the ends of a connection said of RPC-over-RDMA (RFC
// 8797), in a CM message or an MPA frame.
func privateData(v *dissect.FrameView, f *field.Field, to *filter.Values) {
	if c, _, ok := cm(v); ok {
		privateIn(c.PrivateData, f, to)
	}
	for i := range v.Verdict.Units {
		if u := &v.Verdict.Units[i]; u.IsStart {
			privateIn(u.Start.PrivateData(), f, to)
		}
	}
}

func privateIn(data []byte, f *field.Field, to *filter.Values) {
	// One of another Version is none to a receiver, but it is there.
	if p, ok := rpcrdma.FindPrivateData(data); ok || p.Version != 0 {
		to.Header(f, data[p.Offset:])
	}
}
