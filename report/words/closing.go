package words

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// An Ink is what a form writes before and after words that stand out, nothing for the zero
// Ink.
type Ink struct{ On, Off string }

// Append appends text in the ink.
func (i Ink) Append(b []byte, text string) []byte {
	b = append(b, i.On...)
	b = append(b, text...)
	return append(b, i.Off...)
}

// Inks are for what is odd and what is wrong.
type Inks struct{ Odd, Bad Ink }

// A count is a number of things and what is reported of them.
type count struct {
	n    int64
	noun string
	tail string
	odd  bool // worth an ink
}

// appendCounts appends those that are not zero, each after a comma.
func appendCounts(b []byte, odd Ink, list []count) []byte {
	for _, c := range list {
		if c.n == 0 {
			continue
		}
		b = append(b, ", "...)
		if c.odd {
			b = append(b, odd.On...)
		}
		b = AppendCount(b, c.n, c.noun)
		b = append(b, c.tail...)
		if c.odd {
			b = append(b, odd.Off...)
		}
	}
	return b
}

// AppendClosing appends how a connection ended, and what it came to.
func AppendClosing(b []byte, inks Inks, c *dissect.Connection) []byte {
	switch c.Closing {
	case flow.Open:
		if c.Ousted {
			b = append(b, "no longer followed, to make room for others"...)
			break
		}
		b = append(b, "still open when the capture ends"...)
	case flow.Disconnected:
		b = append(b, "disconnected"...)
	case flow.Rejected:
		b = inks.Bad.Append(b, "rejected: "+Rejection(c))
	case flow.Terminated:
		b = inks.Bad.Append(b, "terminated by the "+Sender(c, c.TerminatedBy)+": "+string(c.Termination.AppendTo(nil)))
	case flow.Reset:
		b = inks.Odd.Append(b, "reset")
	case flow.Replaced:
		what := "queue pair"
		if c.IWARP() {
			what = "ports"
		}
		b = append(b, "not ended in the capture: the setup of another connection names its "+what...)
	}
	b = append(b, "; "...)
	b = AppendCount(b, c.Frames, "frame")
	b = append(b, ", "...)
	b = AppendBytes(b, c.Bytes)
	return appendCounts(b, inks.Odd, []count{
		{c.RPCs, "RPC", "", false},
		{c.RefusedReplies(), "RPC", " with a refused reply and so no answer", true},
		{c.Retransmissions, "retransmission", "", true},
		{c.LostOnWire, "frame", " lost on the wire", true},
		{c.LostInCapture, "frame", " missing from the capture", true},
		{c.NAKs, "NAK", "", true},
		{c.RNRs, "RNR NAK", "", true},
		{c.BadCRC, "FPDU", " with a wrong CRC", true},
		{c.Duplicates, "frame", " captured twice", false},
		{c.Reordered, "frame", " captured out of order", false},
	})
}

// AppendNegotiation appends how a connection on which another version than 1 was tried
// came to its version.
func AppendNegotiation(b []byte, c *dissect.Connection, n *dissect.Negotiation) []byte {
	if n.Tried == 0 { // there is no such version
		b = append(b, "the RPC-over-RDMA version tried first is not in the capture"...)
	} else {
		b = append(b, "RPC-over-RDMA version "...)
		b = strconv.AppendUint(b, uint64(n.Tried), 10)
		b = append(b, " tried"...)
	}
	if n.Refused {
		b = append(b, ", refused"...)
		b = AppendVersions(b, n.Low, n.High)
	}
	if n.Agreed != 0 {
		b = append(b, ", version "...)
		b = strconv.AppendUint(b, uint64(n.Agreed), 10)
		b = append(b, " agreed"...)
	}
	if th, known := c.Thresholds(); known {
		b = append(b, "; inline threshold "...)
		b = AppendThresholds(b, th)
	}
	return b
}

// AppendAnnounced appends the characteristics that an end announced, as they are in force;
// several says that frames are named together with their file.
func AppendAnnounced(b []byte, several bool, line *dissect.Timeline) []byte {
	separator := ""
	for id := rpcrdma.XcharRBSIZ; id <= rpcrdma.XcharBRS; id++ {
		c, ok := line.Now(id)
		if !ok {
			continue
		}
		b = append(b, separator...)
		separator = ", "
		b = append(b, id.Name()...)
		b = append(b, ' ')
		if c.Known {
			b = rpcrdma.AppendXcharValue(b, id, c.Value)
		} else {
			b = append(b, "unknown"...)
		}
		b = append(b, " (frame "...)
		b = append(b, c.Frame.Name(several)...)
		b = append(b, ')')
	}
	return b
}
