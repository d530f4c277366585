package track_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// Sends of all sizes around those of a packet, whole to the byte: pad is
// never taken for data, nor a message's end for its middle.
func TestSends(t *testing.T) {
	const mtu = 1024
	for _, transport := range []uint8{build.ReliableConnection, build.UnreliableConnection, build.ExtendedReliableConnection} {
		for _, n := range []int{0, 1, 2, 3, 4, 5, mtu - 1, mtu, mtu + 1, 2 * mtu, 3 * mtu, 3*mtu + 3} {
			for _, kind := range []string{"Send", "Send with Immediate", "Send with Invalidate"} {
				if transport == build.UnreliableConnection && kind == "Send with Invalidate" {
					continue // it has none
				}
				t.Run(fmt.Sprintf("service 0x%02x, %s of %d bytes", transport, kind, n), func(t *testing.T) {
					s := build.NewConversation(build.Setup{Transport: transport})
					s.Connect()
					text := memory(0xff, 0, n)
					var span build.Span
					switch kind {
					case "Send":
						span = s.Send(build.ToClient, text)
					case "Send with Immediate":
						span = s.SendImmediate(build.ToClient, 0xdddddddd, text)
					default:
						span = s.SendInvalidate(build.ToClient, 0xc82, text)
					}
					d := record(t, s.Frames)
					d.only()
					if len(d.sends) != 1 {
						t.Fatalf("%d Sends, want 1", len(d.sends))
					}
					m := d.sends[0]
					if m.from != 1 || !m.whole || m.bytes != string(text) {
						t.Errorf("from %d, whole %v (%s), %d bytes", m.from, m.whole, m.missing, m.length)
					}
					if m.hasInv != (kind == "Send with Invalidate") || m.hasInv && m.invalidate != 0xc82 {
						t.Errorf("invalidates 0x%x (%v)", m.invalidate, m.hasInv)
					}
					if want := max(1, (n+mtu-1)/mtu); len(m.frames) != want || m.frames[0] != int64(span.First)+1 {
						t.Errorf("frames %v, want %d from %d", m.frames, want, span.First+1)
					}
				})
			}
		}
	}
}

// PSNs have 24 bits; a message may lie on both sides of their end.
func TestPSNsWrap(t *testing.T) {
	for before := range 6 {
		psn := uint32(1<<24 - before)
		s := build.NewConversation(build.Setup{Client: build.Host{PSN: psn & 0xffffff}, Server: build.Host{PSN: psn & 0xffffff}})
		s.Connect()
		s.Send(build.ToServer, memory(1, 0, 3000))
		s.Ack(build.ToClient)
		s.Read(build.ToClient, 7, 0x1000, memory(7, 0x1000, 3500))
		s.Send(build.ToClient, memory(2, 0, 2000))
		d := record(t, s.Frames)
		if c := d.only(); c.LostInCapture+c.Retransmissions != 0 || d.notes() != "" {
			t.Errorf("%d PSNs before the end: %+v, %s", before, c.Counters, d.notes())
		}
		if len(d.sends) != 2 || !d.sends[0].whole || !d.sends[1].whole || len(d.data) != 4 || !d.data[3].whole {
			t.Errorf("%d PSNs before the end: %d Sends, %d data", before, len(d.sends), len(d.data))
		}
		d.placedRight()
	}
}

// A Send that no receive buffer of RPC-over-RDMA holds is counted, not kept.
func TestSendTooLarge(t *testing.T) {
	const most = 256 << 10
	for _, n := range []int{most, most + 1, 2 * most} {
		s := build.NewConversation(build.Setup{PMTU: 4096})
		s.Connect()
		s.Send(build.ToServer, make([]byte, n))
		greet(s, 1)
		d := record(t, s.Frames)
		if len(d.sends) != 3 {
			t.Fatalf("%d Sends, want 3", len(d.sends))
		}
		m := d.sends[0]
		if m.length != n || m.whole != (n <= most) || len(m.bytes) > most {
			t.Errorf("%d bytes: length %d, %d kept, whole %v", n, m.length, len(m.bytes), m.whole)
		}
		if !m.whole && !strings.Contains(m.missing, "larger than any RPC-over-RDMA receive buffer") {
			t.Errorf("missing: %s", m.missing)
		}
		if !d.sends[1].whole || !d.sends[2].whole {
			t.Error("the messages behind it are not whole")
		}
	}
}

// What a snap length cuts off is counted and not invented.
func TestSendCut(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	text := memory(0xff, 0, 2500)
	s.Send(build.ToServer, text)
	s.Ack(build.ToClient)
	s.Send(build.ToServer, text[:700])
	for snap := 54; snap <= 1100; snap += 7 {
		d := record(t, s.Frames.Cut(snap)[3:])
		if len(d.sends) != 2 {
			t.Fatalf("snap length %d: %d Sends, want 2", snap, len(d.sends))
		}
		for i, want := range [][]byte{text, text[:700]} {
			m := d.sends[i]
			if m.length != len(want) || !strings.HasPrefix(string(want), m.bytes) {
				t.Errorf("snap length %d: Send %d has %d bytes and %d of them captured, not those of the message", snap, i, m.length, len(m.bytes))
			}
			if m.whole != (len(m.bytes) == len(want)) || !m.whole && m.missing != "the snap length cut its frames" {
				t.Errorf("snap length %d: Send %d whole %v, missing %q", snap, i, m.whole, m.missing)
			}
		}
		if whole := d.sends[1].whole; whole != (snap >= 54+700) {
			t.Errorf("snap length %d: the short Send is whole: %v", snap, whole)
		}
	}
}

// Packets that no requester sends in this order: each message is told as far
// as it came, and no byte of one becomes part of another.
func TestBrokenMessages(t *testing.T) {
	const (
		first  = build.RCSendFirst
		middle = build.RCSendMiddle
		last   = build.RCSendLast
		only   = build.RCSendOnly
	)
	full := strings.Repeat("x", 1024)
	for _, test := range []struct {
		name string
		ops  []uint8
		want []string // + whole, - not
	}{
		{"a First in the middle", []uint8{first, middle, first, last}, []string{"-" + full + full, "+" + full + "e"}},
		{"an Only in the middle", []uint8{first, only, only}, []string{"-" + full, "+e", "+e"}},
		{"a Write in the middle", []uint8{first, build.RCWriteOnly, last, only}, []string{"-" + full, "+e"}},
		{"a Read in the middle", []uint8{first, build.RCReadRequest, last, only}, []string{"-" + full, "+e"}},
		{"an atomic in the middle", []uint8{first, build.RCFetchAdd, last, only}, []string{"-" + full, "+e"}},
		{"no First", []uint8{middle, middle, last, only}, []string{"+e"}},
		{"no end", []uint8{only, first, middle}, []string{"+e", "-" + full + full}},
		{"a Send in the middle of a Write", []uint8{build.RCWriteFirst, only, build.RCWriteLast}, []string{"+e"}},
		{"a Send that goes on in a Write", []uint8{build.RCWriteFirst, last, only}, []string{"+e"}},
		{"a Write that goes on in a Send", []uint8{first, build.RCWriteLast, last}, []string{"-" + full}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := build.NewConversation(build.Setup{})
			s.Connect()
			psn := s.NextPSN(build.ToServer)
			for _, op := range test.ops {
				layers := []build.Layer{build.Payload("e")}
				switch op {
				case first, middle, build.RCWriteFirst:
					layers = []build.Layer{build.Payload(full)}
				case build.RCReadRequest:
					layers = nil
				case build.RCFetchAdd:
					layers = []build.Layer{build.AtomicETH{}}
				}
				switch op {
				case build.RCWriteFirst, build.RCWriteOnly, build.RCReadRequest:
					layers = append(layers, build.RETH{DMALen: 1})
				}
				s.Packet(build.ToServer, build.BTH{OpCode: op, PSN: psn}, layers...)
				psn++
			}
			var got []string
			for _, m := range record(t, s.Frames).sends {
				sign := "-"
				if m.whole {
					sign = "+"
				}
				got = append(got, sign+m.bytes)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%d Sends, want %d", len(got), len(test.want))
				for _, g := range got {
					t.Logf("%.5s... %d", g, len(g))
				}
			}
		})
	}
}
