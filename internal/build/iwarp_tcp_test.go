package build

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"
)

func TestIWARPSegments(t *testing.T) {
	for _, test := range []struct {
		name  string
		setup IWARPSetup
		tell  func(c *IWARP)
		want  string
	}{
		{"a connection", IWARPSetup{}, func(c *IWARP) { c.Connect(); c.Disconnect() },
			">S0 <S0/1 >1/1 >P1:32/1 <1/33 <P1:32/33 >33/33 >F33/33 <F33/34 >34/34"},
		{"revision 1", IWARPSetup{Revision: 1}, func(c *IWARP) { c.Startup() }, ">P1:28/1 <1/29 <P1:28/29 >29/29"},
		{"rejected", IWARPSetup{}, func(c *IWARP) { c.Request(); c.Reject([]byte("no")); c.Close(ToClient) },
			">P1:32/1 <P1:26/33 <F27/33"},
		{"a reset", IWARPSetup{}, func(c *IWARP) { c.Send(ToServer, nil); c.Reset(ToClient) }, ">P1:24/1 <R1/25"},
		{"RTR by Read", IWARPSetup{RTR: RTRRead}, func(c *IWARP) { c.Connect() },
			">S0 <S0/1 >1/1 >P1:32/1 <1/33 <P1:32/33 >33/33 >P33:52/33 <P33:20/85"},
		{"RTR by Write", IWARPSetup{RTR: RTRWrite}, func(c *IWARP) { c.ReadyToReceive() }, ">P1:20/1"},
		{"RTR by Send", IWARPSetup{RTR: RTRSend}, func(c *IWARP) { c.ReadyToReceive() }, ">P1:24/1"},
		{"an FPDU a segment", IWARPSetup{}, func(c *IWARP) { c.Send(ToServer, hexBytes(3000)) },
			">P1:1448/1 >P1449:1448/1 >P2897:176/1"},
		{"TSO", IWARPSetup{TSO: 65160}, func(c *IWARP) { c.Send(ToServer, hexBytes(3000)); c.Send(ToServer, nil) },
			">P1:3072/1 >P3073:24/1"},
		{"TSO of less than the message", IWARPSetup{TSO: 2000}, func(c *IWARP) { c.Send(ToServer, hexBytes(3000)) },
			">P1:2000/1 >P2001:1072/1"},
		{"FPDUs larger than the MSS", IWARPSetup{MULPDU: 3018}, func(c *IWARP) { c.Send(ToServer, hexBytes(3000)) },
			">P1:1448/1 >P1449:1448/1 >P2897:128/1"},
		{"acknowledged by itself", IWARPSetup{AckEvery: 2}, func(c *IWARP) {
			c.Send(ToServer, hexBytes(3000))
			c.Send(ToClient, nil)
			c.Send(ToServer, nil)
		}, ">P1:1448/1 >P1449:1448/1 <1/2897 >P2897:176/1 <P1:24/3073 >P3073:24/25"},
		{"one FPDU over three segments, three FPDUs in one", IWARPSetup{}, func(c *IWARP) {
			c.Cut(ToServer, 10, 1, 100)
			for range 4 {
				c.Send(ToServer, hexBytes(4)) // 28 bytes on the wire
			}
			c.Send(ToServer, hexBytes(8))
		}, ">P1:10/1 >P11:1/1 >P12:100/1 >P112:1/1 >P113:32/1"},
		{"held back until Flush", IWARPSetup{}, func(c *IWARP) {
			c.Cut(ToServer, 1000)
			c.Send(ToServer, hexBytes(4))
			c.Send(ToServer, hexBytes(4))
			c.Ack(ToClient)
			c.Flush(ToServer)
			c.Send(ToServer, hexBytes(4))
		}, "<1/1 >P1:56/1 >P57:28/1"},
		{"a larger segment than the MSS", IWARPSetup{}, func(c *IWARP) {
			c.Cut(ToServer, 2000)
			c.Send(ToServer, hexBytes(3000))
		}, ">P1:2000/1 >P2001:896/1 >P2897:176/1"},
		{"a segment of its own lets go what waits", IWARPSetup{}, func(c *IWARP) {
			c.Cut(ToServer, 1000)
			c.Send(ToServer, hexBytes(4))
			c.Segment(ToServer, hexBytes(3))
			c.Close(ToServer)
		}, ">P1:28/1 >P29:3/1 >F32/1"},
		{"elsewhere in the stream", IWARPSetup{}, func(c *IWARP) {
			c.Send(ToServer, hexBytes(4))
			c.SegmentAt(ToServer, c.NextSeq(ToServer)-1, []byte{0})
			c.Send(ToServer, hexBytes(4))
		}, ">P1:28/1 >P28:1/1 >P29:28/1"},
		{"over the wrap", IWARPSetup{ClientISN: 0xfffffff0, ServerISN: 0xffffffff}, func(c *IWARP) { c.Connect(); c.Send(ToClient, hexBytes(4)) },
			">S0 <S0/1 >1/1 >P1:32/1 <1/33 <P1:32/33 >33/33 <P33:28/33"},
		{"sent again, with what is acknowledged by then", IWARPSetup{}, func(c *IWARP) {
			lost := c.Send(ToServer, hexBytes(4))
			c.Send(ToServer, hexBytes(8))
			c.Send(ToClient, hexBytes(4))
			c.Retransmit(lost.First)
			c.Send(ToServer, nil)
		}, ">P1:28/1 >P29:32/1 <P1:28/61 >P1:28/29 >P61:24/29"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := NewIWARP(test.setup)
			test.tell(c)
			if got := tcpScript(t, c, c.Frames); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// However the stream is cut, its bytes are the same.
func TestCutsChangeNoByte(t *testing.T) {
	tell := func(s IWARPSetup, sizes ...int) []byte {
		s.CRC, s.MarkersToServer = true, true
		c := NewIWARP(s)
		c.Cut(ToServer, sizes...)
		c.Connect()
		c.Send(ToServer, hexBytes(5000))
		c.Write(ToServer, 1, 2, hexBytes(70000))
		c.Flush(ToServer)
		return stream(t, c.Frames, ToServer)
	}
	want := tell(IWARPSetup{})
	ones := make([]int, 3000)
	for i := range ones {
		ones[i] = 1
	}
	same(t, "with TSO", tell(IWARPSetup{TSO: 65160}), want)
	same(t, "byte by byte", tell(IWARPSetup{}, ones...), want)
	same(t, "in odd pieces", tell(IWARPSetup{}, 20, 13, 4000, 1, 65000, 1e6), want)
}

// ones sums bytes up as a checksum does: 0xffff where it is right.
func ones(parts ...[]byte) uint32 {
	var sum uint32
	for i, b := range bytes.Join(parts, nil) {
		sum += uint32(b) << (8 * (1 - i&1))
		sum = sum&0xffff + sum>>16
	}
	return sum
}

func TestTCPChecksums(t *testing.T) {
	for name, s := range map[string]IWARPSetup{
		"IPv4": {},
		"IPv6": {Client: Host{Addr: ClientIPv6}, Server: Host{Addr: ServerIPv6}, VLANs: []VLAN{{ID: 3}, {ID: 4}}},
	} {
		c := NewIWARP(s)
		c.Connect()
		c.Segment(ToServer, []byte("odd"))
		c.Send(ToClient, hexBytes(1428))
		for i, f := range c.Frames {
			ip, addresses, size := f.Data[ethernet:], 12, 20
			if name == "IPv6" {
				ip, addresses, size = f.Data[ethernet+8:], 8, 40
			} else if ones(ip[:20]) != 0xffff {
				t.Errorf("%s, frame %d: checksum of IP", name, i)
			}
			tcp := ip[size:]
			length := binary.BigEndian.AppendUint32(nil, uint32(len(tcp)))
			if ones(ip[addresses:size], length, []byte{0, 6}, tcp) != 0xffff {
				t.Errorf("%s, frame %d: checksum of TCP", name, i)
			}
			if len(ip) > 1500 {
				t.Errorf("%s, frame %d: %d bytes of IP", name, i, len(ip))
			}
		}
	}
}

func TestIWARPPathAndTimes(t *testing.T) {
	start := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)
	c := NewIWARP(IWARPSetup{Client: Host{Port: 1023, IPID: 7}, Service: 99, Start: start, Step: time.Millisecond})
	sent := c.Send(ToServer, hexBytes(4))
	c.Ack(ToClient)
	c.Wait(time.Second)
	again := c.Retransmit(sent.First)
	a, ack, b := dig(t, c.Frames[0].Data), dig(t, c.Frames[1].Data), dig(t, c.Frames[again.First].Data)
	if a.src != 1023 || a.dst != 99 || ack.src != 99 || ack.dst != 1023 {
		t.Errorf("ports %d to %d, %d to %d", a.src, a.dst, ack.src, ack.dst)
	}
	if a.ipid != 7 || b.ipid != 8 {
		t.Errorf("identifications %d and %d", a.ipid, b.ipid)
	}
	if got := c.Frames[again.First].Time.Sub(start); got != time.Second+2*time.Millisecond {
		t.Errorf("the third frame is %v after the first", got)
	}
	value := func(s dug, at int) uint32 { return binary.BigEndian.Uint32(s.options[at:]) }
	if passed := value(b, 4) - value(a, 4); passed != 1002 || value(b, 8) != value(ack, 4) {
		t.Errorf("%d ms by TSval, TSecr %#x", passed, value(b, 8))
	}
	same(t, "sent again", b.payload, a.payload)
}
