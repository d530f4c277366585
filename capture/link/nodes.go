package link

import "github.com/rdmacap/rdmacap/field"

// arrow stands between a source and a destination.
const arrow = " → "

// between is a source and a destination.
func between(src, dst Addr) string {
	return string(dst.AppendTo(append(src.AppendTo(nil), arrow...)))
}

// Headers are the headers below the transport of one frame, from the outside in.
// They are not among what Decode keeps of every frame: Find reads them again.
type Headers struct {
	found Packet
	data  []byte
	list  [maxLayers]layer
	n     int // of them that count
}

// Find finds the headers of a frame that was decoded; t, data and length are what
// Decode was given. It allocates nothing.
func (h *Headers) Find(p *Packet, t Type, data []byte, length int) {
	var o Options
	if p.Transport == RoCEv2 {
		o.RoCEPort = p.DstPort
	}
	h.data, h.n = data[:min(len(data), MaxSize)], 0
	h.found.decodeAny(t, h.data, min(max(length, len(data)), MaxSize), o, p.tunnels(), h)
}

func (h *Headers) addLayer(l layer) {
	if h.n < maxLayers {
		h.list[h.n] = l
		h.n++
	}
}

// At is the i-th of the headers: its table, and the bytes of the frame that it
// takes, the last of which need not have been captured. Ok is false beyond the
// last. It allocates nothing.
func (h *Headers) At(i int) (t *field.Table, start, end int, ok bool) {
	if i < 0 || i >= h.n {
		return nil, 0, 0, false
	}
	l := h.list[i]
	return layerSpecs[l.kind].table, int(l.offset), int(l.offset) + int(l.size), true
}

// Nodes builds the tree of every header, and marks the fault on the field that
// holds its byte. The offsets of the nodes are in the frame.
func (h *Headers) Nodes() []field.Node {
	nodes := make([]field.Node, 0, h.n)
	for _, l := range h.list[:h.n] {
		nodes = append(nodes, l.node(h.data))
	}
	if h.found.Faulty() {
		if len(nodes) == 0 { // not even one header
			nodes = append(nodes, field.Node{Name: h.found.Protocol(), End: len(h.data)})
		}
		mark(nodes, h.found.Fault())
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
		n.Add(bytesNode(data, known, end))
	}
	if end == start+int(l.size) && spec.summary != nil {
		n.Value = spec.summary(data[start:end])
	}
	return n
}

// mark puts a fault on the innermost node that holds its byte, or on the last
// header where the byte is behind them all.
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

// holding is the first node that holds the byte at offset, or nil.
func holding(nodes []field.Node, offset int) *field.Node {
	for i := range nodes {
		if nodes[i].Start <= offset && offset < nodes[i].End {
			return &nodes[i]
		}
	}
	return nil
}
