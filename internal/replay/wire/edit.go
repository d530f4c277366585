package wire

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// An Edit gives a field of a transport header another value, to make a fault on purpose.
type Edit struct {
	// Field is its name in the filter language: "rdma.credits".
	Field string
	// Nth chooses one of several fields with the name, from 0 on; -1 is all of them.
	Nth   int
	Value uint64
}

// A place is where a field stands in a header.
type place struct {
	name string
	// size is how many bytes it has, at where each of them is.
	size int
	at   func(h *rpcrdma.Header) []int
}

// places are the fields that a header has.
var places = []place{
	{"rdma.xid", 4, fixed(rpcrdma.AtXID)},
	{"rdma.version", 4, fixed(rpcrdma.AtVersion)},
	{"rdma.credits", 4, fixed(rpcrdma.AtCredits)},
	{"rdma.proc", 4, fixed(rpcrdma.AtProc)},
	{"rdma.error", 4, func(h *rpcrdma.Header) []int {
		if h.Proc != rpcrdma.RDMAError {
			return nil
		}
		return []int{h.ErrorAt()}
	}},
	{"rdma.direction", 4, version2(0)},
	{"rdma.inv_handle", 4, version2(4)},
	{"rdma.position", 4, func(h *rpcrdma.Header) (list []int) {
		for i := range h.Reads {
			list = append(list, h.PositionAt(i))
		}
		return list
	}},
	{"rdma.handle", 4, inSegments(0)},
	{"rdma.segment_length", 4, inSegments(rpcrdma.SegmentLength)},
	{"rdma.offset", 8, inSegments(rpcrdma.SegmentLength + 4)},
}

// fixed is a word that every header has.
func fixed(at int) func(*rpcrdma.Header) []int {
	return func(*rpcrdma.Header) []int { return []int{at} }
}

// version2 is a word after the fixed ones of RDMA2_MSG and RDMA2_NOMSG.
func version2(at int) func(*rpcrdma.Header) []int {
	return func(h *rpcrdma.Header) []int {
		if h.Version != rpcrdma.Version2 || h.Proc > rpcrdma.RDMANoMsg {
			return nil
		}
		return []int{rpcrdma.FixedSize + at}
	}
}

// inSegments is a part of each segment.
func inSegments(at int) func(*rpcrdma.Header) []int {
	return func(h *rpcrdma.Header) (list []int) {
		for i := 0; ; i++ {
			segment, ok := SegmentAt(h, i)
			if !ok {
				return list
			}
			list = append(list, segment+at)
		}
	}
}

// EditableFields are the names of the fields that an Edit can change.
func EditableFields() (names []string) {
	for _, p := range places {
		names = append(names, p.name)
	}
	return names
}

// Check says what is wrong with an Edit, whatever message it is for.
func (e *Edit) Check() error {
	i := slices.IndexFunc(places, func(p place) bool { return p.name == e.Field })
	switch {
	case i < 0:
		return fmt.Errorf("%s is not a field of the transport header that can be edited: those are %s", e.Field, strings.Join(EditableFields(), ", "))
	case places[i].size == 4 && e.Value>>32 != 0:
		return fmt.Errorf("%s has 32 bits, and %d does not fit", e.Field, e.Value)
	}
	return nil
}

// Apply changes the field in a message, whose header is h. It says if the header does not
// have it.
func (e *Edit) Apply(b []byte, h *rpcrdma.Header) error {
	if err := e.Check(); err != nil {
		return err
	}
	p := places[slices.IndexFunc(places, func(p place) bool { return p.name == e.Field })]
	changed := 0
	for i, at := range p.at(h) {
		if e.Nth >= 0 && i != e.Nth || at+p.size > len(b) {
			continue
		}
		if changed++; p.size == 8 {
			binary.BigEndian.PutUint64(b[at:], e.Value)
		} else {
			binary.BigEndian.PutUint32(b[at:], uint32(e.Value))
		}
	}
	if changed == 0 {
		return fmt.Errorf("the header has no %s", e.name())
	}
	return nil
}

func (e *Edit) name() string {
	if e.Nth < 0 {
		return e.Field
	}
	return fmt.Sprintf("%s[%d]", e.Field, e.Nth)
}

// String is the edit as it is written: "rdma.credits = 0".
func (e *Edit) String() string { return fmt.Sprintf("%s = %d", e.name(), e.Value) }
