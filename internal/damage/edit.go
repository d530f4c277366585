package damage

import (
	"encoding/binary"
	"slices"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/build"
)

// editSize is how many bytes say one change.
const editSize = 8

// Edit returns frames that were changed as the bytes of a fuzz target's input say, eight a
// change: two say which frame, two which byte of it, one what that becomes, one what is to be
// made right again, and the last of them what is done:
//
//	0 to 15   the frame is lost
//	16 to 31  it comes again
//	32 to 47  it is cut at the byte, as by a snap length
//	48 to 63  it changes places with the one behind it
//	from 64   the byte is replaced. If what is to be made right is even, checksums and the
//	          ICRC are, so that what was changed is looked at
//
// The frames handed in stay as they are. The new ones are numbered from 1, and their times are
// those of the old ones in their order.
func Edit(list []capture.Frame, data []byte) []capture.Frame {
	edited := slices.Clone(list)
	for ; len(data) >= editSize && len(edited) > 0; data = data[editSize:] {
		i := int(binary.BigEndian.Uint16(data)) % len(edited)
		f := &edited[i]
		switch at := int(binary.BigEndian.Uint16(data[2:])); {
		case data[7] < 16:
			edited = slices.Delete(edited, i, i+1)
		case data[7] < 32:
			edited = slices.Insert(edited, i, *f)
		case data[7] < 48:
			f.Data = f.Data[:at%(len(f.Data)+1)]
		case data[7] < 64:
			if i+1 < len(edited) {
				next := &edited[i+1]
				*f, *next = *next, *f
				f.Time, next.Time = next.Time, f.Time
			}
		case len(f.Data) > 0:
			f.Data = slices.Clone(f.Data)
			f.Data[at%len(f.Data)] = data[4]
			if data[5]&1 == 0 {
				build.Reseal(f.Data)
			}
		}
	}
	for i := range edited {
		edited[i].Number = int64(i + 1)
	}
	return edited
}

// Change is an input of Edit that replaces a byte of a frame, and makes its checksums right.
func Change(frame, at int, value byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(frame))
	return append(binary.BigEndian.AppendUint16(b, uint16(at)), value, 0, 0, 0xff)
}

// Lose is an input of Edit that loses a frame.
func Lose(frame int) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(frame)), make([]byte, 6)...)
}

// Cut is an input of Edit that cuts a frame at a byte.
func Cut(frame, at int) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(frame))
	return append(binary.BigEndian.AppendUint16(b, uint16(at)), 0, 0, 0, 32)
}
