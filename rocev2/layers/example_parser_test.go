package layers_test

import (
	"fmt"
	"io"
	"os"

	"github.com/google/gopacket"
	gplayers "github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/rdmacap/rdmacap/rocev2/layers"
)

// A DecodingLayerParser decodes a capture into the same layers again and again, without allocating
// any. What the parser has no layer for, here the payload, ends a packet.
func ExampleNewSet() {
	layers.RegisterUDPPort()
	file, err := os.Open("../../samples/cases/t7a.pcap")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	reader, err := pcapgo.NewReader(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	var (
		ethernet gplayers.Ethernet
		ip       gplayers.IPv4
		udp      gplayers.UDP
	)
	set := layers.NewSet()
	parser := gopacket.NewDecodingLayerParser(gplayers.LayerTypeEthernet, &ethernet, &ip, &udp)
	for _, layer := range set.All() {
		parser.AddDecodingLayer(layer)
	}
	parser.IgnoreUnsupported = true
	var decoded []gopacket.LayerType
	for {
		data, _, err := reader.ReadPacketData()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = parser.DecodeLayers(data, &decoded)
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(ip.SrcIP, set.BTH.OpCode, "PSN", set.BTH.PSN, decoded[3:])
	}
	// Output:
	// 192.0.2.1 RC SEND Only PSN 3951954 [BTH]
	// 192.0.2.2 RC Acknowledge PSN 3951954 [BTH AETH]
	// 192.0.2.2 RC SEND Only PSN 1714995 [BTH]
	// 192.0.2.1 RC Acknowledge PSN 1714995 [BTH AETH]
	// 192.0.2.1 RC RDMA READ Request PSN 3951955 [BTH RETH]
	// 192.0.2.2 RC RDMA READ Response First PSN 3951955 [BTH AETH]
	// 192.0.2.2 RC RDMA READ Response Middle PSN 3951956 [BTH]
	// 192.0.2.2 RC RDMA READ Response First PSN 3951957 [BTH AETH]
}
