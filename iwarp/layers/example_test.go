package layers_test

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"

	"github.com/google/gopacket"
	gplayers "github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/iwarp/layers"
)

// A Linux NFS server's RDMA Read Request: two bytes of ULPDU_Length, 46 of
// ULPDU, no pad, and a CRC that is not in use.
const readRequest = "002e4141000000000000000100000001000000009847a401ff291a66827a7000" +
	"00040000f43981026a1aad1183d7a00000000000"

// A gopacket program that asks for iWARP finds its headers as layers. The frame
// is from the IP header on. Without DecodeStreamsAsDatagrams, gopacket takes
// what TCP carries for payload.
func ExampleRegisterTCPPort() {
	layers.RegisterTCPPort()
	frame, _ := hex.DecodeString("4500006866f6400040064f96c0000201c0000202" +
		"4e51cb865593ba163d31b8e0801801f5b8260000" + "0101080a368b1de571a418af" + readRequest)
	packet := gopacket.NewPacket(frame, gplayers.LayerTypeIPv4, gopacket.DecodeOptions{DecodeStreamsAsDatagrams: true})
	for _, layer := range packet.Layers() {
		fmt.Println(layer.LayerType())
	}
	read := packet.Layer(layers.LayerTypeReadRequest).(*layers.ReadRequest)
	fmt.Printf("%d bytes at %#x of STag %#x\n", read.Size, read.SourceTO, read.SourceSTag)
	// Output:
	// IPv4
	// TCP
	// FPDU
	// DDP
	// ReadRequest
	// 262144 bytes at 0x6a1aad1183d7a000 of STag 0xf4398102
}

// A program that has the bytes of one direction in order, here from the
// start-up frame on, cuts them with Split.
func ExampleSplit() {
	start, _ := hex.DecodeString("4d504120494420526570204672616d651002000c00000080" + "f6ab0e1801000303")
	fpdu, _ := hex.DecodeString(readRequest)
	scanner := bufio.NewScanner(bytes.NewReader(append(start, fpdu...)))
	scanner.Buffer(nil, layers.MaxFPDU)
	scanner.Split(layers.Split)
	for scanner.Scan() {
		packet := gopacket.NewPacket(scanner.Bytes(), layers.TypeOf(scanner.Bytes()), gopacket.Default)
		switch l := packet.Layers()[0].(type) {
		case *layers.MPAStart:
			fmt.Printf("MPA revision %d, ORD %d, private data %x\n", l.Revision, l.ORD, l.PrivateData())
		case *layers.FPDU:
			ddp := packet.Layer(layers.LayerTypeDDP).(*layers.DDP)
			fmt.Printf("%v, queue %d, MSN %d\n", ddp.OpCode, ddp.QN, ddp.MSN)
		}
	}
	// Output:
	// MPA revision 2, ORD 128, private data f6ab0e1801000303
	// RDMA Read Request, queue 1, MSN 1
}
