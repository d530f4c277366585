package build

import (
	"bytes"
	"testing"
)

// What an exchange says over iWARP is byte for byte what it says over RoCE:
// the same Sends in the same order, the same bytes placed.
func TestExchangesAreTheSame(t *testing.T) {
	type teller interface {
		Call(m Message, offers ...Offer) *Exchange
		Reply(e *Exchange, m Message, options ...ReplyOption) Span
		ReplyError(e *Exchange, code uint32) Span
		ReverseCall(call, reply Message) Span
	}
	data := hexBytes(5000)
	story := func(c teller) {
		c.Reply(c.Call(NFS3Null(1)), NFS3NullReply(1))
		c.Reply(c.Call(NFS3Write(2, fh, 0, data), ReadChunk{{0xa, 2048, 0x1000}, {0xb, 2952, 0x9000}}), NFS3WriteReply(2, 5000))
		c.Reply(c.Call(NFS3Write(3, fh, 0, data), LongCall{{0xa, 8192, 0x1000}}), NFS3WriteReply(3, 5000))
		c.Reply(c.Call(NFS3Read(4, fh, 0, 5000), WriteChunk{{0xc, 3000, 0x1000}, {0xd, 3000, 0x5000}}), NFS3ReadReply(4, data), Invalidate(0xc))
		c.Reply(c.Call(NFS3Read(5, fh, 0, 5000), ReplyChunk{{0xe, 8192, 0x1000}}), NFS3ReadReply(5, data))
		c.ReplyError(c.Call(NFS3Null(6)), ErrVers)
		c.ReverseCall(NFS3Null(7), NFS3NullReply(7))
	}
	roce, iwarp := NewConversation(Setup{}), NewIWARP(IWARPSetup{})
	story(roce)
	story(iwarp)
	for d := range Direction(2) {
		var messages, placed [][]byte
		var now []byte
		for _, f := range unframe(t, stream(t, iwarp.Frames, d), false) {
			header, list := 18, &messages
			switch f.ulpdu[1] & 0xf {
			case RDMAPReadRequest:
				continue
			case RDMAPWrite, RDMAPReadResponse:
				header, list = 14, &placed
			}
			now = append(now, f.ulpdu[header:]...)
			if f.ulpdu[0]&0x40 != 0 {
				*list, now = append(*list, now), nil
			}
		}
		same(t, "Sends", bytes.Join(messages, nil), bytes.Join(sends(t, roce, d), nil))
		var want []byte
		for _, f := range roce.Frames.Only(d) {
			switch p := tell(t, f.Data); p.op {
			case RCWriteFirst, RCWriteMiddle, RCWriteLast, RCWriteOnly, RCReadResponseFirst, RCReadResponseMiddle, RCReadResponseLast, RCReadResponseOnly:
				want = append(want, p.payload...)
			}
		}
		if got := bytes.Join(placed, nil); len(want) == 0 || !bytes.Equal(got, want) {
			t.Errorf("%d bytes placed, want %d", len(got), len(want))
		}
	}
}

func TestIWARPExchange(t *testing.T) {
	c := NewIWARP(IWARPSetup{})
	e := c.Call(NFS3Write(7, fh, 0, hexBytes(3001)), ReadChunk{{0xa, 3001, 0x1000}})
	reply := c.Reply(e, NFS3WriteReply(7, 3001))
	if got, want := tcpScript(t, c, c.Frames[e.Sent.First:e.Sent.End]), ">P1:196/1"; got != want {
		t.Errorf("the call: %s, want %s", got, want)
	}
	// The last response's ULPDU of 14 + 145 bytes has 3 of pad.
	if got, want := tcpScript(t, c, c.Frames[e.Read.First:e.Read.End]), "<P1:52/197 >P197:1448/53 >P1645:1448/53 >P3093:168/53"; got != want {
		t.Errorf("the Read: %s, want %s", got, want)
	}
	if got, want := tcpScript(t, c, c.Frames[reply.First:reply.End]), "<P53:104/3261 >3261/157"; got != want {
		t.Errorf("the reply: %s, want %s", got, want)
	}
}
