package build

import "fmt"

// verbs is what an exchange of RPC-over-RDMA needs of its transport.
type verbs interface {
	Send(d Direction, data []byte) Span
	SendInvalidate(d Direction, handle uint32, data []byte) Span
	Write(d Direction, handle uint32, offset uint64, data []byte) Span
	Read(d Direction, handle uint32, offset uint64, data []byte) Span
	Ack(d Direction) Span
	next() int                  // the index of the next frame
	credits(d Direction) uint32 // of the sender in this direction
}

func call(v verbs, m Message, offers []Offer) *Exchange {
	e := &Exchange{Header: Header{XID: m.XID(), Credits: v.credits(ToServer)}}
	for _, o := range offers {
		o.offer(&e.Header, m)
		if two, ok := o.(Version2); ok {
			e.two = &two
		}
	}
	h := &e.Header
	rest, item := m.Bytes, []byte(nil)
	for _, r := range h.Reads {
		if r.Position != 0 {
			rest, item = m.Reduced(), m.Bytes[m.Item:]
		}
	}
	inline := rest
	if h.Proc == NOMSG {
		inline = nil
	}
	e.Sent = v.Send(ToServer, e.with(*h, DirectionCall, inline))
	v.Ack(ToClient)
	e.Read.First = v.next()
	for _, r := range h.Reads {
		from := &rest
		if r.Position != 0 {
			from = &item
		}
		n := min(int(r.Length), len(*from))
		v.Read(ToClient, r.Handle, r.Offset, (*from)[:n])
		*from = (*from)[n:]
	}
	e.Read.End = v.next()
	return e
}

func answer(v verbs, e *Exchange, m Message, options []ReplyOption) Span {
	var r reply
	for _, o := range options {
		o(&r)
	}
	first := v.next()
	h := Header{XID: m.XID(), Credits: v.credits(ToClient)}
	data := m.Bytes
	for i, chunk := range e.Header.Writes {
		var item []byte
		if i == 0 && m.Item != 0 {
			item, data = m.Placed(), m.Reduced()
		}
		h.Writes = append(h.Writes, place(v, chunk, item))
	}
	if e.Header.Reply != nil {
		h.Proc, h.Reply, data = NOMSG, place(v, e.Header.Reply, data), nil
	}
	if r.hasInvalidate {
		v.SendInvalidate(ToClient, r.invalidate, e.with(h, DirectionReply, data))
	} else {
		v.Send(ToClient, e.with(h, DirectionReply, data))
	}
	return Span{first, v.Ack(ToServer).End}
}

func answerError(v verbs, e *Exchange, code uint32) Span {
	h := Header{XID: e.Header.XID, Credits: v.credits(ToClient), Proc: ERROR, Err: code, Low: 1, High: 1}
	if e.two != nil {
		h.Vers = 2 // copied, whoever answers
	}
	s := v.Send(ToClient, h.Bytes())
	return Span{s.First, v.Ack(ToServer).End}
}

func reverseCall(v verbs, call, reply Message) Span {
	s := v.Send(ToClient, Header{XID: call.XID(), Credits: v.credits(ToClient)}.With(call.Bytes))
	v.Ack(ToServer)
	v.Send(ToServer, Header{XID: reply.XID(), Credits: v.credits(ToServer)}.With(reply.Bytes))
	return Span{s.First, v.Ack(ToClient).End}
}

// place writes bytes into a chunk with RDMA Write, segment by segment, and
// returns the chunk as the reply reports it: each length what was written.
func place(v verbs, chunk []Segment, data []byte) []Segment {
	told := make([]Segment, len(chunk))
	for i, s := range chunk {
		n := min(int(s.Length), len(data))
		if n > 0 {
			v.Write(ToClient, s.Handle, s.Offset, data[:n])
		}
		data, s.Length = data[n:], uint32(n)
		told[i] = s
	}
	if len(data) > 0 {
		panic(fmt.Sprintf("build: %d bytes more than the chunk %v holds", len(data), chunk))
	}
	return told
}
