package capture

import "github.com/rdmacap/rdmacap/capture/link"

// A Frame is one captured frame and where it stands. A reader fills the same
// Frame again and again; nothing in it but the numbers and Extra
// outlives the next read.
//
// It is part of the record of a frame that goes from one processor to another,
// so it is small.
type Frame struct {
	// Data are the captured bytes, valid until the next read: of a record of more than
	// 516 KiB, which no link carries, the first ones.
	Data []byte
	// Time is when the frame was captured, in nanoseconds since 1970-01-01
	// 00:00 UTC; 0 where the file has no time for it (simple packet blocks).
	Time int64
	// Number is the 1-based number of the frame in its file.
	Number int64
	// Offset is the byte in the (uncompressed) file where its record begins.
	Offset int64
	// Extra is what only few frames have, nil if there is none of it.
	Extra *Extra
	// Length is the number of bytes the frame had on the wire; more than
	// len(Data) where the snap length cut it, and never less: a file that
	// states less is not believed. What is beyond 2^31-1 counts as that.
	Length int32
	// File is the index of the capture on the command line, from 0.
	File int32
	// Section and Interface number the pcapng section (from 0, modulo 2^32) and
	// the interface in it; both 0 for pcap.
	Section   uint32
	Interface uint16
	// Link is the frame's link type.
	Link link.Type
}

// An Extra is what only few frames have.
type Extra struct {
	// Comments are the comments of the frame (pcapng opt_comment) in the order of
	// the file. Of a frame with more than 256 they are the first.
	Comments []string
	// Dropped says that whoever captured the frame dropped others, and that this one
	// is the first that was captured since, as far as that is known: any frame may
	// be missing before it.
	Dropped bool
	// LeftOut says that the file is a copy without frames that its sender sent on the connection
	// before this one, see LeftOutComment.
	LeftOut bool
	// Begins is where in what a TCP segment carries an FPDU begins, as such a copy says: one more
	// than the offset, 0 if it does not say so.
	Begins int32
}

// DropComment is a comment on a frame before which others may be missing that were dropped,
// where pcapng's count of drops does not say so: they are counted at another frame.
const DropComment = "rdmacap: frames may be missing before this one: some were dropped while they were captured"

// Comments are the comments of the frame, nil if it has none.
func (f *Frame) Comments() []string {
	if f.Extra == nil {
		return nil
	}
	return f.Extra.Comments
}

// Dropped is that of Extra.
func (f *Frame) Dropped() bool { return f.Extra != nil && f.Extra.Dropped }

// A Source gives frames one after the other.
type Source interface {
	// Next fills f with the next frame. It returns io.EOF after the last one,
	// and an *Error for a file that cannot be read further; an *Error for
	// which errors.Is(err, io.ErrUnexpectedEOF) holds says that the file ends
	// in the middle of a record, after which every whole record was given.
	// Packets that were skipped are told when the file ends, by an *Error too;
	// if it ends with another one, the two are joined (errors.Join).
	// After an *Error it returns io.EOF. What f holds after either is nothing
	// to rely on.
	Next(f *Frame) error
}
