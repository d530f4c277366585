package rocev2

import (
	"math/bits"
	"strings"
)

// An ExtSet is a set of extended transport headers, one bit each. The order of
// the bits, from the least significant, is the order on the wire.
type ExtSet uint16

// The extended transport headers (IBA 9.3, Annex A14 for XRCETH, Annex
// A19 for FETH), with their sizes.
const (
	ExtRDETH        ExtSet = 1 << iota // Reliable Datagram, 4 bytes
	ExtDETH                            // Datagram, 8 bytes
	ExtXRCETH                          // XRC, 4 bytes
	ExtFETH                            // FLUSH, 4 bytes
	ExtRETH                            // RDMA, 16 bytes
	ExtAtomicETH                       // Atomic, 28 bytes
	ExtAETH                            // ACK, 4 bytes
	ExtAtomicAckETH                    // Atomic ACK, 8 bytes
	ExtImmDt                           // immediate data, 4 bytes
	ExtIETH                            // Invalidate, 4 bytes
)

// extCount is the number of extended headers; a header's index is the number
// of its bit.
const extCount = 10

// extNames and extSizes are indexed by a header's bit number.
var (
	extNames = [extCount]string{"RDETH", "DETH", "XRCETH", "FETH", "RETH", "AtomicETH", "AETH", "AtomicAckETH", "ImmDt", "IETH"}
	extSizes = [extCount]int{4, 8, 4, 4, 16, 28, 4, 8, 4, 4}
)

// index is the bit number of a set with one header.
func (s ExtSet) index() int { return bits.TrailingZeros16(uint16(s)) }

// Has reports whether all headers of h are in the set.
func (s ExtSet) Has(h ExtSet) bool { return s&h == h }

// Size is the number of bytes that the headers of the set take together.
func (s ExtSet) Size() int {
	n := 0
	for i, size := range extSizes {
		if s&(1<<i) != 0 {
			n += size
		}
	}
	return n
}

// String is the headers' names in wire order: "XRCETH RETH".
func (s ExtSet) String() string {
	var names []string
	for i, name := range extNames {
		if s&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
