package layers_test

import (
	"encoding/hex"
	"fmt"

	"github.com/google/gopacket"
	gplayers "github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/rocev2/layers"
)

// A gopacket program that asks for RoCEv2 finds its headers as layers. The
// frame is an Acknowledge of an NFS client, from the IP header on.
func ExampleRegisterUDPPort() {
	layers.RegisterUDPPort()
	frame, _ := hex.DecodeString("450000302334400040119385c0000202c0000201c2a112b7001c0000" +
		"1100ffff0000001100e2d47c1f000004e7126687")
	packet := gopacket.NewPacket(frame, gplayers.LayerTypeIPv4, gopacket.Default)
	for _, layer := range packet.Layers() {
		fmt.Println(layer.LayerType())
	}
	aeth := packet.Layer(layers.LayerTypeAETH).(*layers.AETH)
	fmt.Println(aeth.Syndrome, aeth.MSN)
	// Output:
	// IPv4
	// UDP
	// BTH
	// AETH
	// ACK 4
}
