package rocev2_test

import (
	"fmt"
	"io"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// The ICRCs of all RoCEv2 packets of a capture are compared with their bytes.
func ExamplePacket_CheckICRC() {
	file, err := capture.Open("../samples/rxe-basic.pcap.zst", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	var frame capture.Frame
	var lower link.Packet
	var p rocev2.Packet
	count := make(map[rocev2.ICRCState]int)
	for err = file.Next(&frame); err == nil; err = file.Next(&frame) {
		lower.Decode(frame.Link, frame.Data, int(frame.Length), link.Options{})
		if lower.Transport != link.RoCEv2 {
			continue
		}
		p.Decode(frame.Data[lower.Start():], lower.End()-lower.Start())
		p.CheckICRC(frame.Data, &lower)
		count[p.Check]++
	}
	if err != io.EOF {
		fmt.Println(err)
	}
	fmt.Println(count)
	// Output:
	// map[right:5193]
}

// The setup of a connection says who talks to whom, and which queue pairs they use.
func ExampleCM_Decode() {
	file, err := capture.Open("../samples/cases/ring-1.pcap", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	var frame capture.Frame
	var lower link.Packet
	var p rocev2.Packet
	var m rocev2.CM
	for err = file.Next(&frame); err == nil; err = file.Next(&frame) {
		lower.Decode(frame.Link, frame.Data, int(frame.Length), link.Options{})
		if lower.Transport != link.RoCEv2 {
			continue
		}
		p.Decode(frame.Data[lower.Start():], lower.End()-lower.Start())
		if p.DestQP != 1 || p.Faulty() || !m.Decode(p.Payload()) {
			continue // queue pair 1 is that of connection management
		}
		switch m.Kind {
		case rocev2.CMReq:
			fmt.Printf("%v from %v to port %d, QP %#06x, path MTU %d\n", m.Kind, lower.Src(), m.IP.DstPort, m.QPN, m.PathMTU)
		case rocev2.CMRep:
			fmt.Printf("%v from %v, QP %#06x\n", m.Kind, lower.Src(), m.QPN)
		}
	}
	if err != io.EOF {
		fmt.Println(err)
	}
	// Output:
	// REQ from 192.0.2.2 to port 20049, QP 0x000411, path MTU 1024
	// REP from 192.0.2.1, QP 0x000522
}
