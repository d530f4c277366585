package responder_test

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// compound is a COMPOUND of one minor version.
func compound(xid, minor uint32, ops ...[]byte) build.Message {
	args := numbers(0, minor, uint32(len(ops)))
	for _, op := range ops {
		args = append(args, op...)
	}
	return build.Message{Bytes: build.RPCCall{XID: xid, Program: 100003, Version: 4, Procedure: 1, Args: args}.Bytes()}
}

func compoundReply(xid uint32, results ...[]byte) build.Message {
	b := numbers(0, 0, uint32(len(results)))
	for _, r := range results {
		b = append(b, r...)
	}
	return build.Message{Bytes: build.RPCReply{XID: xid, Results: b}.Bytes()}
}

func numbers(list ...uint32) (b []byte) {
	for _, n := range list {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

var session = bytes.Repeat([]byte{7}, 16)

func sequenceArgs(number, slot uint32) []byte {
	return append(append(numbers(53), session...), numbers(number, slot, 2, 0)...)
}

func sequenceResult(number, slot, flags uint32) []byte {
	return append(append(numbers(53, 0), session...), numbers(number, slot, 30, 29, flags)...)
}

// TestRenewals holds that SEQUENCE alone, RENEW and NULL are answered whatever the capture has and
// whatever becomes of unmatched calls, that a SEQUENCE that comes again gets the same reply on
// whatever connection, and that slots keep their order.
func TestRenewals(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	c.Reply(c.Call(compound(1, 1, sequenceArgs(1, 0), numbers(24))), compoundReply(1, sequenceResult(1, 0, 0), numbers(24, 0)))
	c.Reply(c.Call(compound(2, 1, sequenceArgs(2, 0))), compoundReply(2, sequenceResult(2, 0, 1)))
	c.Call(compound(3, 0, numbers(30, 1, 2))) // to which the captured server gave no reply
	frames := framesOf(t, c.Frames)
	for _, u := range []responder.Unmatched{responder.RPCError, responder.Stall, responder.Disconnect} {
		t.Run(u.String(), func(t *testing.T) {
			f := fabric.New(fabric.SoftRoCE())
			o := responder.Options{Unmatched: u, Specs: specs(t), Connections: 2}
			s, err := responder.New(conversation(t, frames, 0), o)
			replaytest.Must(t, err)
			listening, ended := make(chan struct{}), make(chan error, 1)
			go func() {
				ended <- s.Serve(replaytest.Patience(t), f, at, func(netip.AddrPort) { close(listening) })
			}()
			<-listening
			l := dial(t, f, false)
			asks := func(l *live, what string, m, want build.Message) {
				t.Helper()
				if h, got := l.ask(build.Header{}, m); h == nil || h.XID != m.XID() || !bytes.Equal(got, want.Bytes) {
					t.Errorf("%s: % x, want % x", what, got, want.Bytes)
				}
			}
			misordered := build.Message{Bytes: build.RPCReply{XID: 20, Results: numbers(10063, 0, 1, 53, 10063)}.Bytes()}
			asks(l, "NULL", build.NFS3Null(10), build.NFS3NullReply(10))
			asks(l, "RENEW that has no reply in the capture", compound(11, 0, numbers(30, 1, 2)), compoundReply(11, numbers(30, 0)))
			asks(l, "RENEW of another client ID", compound(12, 0, numbers(30, 3, 4)), compoundReply(12, numbers(30, 0)))
			asks(l, "as captured", compound(13, 1, sequenceArgs(5, 0), numbers(24)), compoundReply(13, sequenceResult(5, 0, 0), numbers(24, 0)))
			asks(l, "SEQUENCE as captured", compound(14, 1, sequenceArgs(6, 0)), compoundReply(14, sequenceResult(6, 0, 1)))
			asks(l, "the same again", compound(15, 1, sequenceArgs(6, 0)), compoundReply(15, sequenceResult(6, 0, 1)))
			asks(l, "one more than the capture has", compound(16, 1, sequenceArgs(7, 0)), compoundReply(16, sequenceResult(7, 0, 0)))
			asks(l, "in another slot", compound(17, 1, sequenceArgs(1, 30)), compoundReply(17, sequenceResult(1, 30, 0)))
			asks(l, "out of order", compound(20, 1, sequenceArgs(9, 0)), misordered)
			asks(l, "in order behind that", compound(21, 1, sequenceArgs(8, 0)), compoundReply(21, sequenceResult(8, 0, 0)))
			replaytest.Must(t, l.Close())
			l = dial(t, f, false)
			asks(l, "again on another connection", compound(17, 1, sequenceArgs(1, 30)), compoundReply(17, sequenceResult(1, 30, 0)))
			replaytest.Must(t, l.Close())
			replaytest.Must(t, <-ended)
			if r := s.Report(); r.UnmatchedCalls() != 0 || r.Own != 9 || r.Calls != 11 {
				t.Errorf("%+v", r)
			}
			held(t, f, "ULB-018a") // the one out of order
		})
	}
}
