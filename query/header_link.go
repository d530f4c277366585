package query

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
)

// linkHeader finds the headers below the transport. Where the frame's Packet
// does not say where one lies, only the tree of its headers does, which has to
// be built: that takes some microseconds and allocates.
func linkHeader(t *field.Table) finder {
	return func(v *dissect.FrameView, f *field.Field, to *filter.Values) {
		data := v.Frame.Data
		if at, known := linkOffset(v, t.Key); known {
			if at >= 0 && at < len(data) {
				to.Header(f, data[at:])
			}
			return
		}
		inNodes(v.Link.Nodes(data), t.Key, data, f, to)
	}
}

// inNodes gives a field of each header with that key in a tree.
func inNodes(nodes []field.Node, key string, data []byte, f *field.Field, to *filter.Values) {
	for i := range nodes {
		n := &nodes[i]
		if n.Key == key {
			to.Header(f, data[n.Start:n.End])
		}
		inNodes(n.Children, key, data, f, to)
	}
}

// linkOffset is where the header of a table begins in the frame, -1 if the
// frame has none, if the frame's Packet tells. Of a frame that is not RDMA it
// tells nothing.
func linkOffset(v *dissect.FrameView, key string) (at int, known bool) {
	p := v.Link
	transport := p.Transport
	switch {
	case key == "eth" && v.Frame.Link == link.TypeEthernet:
		return 0, true
	case transport == link.NotRDMA:
		return 0, false
	}
	ip := transport == link.RoCEv2 || transport == link.TCP
	where := func(has bool, at int) (int, bool) {
		if has {
			return at, true
		}
		return -1, true
	}
	switch key {
	case "lrh":
		return where(transport == link.InfiniBand, p.Network)
	case "grh":
		return where(p.GRH >= 0, p.GRH)
	case "ip":
		return where(ip && p.Src.IP().Is4(), p.Network)
	case "ipv6":
		return where(ip && !p.Src.IP().Is4(), p.Network)
	case "udp":
		const size = 8 // octets; the BTH follows
		return where(transport == link.RoCEv2, p.Start-size)
	case "tcp":
		return where(transport == link.TCP, p.Start)
	}
	return 0, false
}
