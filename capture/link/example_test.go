package link_test

import (
	"encoding/hex"
	"fmt"

	"github.com/rdmacap/rdmacap/capture/link"
)

// A RoCEv2 Acknowledge in IPv4 with a VLAN tag: where its transport packet is, and what lies below.
func ExamplePacket_Decode() {
	frame, _ := hex.DecodeString("020000000001" + "020000000002" + "8100600a" + "0800" +
		"450000302334400040119385c0000202c0000201" + "c2a112b7001c0000" +
		"1100ffff0000001100e2d47c1f000004e7126687")
	var p link.Packet
	p.Decode(link.TypeEthernet, frame, len(frame), link.Options{})
	if p.Faulty() {
		fmt.Println(p.Fault())
		return
	}
	fmt.Printf("%v from %v port %d to %v port %d\n", p.Transport, p.Src(), p.SrcPort, p.Dst(), p.DstPort)
	fmt.Printf("bytes %d to %d: %x\n", p.Start(), p.End(), frame[p.Start():p.End()])

	// The headers are read again by who wants to show them.
	var headers link.Headers
	headers.Find(&p, link.TypeEthernet, frame, len(frame))
	for _, node := range headers.Nodes() {
		fmt.Printf("bytes %d to %d: %s\n", node.Start, node.End, node.Name)
	}
	// Output:
	// RoCEv2 from 192.0.2.2 port 49825 to 192.0.2.1 port 4791
	// bytes 46 to 66: 1100ffff0000001100e2d47c1f000004e7126687
	// bytes 0 to 14: Ethernet
	// bytes 14 to 18: 802.1Q tag (802.1Q)
	// bytes 18 to 38: Internet Protocol version 4 (IPv4)
	// bytes 38 to 46: User Datagram Protocol (UDP)
}
