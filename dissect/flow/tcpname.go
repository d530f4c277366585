package flow

import "github.com/rdmacap/rdmacap/capture/link"

// A TCPName names a TCP connection by its two ends, the lesser one first.
type TCPName struct {
	Addr [2]link.Addr
	Port [2]uint16
}

// TCPNameOf is the name of a segment's connection, and which of its ends sent it.
func TCPNameOf(l *link.Packet) (n TCPName, sender int) {
	src, dst := l.Src(), l.Dst()
	if l.DstPort < l.SrcPort || l.DstPort == l.SrcPort && dst.Less(src) {
		return TCPName{[2]link.Addr{dst, src}, [2]uint16{l.DstPort, l.SrcPort}}, 1
	}
	return TCPName{[2]link.Addr{src, dst}, [2]uint16{l.SrcPort, l.DstPort}}, 0
}
