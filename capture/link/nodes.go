package link

import "github.com/rdmacap/rdmacap/field"

// arrow stands between a source and a destination.
const arrow = " → "

// between is a source and a destination.
func between(src, dst Addr) string {
	return string(dst.AppendTo(append(src.AppendTo(nil), arrow...)))
}

// Nodes builds the tree of every header below the transport, from the outside
// in, and marks the fault on the field that holds its octet. data is what
// Decode was given; the offsets of the nodes are in it.
func (p *Packet) Nodes(data []byte) []field.Node {
	nodes := make([]field.Node, 0, p.nlayers)
	for _, l := range p.layers[:p.nlayers] {
		nodes = append(nodes, l.node(data))
	}
	if p.Fault.Bad() {
		if len(nodes) == 0 { // not even one header
			nodes = append(nodes, field.Node{Name: p.Protocol, End: len(data)})
		}
		mark(nodes, p.Fault)
	}
	return nodes
}

// node builds the tree of one header.
func (l layer) node(data []byte) field.Node {
	spec := &layerSpecs[l.kind]
	start := int(l.offset)
	end := min(start+int(l.size), len(data))
	n := spec.table.Node(data, start)
	if known := start + spec.table.Size(); l.kind == kindTCPOptions {
		optionNodes(&n, data, known, end)
	} else if known < end {
		n.Add(octetsNode(data, known, end))
	}
	if end == start+int(l.size) && spec.summary != nil {
		n.Value = spec.summary(data[start:end])
	}
	return n
}

// mark puts a fault on the innermost node that holds its octet, or on the last
// header where the octet is behind them all.
func mark(nodes []field.Node, fault field.Fault) {
	for len(nodes) > 0 {
		n := holding(nodes, fault.Offset)
		if n == nil {
			n = &nodes[len(nodes)-1]
		}
		if len(n.Children) == 0 || holding(n.Children, fault.Offset) == nil {
			n.Fault = fault.Reason
			return
		}
		nodes = n.Children
	}
}

// holding is the first node that holds the octet at offset, or nil.
func holding(nodes []field.Node, offset int) *field.Node {
	for i := range nodes {
		if nodes[i].Start <= offset && offset < nodes[i].End {
			return &nodes[i]
		}
	}
	return nil
}
