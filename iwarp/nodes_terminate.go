package iwarp

import "github.com/rdmacap/rdmacap/field"

// appendTermination adds the parts of a Terminate whose control field was
// captured. What lies after the parts that its bits announce, or after the
// capture, is not read.
func (p *PDU) appendTermination(nodes []field.Node, t *Termination) []field.Node {
	b, at := p.Bytes, p.PayloadStart
	control := t.controlNode(b, at)
	nodes = append(nodes, control)
	at = control.End
	if !fits(p.Payload(), p.PayloadLength()) {
		if at < p.length {
			nodes = append(nodes, p.rest("Bytes not read", at))
		}
		return nodes
	}
	if t.HasLength && at < len(b) {
		n := segmentLengthTable.Node(b, at)
		if n.Fault == "" {
			n.Value = n.Children[0].Value
		}
		nodes = append(nodes, n)
		at = n.End
	}
	if t.DDP != nil {
		n := headerNode(b[:at+len(t.DDP)], at)
		var d PDU
		d.Bytes, d.length = t.DDP, len(t.DDP)
		d.readHeader()
		n.Value = string(d.appendHeader(nil))
		nodes = append(nodes, terminated(n, "Terminated DDP Header"))
		at = n.End
	}
	if t.RDMAP != nil {
		n := readRequestTable.Node(b, at)
		n.Value = string(appendReadRequest(nil, readRequest(t.RDMAP)))
		nodes = append(nodes, terminated(n, "Terminated RDMA Read Request Header"))
		at = n.End
	}
	if at < len(b) {
		nodes = append(nodes, p.rest("Bytes not read", at))
	}
	return nodes
}

// controlNode is the control field at that byte, with the names that the layer
// gives to type and code.
func (t *Termination) controlNode(b []byte, at int) field.Node {
	table := &terminateTable
	if t.LittleEndian {
		table = littleTerminate()
	}
	n := table.Node(b, at)
	n.Value = t.String()
	for i := range n.Children {
		name := ""
		child := &n.Children[i]
		switch child.Key {
		case "rdmap.term.etype":
			name = etypeName(t.Layer, t.EType)
		case "rdmap.term.ecode":
			name = ecodeName(t.Layer, t.EType, t.ECode)
		}
		if name != "" {
			child.Value = name + " (" + child.Value + ")"
		}
	}
	return n
}

// terminated renames a header and the keys of its fields: it is not this
// message's own.
func terminated(n field.Node, name string) field.Node {
	n.Name = name
	n.Key = "rdmap.term." + n.Key
	for i := range n.Children {
		n.Children[i].Key = "rdmap.term." + n.Children[i].Key
	}
	return n
}
