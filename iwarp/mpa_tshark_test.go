package iwarp

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"
	"github.com/rdmacap/rdmacap/internal/check"
)

// tshark, where it is installed, reads the fields of the start-up frames as
// Decode does. Version 4.0 has S among the reserved bits and does not read the
// enhanced setup.
func TestStartAgainstTshark(t *testing.T) {
	tshark, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	path := filepath.Join(t.TempDir(), "start.pcap")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := pcapgo.NewWriter(file)
	if err := w.WriteFileHeader(65536, layers.LinkTypeEthernet); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	frames := 0
	write := func(i int, frame []byte) {
		var s Start
		s.Decode(frame)
		b := inTCP(t, uint16(50000+i), frame, s.Reply)
		frames++
		info := gopacket.CaptureInfo{Timestamp: time.Unix(int64(frames), 0), CaptureLength: len(b), Length: len(b)}
		if err := w.WritePacket(info, b); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%d,%d,%d,%d,0x%02x,%d,%d,%x\n", frames, flagBit(s.Markers), flagBit(s.CRC), flagBit(s.Reject), s.Flags&0x1f,
			s.Revision, s.PDLength, s.Bytes[StartSize:])
	}
	for i, v := range startVectors {
		if v.want.Reply { // tshark takes a Reply only after a Request
			write(i, check.Hex(t, hexRequest+"00 01 0000"))
		}
		write(i, check.Hex(t, v.bytes))
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	args := []string{"-r", path, "-T", "fields", "-E", "separator=,", "-Y", "iwarp_mpa", "-e", "frame.number"}
	for _, name := range []string{"marker_flag", "crc_flag", "rej_flag", "res", "rev", "pdlength", "privatedata"} {
		args = append(args, "-e", "iwarp_mpa."+name)
	}
	out, err := exec.Command(tshark, args...).Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	if got := string(out); got != want.String() {
		t.Errorf("tshark sees\n%s\nwant\n%s", got, want.String())
	}
}

// inTCP is a frame with those bytes at the start of a TCP stream.
func inTCP(t *testing.T, port uint16, data []byte, reply bool) []byte {
	t.Helper()
	ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, SrcIP: net.IPv4(192, 0, 2, 2), DstIP: net.IPv4(192, 0, 2, 1)}
	tcp := &layers.TCP{SrcPort: layers.TCPPort(port), DstPort: Port, Seq: 1, Ack: 1, ACK: true, Window: 1000}
	if reply {
		ip.SrcIP, ip.DstIP = ip.DstIP, ip.SrcIP
		tcp.SrcPort, tcp.DstPort = tcp.DstPort, tcp.SrcPort
	}
	if err := tcp.SetNetworkLayerForChecksum(ip); err != nil {
		t.Fatal(err)
	}
	ether := &layers.Ethernet{SrcMAC: make(net.HardwareAddr, 6), DstMAC: make(net.HardwareAddr, 6), EthernetType: layers.EthernetTypeIPv4}
	buf := gopacket.NewSerializeBuffer()
	options := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	if err := gopacket.SerializeLayers(buf, options, ether, ip, tcp, gopacket.Payload(data)); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
