package track_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/flow/track"
	"github.com/rdmacap/rdmacap/internal/build"
)

// The input of FuzzTCP is segments: a byte whose lowest bit is the direction
// and the next the port, one with TCP's flags, two with the captured bytes and
// one with those that the snap length cut off after them, four with the sequence
// number, four with what is acknowledged, then the bytes.
const segmentHeader = 13

func packSegments(frames build.Frames) (b []byte) {
	var p link.Packet
	for _, f := range frames {
		p.Decode(link.TypeEthernet, f.Data, f.Length, link.Options{})
		end := min(p.End(), len(f.Data))
		payload := f.Data[min(p.TCPData(), end):end]
		b = append(b, byte(f.Dir), byte(p.TCP.Flags))
		b = binary.BigEndian.AppendUint16(b, uint16(len(payload)))
		b = append(b, byte(p.End()-end))
		b = binary.BigEndian.AppendUint32(b, p.TCP.Seq)
		b = binary.BigEndian.AppendUint32(b, p.TCP.Ack)
		b = append(b, payload...)
	}
	return b
}

// FuzzTCP feeds whatever segments to a tracker. It must not panic, must tell
// nothing impossible (the recorder sees to that), and must keep no more than its
// limits.
func FuzzTCP(f *testing.F) {
	for _, test := range iwarpSetups {
		s := newConversation(test.setup, nil)
		s.Terminate(build.ToClient, build.Termination{Layer: 1, EType: 1, ECode: 2})
		s.Disconnect()
		f.Add(packSegments(s.Frames))
		f.Add(packSegments(s.Frames[9:]))
		f.Add(packSegments(s.Frames.Drop(5, 12, 20).Swap(9, 11).Cut(300)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d := newRecorder(t)
		tracker := follow(d, track.Options{Units: true})
		frames := int64(0)
		for len(b) >= segmentHeader {
			n := min(int(binary.BigEndian.Uint16(b[2:])), len(b)-segmentHeader)
			content := slices.Concat(make([]byte, 54), b[segmentHeader:segmentHeader+n])
			ports := [2]uint16{50_000, []uint16{20049, 80}[b[0]>>1&1]}
			binary.BigEndian.PutUint16(content[12:], 0x0800)
			content[14], content[14+9] = 0x45, 6 // IPv4 that gives no length, TCP
			binary.BigEndian.PutUint16(content[34:], ports[b[0]&1])
			binary.BigEndian.PutUint16(content[36:], ports[1-b[0]&1])
			copy(content[38:46], b[5:])
			content[46], content[47] = 0x50, b[1]
			frames++
			d.captured(flow.Ref{Number: frames}, slices.Clone(content))
			frame := flow.Frame{Frame: capture.Frame{Number: frames, Time: frames * 10_000,
				Link: link.TypeEthernet, Data: content, Length: int32(len(content) + int(b[4]))}}
			frame.Decode(link.Options{})
			v := tracker.Frame(&frame)
			payload := content[54:]
			if v.Conn != nil && !d.opened[v.Conn] || v.Conn == nil && len(v.Units) > 0 {
				t.Errorf("an impossible verdict: %+v", v)
			}
			for i := range v.Units {
				u := &v.Units[i]
				if raw := u.Raw(); u.At >= 0 && (u.At+len(raw) > n || !slices.Equal(raw, payload[u.At:u.At+len(raw)])) {
					t.Errorf("a unit of %d bytes at %d of %d", len(raw), u.At, n)
				}
			}
			clear(payload)
			b = b[segmentHeader+n:]
		}
		within(t, tracker)
		tracker.Flush()
		counted := int64(0)
		for _, c := range d.conns {
			counted += c.Frames
			if n := c.Counters; !d.closed[c] || n.LostInCapture < 0 || n.LostOnWire > n.Retransmissions || c.Before < 0 || c.Before > c.Frames {
				t.Errorf("connection %d: closed %v, %d before, %+v", c.ID, d.closed[c], c.Before, n)
			}
		}
		if counted > frames {
			t.Errorf("the connections have %d frames, the capture %d", counted, frames)
		}
		if c := tracker.Census(); c.Conns+c.Kept+c.Assembled+c.Candidates != 0 {
			t.Errorf("behind the end of the capture: %+v", c)
		}
	})
}
