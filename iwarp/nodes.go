package iwarp

import "github.com/rdmacap/rdmacap/field"

// PDUNodes builds the field tree of the DDP segment that stands at b[at:end], b
// being the buffer that is shown; where end lies beyond b, the rest was not
// captured. It is the DDP header with RDMAP's control field, and then what
// RDMAP defines of the payload or, of Sends, RDMA Writes and RDMA Read
// Responses, one node "Payload". A fault that Decode finds is on the node it
// lies in.
func PDUNodes(b []byte, at, end int) []field.Node {
	captured := min(end, len(b))
	at = min(at, captured)
	data := b[at:captured]
	var p PDU
	p.Decode(data, end-at)
	nodes := []field.Node{headerNode(data, 0)}
	switch {
	case nodes[0].Fault != "":
	case !p.sound():
		nodes[0].Value = p.OpCode.String()
	default:
		nodes[0].Value = string(p.appendHeader(nil))
	}
	nodes = p.appendBody(nodes)
	if p.Fault.Bad() {
		markFault(nodes, p.Fault)
	}
	for i := range nodes {
		nodes[i].Shift(at)
	}
	return nodes
}

// headerNode is the header at that byte: the two control bytes and what of
// the model they name, as one list of fields.
func headerNode(b []byte, at int) field.Node {
	n := field.Node{Key: "ddp", Name: "DDP/RDMAP Header", Start: at, End: at}
	tables := []*field.Table{&ddpTable, &rdmapTable, &untaggedTable}
	if at < len(b) && b[at]&bitTagged != 0 {
		tables[2] = &taggedTable
	}
	for _, t := range tables {
		part := t.Node(b, n.End)
		n.End = part.End
		n.Children = append(n.Children, part.Children...)
		if part.Fault != "" {
			n.Fault = "DDP header cut short"
			return n
		}
	}
	if b[at]&bitTagged == 0 && !OpCode(b[at+1]&rdmapOpCode).Invalidates() {
		// The field has its name only in the messages that use it.
		n.Children[len(ddpTable.Fields)+len(rdmapTable.Fields)].Name = "Reserved"
	}
	return n
}

// appendBody adds what follows the DDP header.
func (p *PDU) appendBody(nodes []field.Node) []field.Node {
	at := p.PayloadStart
	if at >= len(p.Bytes) && p.PayloadLength() <= 0 || at > len(p.Bytes) {
		return nodes
	}
	if !p.sound() {
		return append(nodes, p.rest("Bytes not read", at))
	}
	switch p.OpCode {
	case OpReadRequest:
		return p.appendMessage(nodes, &readRequestTable)
	case OpImmediate, OpImmediateSE:
		return p.appendMessage(nodes, &immediateTable)
	case OpAtomicRequest:
		return p.appendMessage(nodes, &atomicRequestTable)
	case OpAtomicResponse:
		return p.appendMessage(nodes, &atomicResponseTable)
	case OpTerminate:
		if t, ok := p.Termination(); ok {
			return p.appendTermination(nodes, &t)
		}
		return p.appendMessage(nodes, &terminateTable)
	}
	return append(nodes, p.rest("Payload", at))
}

// appendMessage adds a message that is one header of RDMAP's, which is read if
// it has the length that it must have.
func (p *PDU) appendMessage(nodes []field.Node, t *field.Table) []field.Node {
	if op := &ops[p.OpCode]; p.PayloadLength() < op.least || p.PayloadLength() > op.most {
		return append(nodes, p.rest("Bytes not read", p.PayloadStart))
	}
	n := t.Node(p.Bytes, p.PayloadStart)
	if n.Fault == "" {
		n.Value = string(p.appendMessageSummary(nil))
	}
	return append(nodes, n)
}

// rest is the bytes from at to the end of the segment.
func (p *PDU) rest(name string, at int) field.Node {
	n := field.Node{Name: name, Start: at, End: len(p.Bytes)}
	n.Value = capturedCount(p.length-at, len(p.Bytes)-at)
	return n
}

// markFault puts a fault on the field at its byte or, where there is none or
// several share it, on the last node that begins at or before it. A header that
// was cut short has its fault on itself.
func markFault(nodes []field.Node, f field.Fault) {
	var n *field.Node
	for i := range nodes {
		if nodes[i].Start <= f.Offset || i == 0 {
			n = &nodes[i]
		}
		if n.Fault != "" {
			n.Fault = f.Reason
			return
		}
	}
	var at []int
	for i := range n.Children {
		if child := &n.Children[i]; child.Start <= f.Offset && f.Offset < child.End {
			at = append(at, i)
		}
	}
	if len(at) == 1 {
		n = &n.Children[at[0]]
	}
	n.Fault = f.Reason
}
