package layers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/iwarp"
)

// The samples with iWARP, the TCP ports of its servers in them, and what tshark
// 4.0 counts there: start-up frames, and FPDUs by RDMAP opcode. Both are without
// CRC and markers.
var samples = []struct {
	name   string
	ports  []layers.TCPPort
	starts int
	counts map[iwarp.OpCode]int
}{
	{"siw-basic", []layers.TCPPort{iwarp.Port}, 8, map[iwarp.OpCode]int{
		iwarp.OpWrite: 1087, iwarp.OpReadRequest: 8, iwarp.OpReadResponse: 844, iwarp.OpSend: 923, iwarp.OpSendInvalidate: 143}},
	{"siw-perftest", []layers.TCPPort{18515, 7174}, 16, map[iwarp.OpCode]int{
		iwarp.OpWrite: 124, iwarp.OpReadRequest: 21, iwarp.OpReadResponse: 121, iwarp.OpSend: 217, iwarp.OpTerminate: 1}},
}

// A direction of a connection, put together in the plainest way: each segment's
// bytes go where its sequence number says.
type direction struct {
	first uint32 // sequence number of the first byte
	bytes []byte
}

// A segment is a frame with payload of a direction.
type segment struct {
	frame   int64
	data    []byte // from Ethernet on
	at, end int    // bytes of the direction's stream
	in      *direction
}

// A piece is a start-up frame or an FPDU of a stream.
type piece struct {
	at, size int
	start    bool
}

// eachFrame calls f for each frame of a sample, whose data are valid during the call.
func eachFrame(t *testing.T, name string, f func(f *capture.Frame)) {
	t.Helper()
	file, err := capture.Open("../../samples/"+name+".pcap.zst", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var frame capture.Frame
	for {
		if err := file.Next(&frame); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		f(&frame)
	}
}

// segments reads a sample's segments to and from the ports.
func segments(t *testing.T, name string, ports []layers.TCPPort) (list []segment) {
	t.Helper()
	type flows struct{ net, tcp gopacket.Flow }
	directions := make(map[flows]*direction)
	eachFrame(t, name, func(f *capture.Frame) {
		p := gopacket.NewPacket(f.Data, layers.LayerTypeEthernet, gopacket.Default)
		tcp, ok := p.Layer(layers.LayerTypeTCP).(*layers.TCP)
		if !ok || !between(tcp, ports) {
			return
		}
		key := flows{p.NetworkLayer().NetworkFlow(), tcp.TransportFlow()}
		if tcp.SYN {
			directions[key] = &direction{first: tcp.Seq + 1}
		}
		d := directions[key]
		if d == nil || len(tcp.Payload) == 0 {
			return
		}
		at := int(tcp.Seq - d.first)
		end := at + len(tcp.Payload)
		if end > len(d.bytes) {
			d.bytes = append(d.bytes, make([]byte, end-len(d.bytes))...)
		}
		copy(d.bytes[at:], tcp.Payload)
		list = append(list, segment{f.Number, bytes.Clone(f.Data), at, end, d})
	})
	return list
}

func between(tcp *layers.TCP, ports []layers.TCPPort) bool {
	for _, port := range ports {
		if tcp.SrcPort == port || tcp.DstPort == port {
			return true
		}
	}
	return false
}

// walk goes through a direction by RFC 5044's lengths. One that does not begin
// with a start-up frame is not iWARP (perftest also talks TCP to that port), and
// has no pieces.
func walk(t *testing.T, stream []byte) (pieces []piece) {
	t.Helper()
	if !bytes.HasPrefix(stream, []byte("MPA ID Re")) {
		return nil
	}
	for at := 0; at < len(stream); {
		p := piece{at: at}
		if rest := stream[at:]; bytes.HasPrefix(rest, []byte("MPA ID Re")) {
			p.start, p.size = true, 20+int(binary.BigEndian.Uint16(rest[18:]))
		} else {
			p.size = 2 + int(binary.BigEndian.Uint16(rest))
			for p.size%4 != 0 {
				p.size++
			}
			p.size += 4
		}
		if at += p.size; at > len(stream) {
			t.Fatalf("the stream ends within the piece at %d", p.at)
		}
		pieces = append(pieces, p)
	}
	return pieces
}
