package build

import "encoding/binary"

// switchMAC is the address of the port that pauses.
var switchMAC = [6]byte{0x02, 0, 0, 0, 0, 0xee}

// WholeLink stands for all priorities in Pause.
const WholeLink = -1

// Pause is the frame by which a switch's port pauses a priority, or the whole link, for some
// quanta of 512 bit times (IEEE 802.3 annexes 31B and 31D); 0 ends the pause.
func Pause(priority int, quanta uint16) []byte {
	const size, opcode, of, first = 60, 14, 17, 18
	b := make([]byte, size)
	copy(b, []byte{0x01, 0x80, 0xc2, 0, 0, 0x01})
	copy(b[6:], switchMAC[:])
	copy(b[12:], []byte{0x88, 0x08})
	if priority == WholeLink {
		b[opcode+1] = 1
		binary.BigEndian.PutUint16(b[opcode+2:], quanta)
		return b
	}
	b[opcode], b[opcode+1] = 1, 1
	b[of] = 1 << (priority & 7)
	binary.BigEndian.PutUint16(b[first+2*(priority&7):], quanta)
	return b
}
