package build

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/check"
)

// told is a frame as these tests read it, with fixed offsets, independent of
// the layers that wrote it (Ethernet without tags, IPv4 without options).
type told struct {
	op            uint8
	pad           int
	destQP, psn   uint32
	ackReq        bool
	length        int // payload, without pad
	payload       []byte
	syndrome      uint8
	msn, dmaLen   uint32
	ipid          uint16
	rkey, invalid uint32
}

func tell(t *testing.T, frame []byte) (f told) {
	t.Helper()
	b := frame[ethernet+20+8:]
	be := binary.BigEndian
	f.op, f.pad = b[0], int(b[1]>>4&3)
	f.destQP, f.psn, f.ackReq = be.Uint32(b[4:])&0xffffff, be.Uint32(b[8:])&0xffffff, b[8]>>7 == 1
	f.ipid = be.Uint16(frame[ethernet+4:])
	ext := b[12:]
	switch f.op {
	case 0x06, 0x0a, 0x0c:
		f.rkey, f.dmaLen = be.Uint32(ext[8:]), be.Uint32(ext[12:])
		ext = ext[16:]
	case 0x0d, 0x0f, 0x10, 0x11:
		f.syndrome, f.msn = ext[0], be.Uint32(ext)&0xffffff
		ext = ext[4:]
	case 0x16, 0x17:
		f.invalid = be.Uint32(ext)
		ext = ext[4:]
	}
	f.payload = ext[:len(ext)-4-f.pad]
	f.length = len(f.payload)
	return f
}

// script writes a conversation's frames as words, one a frame: the direction,
// the opcode, the PSN from the half's first, and what follows.
func script(t *testing.T, c *Conversation, frames Frames) string {
	t.Helper()
	var words []string
	for _, f := range frames {
		p := tell(t, f.Data)
		arrow, base := ">", c.Client.PSN
		if f.Dir == ToClient {
			arrow, base = "<", c.Server.PSN
		}
		if p.op >= 0x0d && p.op <= 0x12 { // a response has its requester's PSN
			base = c.Client.PSN + c.Server.PSN - base
		}
		w := fmt.Sprintf("%s%02x+%d", arrow, p.op, (p.psn-base)&0xffffff)
		switch p.op {
		case 0x11, 0x0d, 0x0f, 0x10:
			w += fmt.Sprintf("/%02x.%d", p.syndrome, p.msn)
		}
		if p.length > 0 {
			w += fmt.Sprintf(":%d", p.length)
		}
		words = append(words, w)
	}
	return strings.Join(words, " ")
}

func hexBytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i * 7)
	}
	return b
}

func TestVerbs(t *testing.T) {
	for _, test := range []struct {
		name string
		tell func(c *Conversation)
		want string
	}{
		{"a Send of nothing", func(c *Conversation) { c.Send(ToServer, nil) }, ">04+0"},
		{"a Send of one PMTU", func(c *Conversation) { c.Send(ToServer, hexBytes(256)) }, ">04+0:256"},
		{"of one byte more", func(c *Conversation) { c.Send(ToServer, hexBytes(257)) }, ">00+0:256 >02+1:1"},
		{"of four packets", func(c *Conversation) { c.Send(ToClient, hexBytes(1000)) }, "<00+0:256 <01+1:256 <01+2:256 <02+3:232"},
		{"with Invalidate", func(c *Conversation) {
			c.SendInvalidate(ToClient, 5, hexBytes(1))
			c.SendInvalidate(ToClient, 5, hexBytes(300))
		},
			"<17+0:1 <00+1:256 <16+2:44"},
		{"with immediate data", func(c *Conversation) { c.SendImmediate(ToServer, 5, nil); c.SendImmediate(ToServer, 5, hexBytes(257)) },
			">05+0:4 >00+1:256 >03+2:5"}, // tell counts ImmDt as payload
		{"RDMA Write", func(c *Conversation) { c.Write(ToClient, 1, 2, hexBytes(10)); c.Write(ToClient, 1, 2, hexBytes(600)) },
			"<0a+0:10 <06+1:256 <07+2:256 <08+3:88"},
		{"RDMA Read takes the PSNs of its responses", func(c *Conversation) {
			c.Read(ToClient, 1, 2, hexBytes(600))
			c.Send(ToClient, hexBytes(3))
		}, "<0c+0 >0d+0/1f.1:256 >0e+1:256 >0f+2/1f.1:88 <04+3:3"},
		{"two Reads asked for before either is answered", func(c *Conversation) {
			a := c.ReadRequest(ToClient, 1, 2, 300)
			b := c.ReadRequest(ToClient, 1, 2, 0)
			c.ReadResponse(a, hexBytes(300))
			c.ReadResponse(b, nil)
			c.Send(ToClient, nil)
		}, "<0c+0 <0c+2 >0d+0/1f.1:256 >0f+1/1f.1:44 >10+2/1f.2 <04+3"},
		{"an acknowledgement counts whole messages", func(c *Conversation) {
			c.Send(ToServer, hexBytes(1))
			c.Send(ToServer, hexBytes(300))
			c.AckPSN(ToClient, c.NextPSN(ToServer)-2)
			c.Ack(ToClient)
		}, ">04+0:1 >00+1:256 >02+2:44 <11+1/1f.1 <11+2/1f.2"},
		{"NAK and RNR name what is expected", func(c *Conversation) {
			c.Send(ToServer, hexBytes(1))
			c.Send(ToServer, hexBytes(1))
			c.Nak(ToClient, c.NextPSN(ToServer)-1, SyndromePSNSequenceError)
			c.RNR(ToClient, c.NextPSN(ToServer)-2, 14)
		}, ">04+0:1 >04+1:1 <11+1/60.1 <11+0/2e.0"},
		{"go-back-N", func(c *Conversation) {
			c.Send(ToServer, hexBytes(300))
			lost := c.Send(ToServer, hexBytes(1))
			c.Send(ToServer, hexBytes(2))
			c.Send(ToClient, hexBytes(3))
			c.Nak(ToClient, c.NextPSN(ToServer)-2, SyndromePSNSequenceError)
			c.Retransmit(lost.First)
		}, ">00+0:256 >02+1:44 >04+2:1 >04+3:2 <04+0:3 <11+2/60.1 >04+2:1 >04+3:2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := NewConversation(Setup{PMTU: 256})
			test.tell(c)
			if got := script(t, c, c.Frames); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestPSNsWrap(t *testing.T) {
	c := NewConversation(Setup{PMTU: 256, Client: Host{PSN: 0xfffffe}})
	s := c.Send(ToServer, hexBytes(700))
	c.Ack(ToClient)
	var psns []uint32
	for _, f := range c.Frames[s.First:] {
		psns = append(psns, tell(t, f.Data).psn)
	}
	if got := fmt.Sprintf("%x", psns); got != "[fffffe ffffff 0 0]" {
		t.Errorf("PSNs %s", got)
	}
	if ack := tell(t, c.Frames[3].Data); ack.msn != 1 {
		t.Errorf("MSN %d, want 1", ack.msn)
	}
}

// Each side sends to the queue pair, and begins with the PSN, that the other
// has named in its REQ or REP.
func TestConnectAgreesWithWhatFollows(t *testing.T) {
	c := NewConversation(Setup{Client: Host{QPN: 0x111111, PSN: 0x10}, Server: Host{QPN: 0x222222, PSN: 0x20}})
	if s := c.Connect(); s != (Span{0, 3}) {
		t.Fatalf("Connect is %+v", s)
	}
	c.Send(ToServer, hexBytes(4))
	c.Send(ToClient, hexBytes(4))
	const body = ethernet + 20 + 8 + 12 + 8 + 24
	word := func(frame, at int) uint32 { return binary.BigEndian.Uint32(c.Frames[frame].Data[body+at:]) >> 8 }
	toServer, toClient := tell(t, c.Frames[3].Data), tell(t, c.Frames[4].Data)
	if word(1, 12) != toServer.destQP || word(1, 20) != toServer.psn || toServer.destQP != 0x222222 {
		t.Errorf("REP names QP %#x and PSN %#x; the client's Send has %+v", word(1, 12), word(1, 20), toServer)
	}
	if word(0, 32) != toClient.destQP || word(0, 44) != toClient.psn || toClient.destQP != 0x111111 {
		t.Errorf("REQ names QP %#x and PSN %#x; the server's Send has %+v", word(0, 32), word(0, 44), toClient)
	}
}

func TestTimesAndIdentifications(t *testing.T) {
	start := time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)
	c := NewConversation(Setup{Start: start, Step: time.Millisecond})
	first := c.Send(ToServer, hexBytes(4))
	c.Ack(ToClient)
	c.Wait(time.Second)
	again := c.Retransmit(first.First)
	if got := c.Frames[again.First].Time.Sub(start); got != time.Second+2*time.Millisecond {
		t.Errorf("the third frame is %v after the first", got)
	}
	a, b := c.Frames[first.First].Data, c.Frames[again.First].Data
	if tell(t, b).ipid != tell(t, a).ipid+1 || bytes.Equal(a[len(a)-4:], b[len(b)-4:]) {
		t.Errorf("sent again with identification %#x after %#x", tell(t, b).ipid, tell(t, a).ipid)
	}
	same(t, "sent again, from UDP to the ICRC", b[ethernet+20:len(b)-4], a[ethernet+20:len(a)-4])
}

func TestOtherPaths(t *testing.T) {
	for name, test := range map[string]struct {
		setup Setup
		want  string // from the EtherType
	}{
		"IPv6":    {Setup{Client: Host{Addr: ClientIPv6}, Server: Host{Addr: ServerIPv6}}, "86dd 60200000 001c 11 40"},
		"RoCEv1":  {Setup{RoCEv1: true}, "8915 60000000 0014 1b 40 00000000000000000000ffffc0000201"},
		"a VLAN":  {Setup{VLANs: []VLAN{{ID: 5}}}, "8100 0005 0800 4502 0030"},
		"no more": {Setup{Server: Host{Addr: netip.MustParseAddr("198.51.100.7"), IPID: 9}}, "0800 4502 0030 0009 4000 4011"},
	} {
		c := NewConversation(test.setup)
		c.Ack(ToClient)
		want := check.Hex(t, test.want)
		same(t, name, c.Frames[0].Data[12:12+len(want)], want)
	}
}

func TestCNP(t *testing.T) {
	c := NewConversation(Setup{})
	c.CNP(ToClient)
	same(t, "UDP payload before the ICRC", c.Frames[0].Data[ethernet+28:ethernet+28+28],
		check.Hex(t, "81 00 ffff 40 000011 00 000000 00000000000000000000000000000000"))
}
