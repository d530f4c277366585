package build

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// A dug is a TCP segment as these tests read it, with fixed offsets (Ethernet
// without tags, IPv4 without options).
type dug struct {
	ipid, src, dst uint16
	seq, ack       uint32
	flags          byte
	options        []byte
	payload        []byte
}

func dig(t *testing.T, frame []byte) (s dug) {
	t.Helper()
	be := binary.BigEndian
	ip := frame[ethernet:]
	if be.Uint16(frame[12:]) != 0x0800 || int(be.Uint16(ip[2:])) != len(ip) || ip[9] != 6 {
		t.Fatalf("no TCP: % x", frame[:min(40, len(frame))])
	}
	tcp := ip[20:]
	size := int(tcp[12]>>4) * 4
	return dug{
		ipid: be.Uint16(ip[4:]), src: be.Uint16(tcp), dst: be.Uint16(tcp[2:]), seq: be.Uint32(tcp[4:]), ack: be.Uint32(tcp[8:]),
		flags: tcp[13], options: tcp[20:size], payload: tcp[size:],
	}
}

// tcpScript writes frames as words, one each: the direction, the flags, the
// sequence number from the ISN and the bytes, and what is acknowledged.
func tcpScript(t *testing.T, c *IWARP, frames Frames) string {
	t.Helper()
	var words []string
	for _, f := range frames {
		s := dig(t, f.Data)
		arrow, isn, peer := ">", c.ClientISN, c.ServerISN
		if f.Dir == ToClient {
			arrow, isn, peer = "<", peer, isn
		}
		w := arrow
		for i, letter := range "FSRP" {
			if s.flags>>i&1 == 1 {
				w += string(letter)
			}
		}
		w += fmt.Sprintf("%d", s.seq-isn)
		if len(s.payload) > 0 {
			w += fmt.Sprintf(":%d", len(s.payload))
		}
		if s.flags&ACK != 0 {
			w += fmt.Sprintf("/%d", s.ack-peer)
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

// stream are the bytes of one direction, in the order of their segments.
func stream(t *testing.T, frames Frames, d Direction) (b []byte) {
	t.Helper()
	for _, f := range frames.Only(d) {
		b = append(b, dig(t, f.Data).payload...)
	}
	return b
}

// pduScript writes the DDP segments of one direction without markers as words:
// opcode, queue.MSN+MO or STag@TO, the bytes of payload, a dot if it is the
// last of its message.
func pduScript(t *testing.T, c *IWARP, d Direction) string {
	t.Helper()
	be := binary.BigEndian
	var words []string
	for _, f := range unframe(t, stream(t, c.Frames, d), false) {
		b := f.ulpdu
		var w string
		if b[0]&0x80 != 0 {
			w = fmt.Sprintf("%x=%x@%x:%d", b[1]&0xf, be.Uint32(b[2:]), be.Uint64(b[6:]), len(b)-14)
		} else {
			w = fmt.Sprintf("%x=%d.%d+%d:%d", b[1]&0xf, be.Uint32(b[6:]), be.Uint32(b[10:]), be.Uint32(b[14:]), len(b)-18)
			if stag := be.Uint32(b[2:]); stag != 0 {
				w += fmt.Sprintf("-%x", stag)
			}
		}
		if b[0]&0x40 != 0 {
			w += "."
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

func TestIWARPVerbs(t *testing.T) {
	for _, test := range []struct {
		name               string
		tell               func(c *IWARP)
		toServer, toClient string
	}{
		{"a Send of nothing", func(c *IWARP) { c.Send(ToServer, nil) }, "3=0.1+0:0.", ""},
		{"a Send of one FPDU", func(c *IWARP) { c.Send(ToServer, hexBytes(1424)) }, "3=0.1+0:1424.", ""},
		{"of one byte more", func(c *IWARP) { c.Send(ToServer, hexBytes(1425)) }, "3=0.1+0:1424 3=0.1+1424:1.", ""},
		{"every Send counts on queue 0", func(c *IWARP) {
			c.SendInvalidate(ToClient, 0xab, hexBytes(1500))
			c.SendSE(ToClient, hexBytes(1))
			c.SendSEInvalidate(ToClient, 0xcd, hexBytes(2))
			c.Immediate(ToClient, 5)
			c.ImmediateSE(ToClient, 6)
			c.Send(ToServer, hexBytes(3))
		}, "3=0.1+0:3.", "4=0.1+0:1424-ab 4=0.1+1424:76-ab. 5=0.2+0:1. 6=0.3+0:2-cd. 8=0.4+0:8. 9=0.5+0:8."},
		{"RDMA Write", func(c *IWARP) { c.Write(ToClient, 0xc, 0x1000, hexBytes(3000)); c.Write(ToClient, 0xc, 7, nil) },
			"", "0=c@1000:1428 0=c@1594:1428 0=c@1b28:144. 0=c@7:0."},
		{"Reads and Atomics count on queue 1", func(c *IWARP) {
			r := c.ReadRequestInto(ToClient, ReadRequest{SinkSTag: 0x11, SinkTO: 0x2000, Size: 1500, SourceSTag: 0xa, SourceTO: 0x1000})
			c.AtomicRequest(ToClient, AtomicRequest{})
			q := c.ReadRequestInto(ToClient, ReadRequest{SinkSTag: 0x22})
			c.ReadResponse(r, hexBytes(1500))
			c.AtomicResponse(ToServer, 1, 2)
			c.ReadResponse(q, nil)
		}, "2=11@2000:1428 2=11@2594:72. b=3.1+0:12. 2=22@0:0.", "1=1.1+0:28. a=1.2+0:52. 1=1.3+0:28."},
		{"Terminate", func(c *IWARP) { c.Terminate(ToServer, Termination{}) }, "7=2.1+0:4.", ""},
		{"a segment made by hand changes no MSN", func(c *IWARP) {
			c.FPDU(ToServer, Untagged{OpCode: RDMAPSend, MSN: 9, MO: 4, Payload: hexBytes(2)}.Bytes())
			c.Send(ToServer, nil)
		}, "3=0.9+4:2 3=0.1+0:0.", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := NewIWARP(IWARPSetup{})
			test.tell(c)
			if got := pduScript(t, c, ToServer); got != test.toServer {
				t.Errorf("to the server %s\nwant          %s", got, test.toServer)
			}
			if got := pduScript(t, c, ToClient); got != test.toClient {
				t.Errorf("to the client %s\nwant          %s", got, test.toClient)
			}
		})
	}
}

// Each Read that a story makes by itself has a sink of its own, in both
// directions, and the responses go there.
func TestReadSinks(t *testing.T) {
	c := NewIWARP(IWARPSetup{})
	seen := make(map[uint32]bool)
	for range 3 {
		for _, d := range []Direction{ToServer, ToClient} {
			r := c.ReadRequest(d, 0xa, 0x1000, 10)
			if seen[r.SinkSTag] || r.SourceSTag != 0xa || r.SourceTO != 0x1000 || r.Size != 10 {
				t.Errorf("%+v", r)
			}
			seen[r.SinkSTag] = true
			response := c.ReadResponse(r, hexBytes(10))
			b := dig(t, c.Frames[response.First].Data).payload
			if binary.BigEndian.Uint32(b[4:]) != r.SinkSTag || binary.BigEndian.Uint64(b[8:]) != r.SinkTO {
				t.Errorf("%+v is answered to % x", r, b[4:16])
			}
		}
	}
}

// With markers or CRCs asked for by one side, each direction has what it should.
func TestMarkersAndCRCsByDirection(t *testing.T) {
	for name, test := range map[string]struct {
		setup              IWARPSetup
		flags              [2]byte // of Request and Reply
		toServer, toClient bool    // markers
		crc                bool
	}{
		"neither":                 {IWARPSetup{}, [2]byte{0x10, 0x10}, false, false, false},
		"the server wants them":   {IWARPSetup{MarkersToServer: true}, [2]byte{0x10, 0x90}, true, false, false},
		"the client wants them":   {IWARPSetup{MarkersToClient: true, ServerCRC: true}, [2]byte{0x90, 0x50}, false, true, true},
		"only the client asks, C": {IWARPSetup{ClientCRC: true}, [2]byte{0x50, 0x10}, false, false, true},
		"all":                     {IWARPSetup{MarkersToServer: true, MarkersToClient: true, CRC: true, Plain: true}, [2]byte{0xc0, 0xc0}, true, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := NewIWARP(test.setup)
			c.Request()
			c.Accept()
			for i, f := range c.Frames {
				if flags := dig(t, f.Data).payload[16]; flags != test.flags[i] {
					t.Errorf("start frame %d has flags %#x", i, flags)
				}
			}
			for d, markers := range []bool{test.toServer, test.toClient} {
				first := c.Send(Direction(d), hexBytes(5000)).First
				var message []byte
				for i, f := range unframe(t, stream(t, c.Frames[first:], Direction(d)), markers) {
					if (i == 0 && markers) != (i == 0 && len(f.markers) > 0 && f.markers[0] == 0) {
						t.Errorf("markers at %v", f.markers)
					}
					message = append(message, f.ulpdu[18:]...)
					want := make([]byte, 4)
					if test.crc {
						want = crc32c(f.covered)
					}
					same(t, "CRC", f.crc, want)
				}
				same(t, "message", message, hexBytes(5000))
				for _, f := range c.Frames[first:] {
					if n := len(dig(t, f.Data).payload); n > 1448 {
						t.Errorf("a segment of %d bytes", n)
					}
				}
			}
		})
	}
}
