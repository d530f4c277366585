package iwarp

import "encoding/binary"

// Plausible reports whether the first bytes of a ULPDU of that many bytes on
// the wire look like a DDP segment of an RFC-abiding sender: versions 1,
// reserved bits 0, a known opcode of the right model, the queue of the opcode,
// the length of the message, one segment for a message that fits in one, and no
// offset that wraps. It takes UntaggedSize bytes to judge all of that; of
// fewer it judges what is there.
func Plausible(ulpdu []byte, length int) bool {
	if length < TaggedSize {
		return false
	}
	if len(ulpdu) < 1 {
		return true
	}
	control := ulpdu[0]
	tagged := control&bitTagged != 0
	if control&(ddpReserved|ddpVersion) != version1 || !tagged && length < UntaggedSize {
		return false
	}
	if len(ulpdu) < 2 {
		return true
	}
	op := OpCode(ulpdu[1] & rdmapOpCode)
	if ulpdu[1]>>6 != version1 || ulpdu[1]&rdmapReserved != 0 || !op.Known() || op.Tagged() != tagged {
		return false
	}
	if tagged {
		return len(ulpdu) < TaggedSize || !wraps(binary.BigEndian.Uint64(ulpdu[6:]), length-TaggedSize)
	}
	payload := length - UntaggedSize
	single := ops[op].single()
	switch {
	case single && (payload < ops[op].least || payload > ops[op].most || control&bitLast == 0):
		return false
	case len(ulpdu) >= 10 && binary.BigEndian.Uint32(ulpdu[6:]) != op.QN():
		return false
	case len(ulpdu) >= UntaggedSize:
		mo := binary.BigEndian.Uint32(ulpdu[14:])
		return (!single || mo == 0) && uint64(mo)+uint64(payload) <= 1<<32
	}
	return true
}

// wraps reports whether n bytes from a tagged offset on go beyond its 64 bits.
func wraps(to uint64, n int) bool { return n > 0 && to+uint64(n-1) < to }
