package rocev2_test

import (
	"encoding/hex"
	"fmt"

	"github.com/rdmacap/rdmacap/rocev2"
)

// A READ Request as it left an NFS server, from the BTH to the ICRC.
func ExamplePacket_Decode() {
	data, _ := hex.DecodeString("0c00ffff0000001280a1b43cdcff09fe43706000000023dd00005000b9ac5048")
	var p rocev2.Packet
	p.Decode(data, len(data))
	if p.Faulty() {
		fmt.Println(p.Fault())
		return
	}
	fmt.Println(p.OpCode)
	fmt.Printf("%d bytes at VA %#x, R_Key %#08x\n", p.DMALen(), p.VA(), p.RKey())
	for _, node := range p.Nodes(0) {
		fmt.Println(node.Name)
	}
	// Output:
	// RC RDMA READ Request
	// 20480 bytes at VA 0xdcff09fe43706000, R_Key 0x000023dd
	// Base Transport Header (BTH)
	// RDMA Extended Transport Header (RETH)
	// Invariant CRC (ICRC)
}
