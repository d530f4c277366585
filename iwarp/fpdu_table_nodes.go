package iwarp

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// FPDUNodes builds the field tree of the FPDU whose bytes, markers included,
// are b[at:end], b being the buffer that is shown: ULPDU_Length, the nodes of
// the ULPDU (see PDUNodes), pad, CRC, and the markers in their places. A ULPDU
// with markers in it does not stand in b as its sender's DDP made it: after its
// header it is shown as the runs of bytes between them.
//
// FirstMarker is the offset of the first marker from at, a multiple of four, or
// -1 if there is none; the others follow every 512 bytes of the stream.
// CRCFault is what is wrong with the CRC, "" if nothing is. An FPDU that was not
// captured to its end is shown as far as it was.
func FPDUNodes(b []byte, at, end int, firstMarker int, crcFault string) []field.Node {
	end = min(end, len(b))
	w := fpduWalk{b: b[:end], at: min(at, end), marker: end}
	if firstMarker >= 0 {
		w.marker = at + firstMarker
	}
	from, to := w.run(fpduTable.Size())
	if len(w.nodes) > 0 && w.nodes[0].Fault != "" {
		return w.nodes // the marker before it was cut
	}
	header := fpduTable.Node(w.b[:to], from)
	w.nodes = append(w.nodes, header)
	if header.Fault != "" {
		return w.nodes
	}
	length := int(binary.BigEndian.Uint16(b[from:]))
	w.nodes[len(w.nodes)-1].Value = "ULPDU of " + field.ByteCount(length)
	w.ulpdu(length)
	w.pad(-(fpduTable.Size() + length) & 3)
	if from, to = w.run(fpduCRCTable.Size()); to-from == fpduCRCTable.Size() {
		crc := fpduCRCTable.Node(w.b, from)
		crc.Value, crc.Fault = crc.Children[0].Value, crcFault
		w.nodes = append(w.nodes, crc)
	}
	return w.nodes
}

// An fpduWalk goes over the bytes of an FPDU and steps over its markers.
type fpduWalk struct {
	b      []byte // to the end of the FPDU, or of what was captured of it
	at     int    // the next byte
	marker int    // where the next marker is
	nodes  []field.Node
}

// The size of a marker and the distance from one to the next, in bytes of the
// stream (RFC 5044 section 4.3).
const (
	fpduMarkerSize     = 4
	fpduMarkerInterval = 512
)

// run bounds the next bytes that have no marker in them, at most n, and adds
// the marker that stands before them. It returns no bytes at the end.
func (w *fpduWalk) run(n int) (from, to int) {
	if n > 0 && w.at == w.marker && w.at < len(w.b) {
		w.nodes = append(w.nodes, fpduMarkerNode(w.b, w.at))
		w.at = min(w.at+fpduMarkerSize, len(w.b))
		w.marker += fpduMarkerInterval
	}
	from, to = w.at, min(w.at+n, len(w.b))
	if w.marker >= from {
		to = min(to, w.marker)
	}
	w.at = to
	return from, to
}

func fpduMarkerNode(b []byte, at int) field.Node {
	n := fpduMarkerTable.Node(b, at)
	if n.Fault == "" {
		n.Value = "FPDUPTR " + n.Children[1].Value
	}
	return n
}

// ulpdu adds the ULPDU of that many bytes. Of one with markers in it, the DDP
// header is shown if no marker is in it, but no payload that others would read.
func (w *fpduWalk) ulpdu(length int) {
	from, to := w.run(length)
	if to-from == length || from < to && to == len(w.b) {
		w.nodes = append(w.nodes, PDUNodes(w.b, from, from+length)...)
		return
	}
	done := 0
	if to-from >= UntaggedSize {
		header := PDUNodes(w.b[:to], from, from+length)[0]
		w.nodes = append(w.nodes, header)
		done, from = header.End-from, header.End
	}
	for {
		if from == to {
			if from, to = w.run(length - done); from == to {
				return
			}
		}
		last := done + to - from
		w.nodes = append(w.nodes, field.Node{Name: "ULPDU", Start: from, End: to,
			Value: "bytes " + strconv.Itoa(done) + " to " + strconv.Itoa(last-1) + " of " + strconv.Itoa(length)})
		done, from = last, to
	}
}

// pad adds the pad of that many bytes, which the receiver ignores.
func (w *fpduWalk) pad(n int) {
	from, to := w.run(n)
	if from == to {
		return
	}
	value := capturedCount(n, to-from)
	for _, v := range w.b[from:to] {
		if v != 0 {
			value += ", not zero: " + hex.EncodeToString(w.b[from:to])
			break
		}
	}
	w.nodes = append(w.nodes, field.Node{Name: "Padding", Value: value, Start: from, End: to})
}
