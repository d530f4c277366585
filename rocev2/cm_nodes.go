package rocev2

import (
	"bytes"
	"encoding/hex"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// CMNodes builds the field tree of the MAD that is the payload of a UD SEND to
// the general services interface: MAD header, message, IP CM header, private
// data. At is the offset of the MAD in the buffer that is shown and is added to
// all offsets. Of a MAD of another class it shows the MAD header and the
// length of the rest. A fault that Decode found is on the node it lies in.
func CMNodes(mad []byte, at int) []field.Node {
	var c CM
	c.Decode(mad)
	nodes := []field.Node{c.madNode(mad)}
	switch {
	case len(mad) < MADHeaderSize:
	case c.PrivateDataOffset == 0:
		nodes = appendBytes(nodes, mad, field.Node{Name: "Data", Start: MADHeaderSize})
	default:
		nodes = c.appendMessage(nodes, mad)
	}
	if c.Fault.Bad() {
		blameNode(nodes, c.Fault)
	}
	for i := range nodes {
		nodes[i].Shift(at)
	}
	return nodes
}

// madNode is the MAD header. An AttributeID has a name only within its class.
func (c *CM) madNode(mad []byte) field.Node {
	n := madTable.Node(mad, 0)
	if n.Fault == "" {
		n.Value = "class " + string(madTable.Lookup("mgmtclass").AppendValue(nil, mad))
	}
	for i := range n.Children {
		if child := &n.Children[i]; child.Key == "mad.attributeid" && c.Kind != 0 {
			child.Value = c.Kind.Title() + ", " + child.Value
		}
	}
	return n
}

// appendMessage adds the message and its private data.
func (c *CM) appendMessage(nodes []field.Node, mad []byte) []field.Node {
	table := c.Kind.table()
	n := table.Node(mad, MADHeaderSize)
	if n.Fault == "" {
		n.Value = string(c.appendSummary(nil))
	}
	nodes = append(nodes, n)
	private := MADHeaderSize + table.Size()
	if private < c.PrivateDataOffset && private < len(mad) {
		nodes = append(nodes, c.ipNode(mad, private))
	}
	return appendBytes(nodes, mad, field.Node{Key: "cm.privatedata", Name: "PrivateData", Start: c.PrivateDataOffset})
}

// ipNode is the IP CM header at byte at. An IPv4 address is written as one,
// not as the sixteen bytes that it stands in.
func (c *CM) ipNode(mad []byte, at int) field.Node {
	n := ipcmTable.Node(mad, at)
	if !c.IP.Valid {
		return n
	}
	n.Value = c.IP.Src.String() + " to " + c.IP.Dst.String()
	for i := range n.Children {
		switch child := &n.Children[i]; child.Key {
		case "cm.ip.src":
			child.Value = c.IP.Src.String()
		case "cm.ip.dst":
			child.Value = c.IP.Dst.String()
		}
	}
	return n
}

// appendBytes adds n, which runs from its Start to the end of the MAD, unless
// nothing of it was captured. Its value is the bytes up to the last that is
// not zero.
func appendBytes(nodes []field.Node, mad []byte, n field.Node) []field.Node {
	n.End = min(MADSize, len(mad))
	if n.Start >= n.End {
		return nodes
	}
	data := mad[n.Start:n.End]
	n.Value = strconv.Itoa(len(data)) + " bytes"
	used := bytes.TrimRight(data, "\x00")
	switch {
	case len(used) == 0:
		n.Value += ", all zero"
	case len(used) < len(data):
		n.Value += ": " + hex.EncodeToString(used) + ", then zeros"
	default:
		n.Value += ": " + hex.EncodeToString(used)
	}
	return append(nodes, n)
}

// blameNode puts a fault on the field at its byte or, where no field is
// there, on the last node that begins before it. A header that was cut says so
// itself.
func blameNode(nodes []field.Node, f field.Fault) {
	at := 0
	for i := range nodes {
		if nodes[i].Fault != "" && f.Offset >= nodes[i].End {
			return
		}
		if nodes[i].Start <= f.Offset {
			at = i
		}
	}
	n := &nodes[at]
	for i := range n.Children {
		if child := &n.Children[i]; child.Start <= f.Offset && f.Offset < child.End {
			n = child
			break
		}
	}
	n.Fault = f.Reason
}
