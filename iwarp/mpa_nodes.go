package iwarp

import (
	"encoding/hex"

	"github.com/rdmacap/rdmacap/field"
)

// StartNodes builds the field tree of the MPA Request or Reply frame whose key
// is at byte at of b, the buffer that is shown: the frame's header, and its
// private data ("mpa.privatedata") with the enhanced setup and the consumer's
// part ("mpa.ulpdata") below it. A fault that Decode found is on the node it
// lies in.
func StartNodes(b []byte, at int) []field.Node {
	var s Start
	at = min(at, len(b))
	s.Decode(b[at:])
	if s.Bytes == nil {
		// Fields of what is no such frame would say something that is not so.
		return []field.Node{{Name: startTable.Title, Start: at, End: min(at+StartSize, len(b)), Fault: s.Fault.Reason}}
	}
	b = b[:at+len(s.Bytes)]
	header := startTable.Node(b, at)
	if header.Fault == "" {
		header.Name = s.name() + " Frame"
		header.Value = string(s.appendSummary(nil))
	}
	nodes := []field.Node{header}
	if s.PDLength > 0 && s.PDLength <= MaxPrivateData && len(s.Bytes) > StartSize {
		nodes = append(nodes, s.privateNode(b, at))
	}
	if s.Fault.Bad() {
		markStartFault(nodes, at, s.Fault)
	}
	return nodes
}

// privateNode is the private data, of which at least one byte was captured, of
// the frame that is b from byte at on.
func (s *Start) privateNode(b []byte, at int) field.Node {
	n := field.Node{Key: "mpa.privatedata", Name: "Private Data", Start: at + StartSize, End: len(b)}
	n.Value = capturedCount(s.PDLength, n.End-n.Start)
	if s.enhanced() && s.PDLength >= enhancedSize {
		e := enhancedTable.Node(b, n.Start)
		if s.HasDepths {
			e.Value = string(s.appendDepths(nil))
		}
		n.Children = append(n.Children, e)
	}
	if from := s.PrivateDataOffset(); from < len(s.Bytes) {
		data := s.Bytes[from:]
		n.Children = append(n.Children, field.Node{Key: "mpa.ulpdata", Name: "ULP Private Data", Start: at + from, End: len(b),
			Value: capturedCount(StartSize+s.PDLength-from, len(data)) + ": " + hex.EncodeToString(data)})
	}
	return n
}

// markStartFault puts the fault of the frame at byte at on the field that it
// lies in or, where the frame was cut, on the last node. A table that was cut
// says so itself.
func markStartFault(nodes []field.Node, at int, f field.Fault) {
	n := &nodes[len(nodes)-1]
	if f.Offset < StartSize {
		n = &nodes[0]
	}
	for i := range n.Children {
		child := &n.Children[i]
		if child.Fault != "" || child.Start <= at+f.Offset && at+f.Offset < child.End {
			n = child
			break
		}
	}
	if n.Fault == "" {
		n.Fault = f.Reason
	}
}
