package link

import "encoding/binary"

// Priorities is how many priorities a link has (IEEE 802.1Q section 6.9).
const Priorities = 8

// A Pause is what a MAC control frame asks of the port at the other end of the link.
type Pause struct {
	// Source is the MAC address of the port that asks for it.
	Source [6]byte
	// Whole says that it is about the whole link (PAUSE), not about priorities (PFC).
	Whole bool
	// Named has a bit for each priority that PFC names.
	Named uint8
	// Quanta is for how long each is paused, in units of 512 bit times; 0 ends the pause.
	// That of the whole link is the first.
	Quanta [Priorities]uint16
}

// Pauses reports whether the frame is a MAC control frame that pauses a link or some of its
// priorities.
func (p *Packet) Pauses() bool { return p.protocol == isPFCPause || p.protocol == isPause }

// Pause reads such a frame (IEEE 802.3 annexes 31B and 31D) from its bytes. It is not ok if the
// frame is none, or is not whole:
//
//	| Source 6 | EtherType 2 | 0x0001 2 | time 2 |                              PAUSE
//	| Source 6 | EtherType 2 | 0x0101 2 | priorities 2 | time of each 8 times 2 | PFC
func (p *Packet) Pause(data []byte) (x Pause, ok bool) {
	const before, pauseSize, pfcSize = 8, 4, 4 + 2*Priorities
	at := int(p.number)
	if !p.Pauses() || at < before || len(data) < at+pauseSize {
		return x, false
	}
	copy(x.Source[:], data[at-before:])
	if p.protocol == isPause {
		x.Whole, x.Quanta[0] = true, binary.BigEndian.Uint16(data[at+2:])
		return x, true
	}
	if len(data) < at+pfcSize {
		return x, false
	}
	x.Named = data[at+3]
	for i := range x.Quanta {
		x.Quanta[i] = binary.BigEndian.Uint16(data[at+4+2*i:])
	}
	return x, true
}

// Priority is the PCP of the VLAN tag right before the network header, not ok without one.
func (p *Packet) Priority(data []byte) (pcp uint8, ok bool) {
	at := int(p.network)
	if at < ethernetSize+vlanSize || at > len(data) {
		return 0, false
	}
	switch binary.BigEndian.Uint16(data[at-6:]) {
	case etherVLAN, etherServiceTag:
		return data[at-4] >> 5, true
	}
	return 0, false
}
