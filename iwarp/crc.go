package iwarp

import (
	"hash/crc32"
	"math/bits"
)

// castagnoli is the table of the CRC32c; it is never written after it is made.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// CRC computes the CRC32c of an FPDU from its bytes before the CRC field,
// markers included (RFC 5044 section 4.4). The result is the four bytes that
// belong in the field as a big-endian number, as packet dissectors show them.
// MPA sends the CRC32c least significant byte first, so it is this number with
// its bytes reversed.
func CRC(b []byte) uint32 { return bits.ReverseBytes32(crc32.Checksum(b, castagnoli)) }

// A CRCUse says whether the CRC fields of a direction hold CRCs. Both ends
// settle that in their start-up frames; the field itself is always there.
type CRCUse uint8

const (
	CRCUnknown CRCUse = iota // the start-up was not seen
	CRCUsed
	CRCUnused
)

// A CRCState says what became of the CRC of one FPDU.
type CRCState uint8

const (
	CRCUnchecked CRCState = iota // the FPDU was not captured whole
	CRCRight
	CRCWrong
	// CRCNotUsed: the ends agreed on none, or the start-up was not seen and
	// nothing shows that the sender puts CRCs in its FPDUs.
	CRCNotUsed
)

// String is "right", "wrong", "not used" or "unchecked".
func (s CRCState) String() string {
	return [...]string{CRCUnchecked: "unchecked", CRCRight: "right", CRCWrong: "wrong", CRCNotUsed: "not used"}[s]
}

// A crcLedger is what is known of the CRCs of a direction.
type crcLedger struct {
	use CRCUse
	// With CRCUnknown: how many were right and not zero, how many not right.
	right, wrong int
}

const (
	// crcProof is how many right CRCs, none wrong before them, prove that the
	// sender computes them. By chance, one is right in 2^32.
	crcProof = 2
	// crcGivenUp is how many wrong ones, none right before them, are enough not
	// to compute any more.
	crcGivenUp = 8
)

// checks reports whether CRCs are worth computing.
func (c *crcLedger) checks() bool { return c.use != CRCUnused }

// note enters the CRC of a whole FPDU.
func (c *crcLedger) note(carried, computed uint32) CRCState {
	right := carried == computed
	if c.use == CRCUnknown {
		switch {
		case right && carried != 0:
			if c.right++; c.right >= crcProof && c.wrong == 0 {
				c.use = CRCUsed
			}
		case !right:
			if c.wrong++; c.wrong >= crcGivenUp && c.right == 0 {
				c.use = CRCUnused
			}
		}
	}
	switch {
	case right:
		return CRCRight
	case c.use == CRCUsed:
		return CRCWrong
	}
	return CRCNotUsed
}
