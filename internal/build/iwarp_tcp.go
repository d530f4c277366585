package build

import (
	"encoding/binary"
	"fmt"
)

// largestPayload is what IPv4 leaves of its largest packet beside its header and
// TCP's with time stamps, in bytes.
const largestPayload = 65535 - 20 - 32

// Handshake appends SYN, SYN-ACK and the ACK of that.
func (c *IWARP) Handshake() Span {
	first := len(c.Frames)
	c.segment(ToServer, TCP{Seq: c.ClientISN, Flags: SYN}, nil)
	c.segment(ToClient, TCP{Seq: c.ServerISN, Flags: SYN | ACK}, nil)
	c.Ack(ToServer)
	return c.span(first)
}

// Disconnect appends the end of both directions: the client's FIN, the
// server's, and the ACK of that. What Cut holds back goes before.
func (c *IWARP) Disconnect() Span {
	first := len(c.Frames)
	c.Close(ToServer)
	c.Close(ToClient)
	c.Ack(ToServer)
	return c.span(first)
}

// Close appends the FIN of one direction, after what Cut holds back.
func (c *IWARP) Close(d Direction) Span {
	first := len(c.Frames)
	c.Flush(d)
	c.segment(d, TCP{Seq: c.senders[d].seq, Flags: FIN | ACK}, nil)
	c.senders[d].seq++
	return c.span(first)
}

// Reset appends a RST; what Cut holds back is lost.
func (c *IWARP) Reset(d Direction) Span {
	c.senders[d].pending = nil
	return c.segment(d, TCP{Seq: c.senders[d].seq, Flags: RST | ACK}, nil)
}

// Ack appends a segment without bytes that travels in direction d and
// acknowledges everything that the other direction has sent so far.
func (c *IWARP) Ack(d Direction) Span {
	return c.segment(d, TCP{Seq: c.senders[d].seq, Flags: ACK}, nil)
}

// Segment appends one frame with any bytes as the next of the stream,
// whatever Cut says; what it holds back goes before. MPA's count of the stream,
// which places markers, does not know of them.
func (c *IWARP) Segment(d Direction, payload []byte) Span {
	first := len(c.Frames)
	c.Flush(d)
	c.bytes(d, payload)
	return c.span(first)
}

// SegmentAt appends one frame with bytes at any sequence number: an overlap, a
// keepalive probe. No state of the conversation changes by it.
func (c *IWARP) SegmentAt(d Direction, seq uint32, payload []byte) Span {
	return c.segment(d, TCP{Seq: seq, Flags: PSH | ACK}, payload)
}

// Retransmit appends the segment of a frame again, as a sender does whose
// segment was lost: with another IPv4 identification, and the acknowledgement
// and time stamp of now.
func (c *IWARP) Retransmit(frame int) Span {
	f := c.Frames[frame]
	t := f.layers[0].(TCP)
	return c.segment(f.Dir, TCP{Seq: t.Seq, Flags: t.Flags}, f.layers[1].(Payload))
}

// Cut says how the next bytes of a direction go into segments: each of sizes
// is the bytes of one. A segment waits until it is full, however many messages
// that takes; Flush does not wait. After the last size everything is as it was.
func (c *IWARP) Cut(d Direction, sizes ...int) {
	c.senders[d].sizes = append(c.senders[d].sizes, sizes...)
}

// Flush appends what Cut holds back in as few segments as there may be, and
// forgets the sizes that were left.
func (c *IWARP) Flush(d Direction) Span {
	first := len(c.Frames)
	c.senders[d].sizes = nil
	c.drain(d)
	return c.span(first)
}

// Stream appends any bytes of the stream, in segments as Cut or else the MSS
// has it. MPA's count of the stream, which places markers, does not know of them.
func (c *IWARP) Stream(d Direction, data []byte) Span {
	first := len(c.Frames)
	c.senders[d].pending = append(c.senders[d].pending, data...)
	c.drain(d)
	return c.span(first)
}

// drain sends what waits, as far as Cut lets it go.
func (c *IWARP) drain(d Direction) {
	s := &c.senders[d]
	for len(s.pending) > 0 {
		n := min(len(s.pending), max(c.MSS, c.TSO))
		if len(s.sizes) > 0 {
			n = s.sizes[0]
			if n > len(s.pending) {
				return
			}
			s.sizes = s.sizes[1:]
		}
		payload := s.pending[:n:n]
		s.pending = s.pending[n:]
		c.bytes(d, payload)
	}
}

// bytes sends a segment with the next bytes of the stream.
func (c *IWARP) bytes(d Direction, payload []byte) {
	s := &c.senders[d]
	t := TCP{Seq: s.seq, Flags: PSH | ACK}
	s.seq += uint32(len(payload))
	c.segment(d, t, payload)
	if s.unacked++; c.AckEvery > 0 && s.unacked >= c.AckEvery {
		c.Ack(d.Opposite())
	}
}

// segment puts a segment into the capture, under IP and the frame; t has its
// sequence number and flags, the rest follows from the state of both senders.
func (c *IWARP) segment(d Direction, t TCP, payload []byte) Span {
	if len(payload) > largestPayload {
		panic(fmt.Sprintf("build: a segment of %d bytes", len(payload)))
	}
	s, peer := &c.senders[d], &c.senders[d.Opposite()]
	t.SrcPort, t.DstPort = c.Client.Port, c.Service
	if d == ToClient {
		t.SrcPort, t.DstPort = t.DstPort, t.SrcPort
	}
	s.tsval = s.clock + uint32(c.now.Sub(c.Start).Milliseconds())
	t.Window, t.Options = 502, []byte{1, 1}
	if t.Flags&SYN != 0 {
		t.Window = 64240
		t.Options = binary.BigEndian.AppendUint16([]byte{2, 4}, uint16(c.MSS+12))
		t.Options = append(t.Options, 4, 2) // SACK permitted
	}
	t.Options = appendWords(append(t.Options, 8, 10), s.tsval, peer.tsval)
	if t.Flags&SYN != 0 {
		t.Options = append(t.Options, 1, 3, 3, 7) // window scale
	}
	if t.Flags&ACK != 0 {
		t.Ack = peer.seq
		peer.unacked = 0
	}
	transport := []Layer{t, Payload(payload)}
	data := TCPFrame(append(c.path(d), transport...)...)
	c.Frames = append(c.Frames, Frame{Time: c.now, Dir: d, Data: data, Length: len(data), layers: transport})
	c.Wait(c.Step)
	return c.span(len(c.Frames) - 1)
}

// path is what lies under TCP, with the sender's next identification.
func (c *IWARP) path(d Direction) []Layer {
	from, to := c.hosts(d)
	layers := []Layer{Ethernet{Src: from.MAC, Dst: to.MAC}}
	for _, tag := range c.VLANs {
		layers = append(layers, tag)
	}
	id := c.senders[d].ipid
	c.senders[d].ipid++
	if from.Addr.Is4() {
		return append(layers, IPv4{Src: from.Addr, Dst: to.Addr, ID: id})
	}
	return append(layers, IPv6{Src: from.Addr, Dst: to.Addr})
}
