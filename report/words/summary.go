package words

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
)

// AppendExtent appends how many RPCs and connections there were.
func AppendExtent(b []byte, s *dissect.Summary) []byte {
	b = AppendCount(b, s.RPCs, "RPC")
	b = append(b, " on "...)
	return AppendCount(b, s.Connections, "connection")
}

// AppendCapture appends what the captures hold, after AppendExtent: frames, what is odd of
// them, the time that they span.
func AppendCapture(b []byte, inks Inks, s *dissect.Summary) []byte {
	b = append(b, ", "...)
	b = AppendCount(b, s.Frames, "frame")
	b = append(b, " of "...)
	b = AppendBytes(b, s.Bytes)
	b = appendCounts(b, inks.Odd, []count{
		{s.IncompleteRPCs, "RPC", " incomplete", true},
		{s.NotRDMAFrames, "frame", " not RDMA", false},
		{s.MalformedFrames, "frame", " malformed", true},
		{s.BadICRC, "ICRC", " wrong", true},
		{s.BadCRC, "CRC", " wrong", true},
		{s.Retransmissions, "retransmission", "", true},
		{s.LostOnWire, "frame", " lost on the wire", true},
		{s.LostInCapture, "frame", " missing from the capture", true},
		{s.Duplicates, "frame", " captured twice", false},
		{s.Reordered, "frame", " captured out of order", false},
	})
	b = append(b, "; "...)
	b = field.AppendDuration(b, s.Last-s.First)
	return append(b, " captured"...)
}

// AppendRead is AppendCapture with how long it took to read the captures.
func AppendRead(b []byte, inks Inks, s *dissect.Summary, elapsed time.Duration) []byte {
	b = append(AppendCapture(b, inks, s), ", read in "...)
	return field.AppendDuration(b, elapsed.Nanoseconds())
}
