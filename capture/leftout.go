package capture

import (
	"strconv"
	"strings"
)

// What a copy of some frames says, in a comment, of the first one behind others of its connection
// and its sender that were left out.
const (
	// LeftOutComment is how such a comment begins.
	LeftOutComment = "rdmacap cut: frames from this sender were left out before this one"
	beginsComment  = "; an FPDU begins at byte "
	beginsEnd      = " of the TCP segment"
)

// AppendLeftOut appends such a comment. Begins is the offset of the first FPDU that begins in what a
// TCP segment carries, -1 if that is not known or there is none: where FPDUs before it are left out,
// it cannot be told with certainty.
func AppendLeftOut(b []byte, begins int) []byte {
	b = append(b, LeftOutComment...)
	if begins >= 0 {
		b = append(b, beginsComment...)
		b = strconv.AppendInt(b, int64(begins), 10)
		b = append(b, beginsEnd...)
	}
	return b
}

// leftOut takes such a comment.
func (e *Extra) leftOut(comment string) {
	rest, is := strings.CutPrefix(comment, LeftOutComment)
	if !is {
		return
	}
	e.LeftOut = true
	if rest, is = strings.CutPrefix(rest, beginsComment); !is {
		return
	}
	if n, err := strconv.ParseUint(strings.TrimSuffix(rest, beginsEnd), 10, 16); err == nil {
		e.Begins = int32(n) + 1
	}
}

// LeftOut is that of Extra.
func (f *Frame) LeftOut() bool { return f.Extra != nil && f.Extra.LeftOut }

// Begins is that of Extra as an offset, -1 if it is not known.
func (f *Frame) Begins() int {
	if f.Extra == nil {
		return -1
	}
	return int(f.Extra.Begins) - 1
}
