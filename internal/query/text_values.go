package query

import (
	"encoding/binary"
	"math/bits"
	"net/netip"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/filter"
)

// numbersOf says of an array of numbers what kind they are and how many bytes
// each has. Other arrays have their count as their value.
func numbersOf(t *types.Type) (k filter.Kind, width int, ok bool) {
	if t.Kind != types.Array && t.Kind != types.FixedArray {
		return 0, 0, false
	}
	switch t.Elem.Kind {
	case types.UnsignedInt:
		return filter.Uint, 4, true
	case types.Int:
		return filter.Int, 4, true
	case types.Enum:
		return filter.Enum, 4, true
	case types.UnsignedHyper:
		return filter.Uint, 8, true
	case types.Hyper:
		return filter.Int, 8, true
	}
	return 0, 0, false
}

// valueNumbers gives the elements of an array of numbers.
func valueNumbers(k filter.Kind, width int) valueOf {
	return func(b *dissect.Body, e *walk.Event, to *filter.Values) {
		for data := opaqueOf(b, e); len(data) >= width; data = data[width:] {
			var v int64
			switch {
			case width == 8:
				v = int64(binary.BigEndian.Uint64(data))
			case k == filter.Uint:
				v = int64(binary.BigEndian.Uint32(data))
			default:
				v = int64(int32(binary.BigEndian.Uint32(data)))
			}
			if k == filter.Int {
				to.Int(v)
			} else {
				to.Uint(uint64(v))
			}
		}
	}
}

// opaqueOf are those of a value, nil if they are not here: they travelled in a
// chunk.
func opaqueOf(b *dissect.Body, e *walk.Event) []byte {
	end := uint64(e.Offset) + uint64(e.Length)
	if e.Chunk >= 0 || end > uint64(len(b.Bytes)) {
		return nil
	}
	return b.Bytes[e.Offset:end:end]
}

func valueUint(_ *dissect.Body, e *walk.Event, to *filter.Values) { to.Uint(e.Value) }
func valueInt(_ *dissect.Body, e *walk.Event, to *filter.Values)  { to.Int(int64(e.Value)) }
func valueBool(_ *dissect.Body, e *walk.Event, to *filter.Values) { to.Bool(e.Value != 0) }

func valueText(b *dissect.Body, e *walk.Event, to *filter.Values) {
	if text := opaqueOf(b, e); text != nil {
		to.Text(text)
	}
}

func valueBytes(b *dissect.Body, e *walk.Event, to *filter.Values) {
	if data := opaqueOf(b, e); data != nil {
		to.Bytes(data)
	}
}

func valueAddress(b *dissect.Body, e *walk.Event, to *filter.Values) {
	if a, ok := netip.AddrFromSlice(opaqueOf(b, e)); ok {
		to.Addr(a)
	}
}

func valueIPv4(_ *dissect.Body, e *walk.Event, to *filter.Values) {
	v := e.Value
	to.Addr(netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}))
}

// valueFlags gives a word of flags, and if it has several also each of them: so
// both access == READ and access == 0x1f ask what they seem to.
func valueFlags(_ *dissect.Body, e *walk.Event, to *filter.Values) {
	to.Uint(e.Value)
	if more := e.Value & (e.Value - 1); more == 0 {
		return
	}
	for v := e.Value; v != 0; v &= v - 1 {
		to.Uint(v & -v)
	}
}

// valueIntFlags does the same for a signed word, whose flags are those of the 32
// bits that it has on the wire.
func valueIntFlags(b *dissect.Body, e *walk.Event, to *filter.Values) {
	unsigned := *e
	unsigned.Value = uint64(uint32(e.Value))
	valueFlags(b, &unsigned, to)
}

// valueBits gives the number of each bit that is set, the least being 0.
func valueBits(_ *dissect.Body, e *walk.Event, to *filter.Values) {
	for v := e.Value; v != 0; v &= v - 1 {
		to.Uint(uint64(bits.TrailingZeros64(v)))
	}
}

// valueBitmap does the same for words of 32 bits, the first with bits 0 to 31
// (RFC 8881, section 3.3.7).
func valueBitmap(b *dissect.Body, e *walk.Event, to *filter.Values) {
	for i, c := range opaqueOf(b, e) {
		word, in := i/4, 8*(3-i%4)
		for ; c != 0; c &= c - 1 {
			to.Uint(uint64(32*word + in + bits.TrailingZeros8(c)))
		}
	}
}
