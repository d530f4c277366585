package bind_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// FuzzBind rewrites a call of strangers, learns from two replies of strangers, compares them, and
// rewrites the call again: whatever the bytes are, nothing grows beyond what they are.
func FuzzBind(f *testing.F) {
	for _, name := range []string{"rxe-basic", "rxe-cb"} {
		for i, e := range record(f, name).exchanges {
			if i%9 != 0 || len(e.call.Bytes)+len(e.reply.Bytes) > 2000 {
				continue
			}
			position := uint32(0)
			if len(e.call.Reads) > 0 {
				position = e.call.Reads[0].Position
			}
			f.Add(e.call.Bytes, e.reply.Bytes, e.reply.Bytes, e.call.Program, e.call.Version, e.call.Procedure, position, uint32(0), e.call.Reverse)
		}
	}
	s := spec(f)
	f.Fuzz(func(t *testing.T, call, captured, live []byte, program, version, procedure, position, write uint32, backward bool) {
		b, err := bind.New(bind.Options{OwnerSuffix: suffix}, s)
		if err != nil {
			t.Fatal(err)
		}
		m := bind.Message{Bytes: call, Program: program, Version: version, Procedure: procedure, Reverse: backward}
		was, is := m, m
		was.Bytes, is.Bytes = captured, live
		if position > 0 {
			m.Reads = []walk.ReadChunk{{Position: position, Length: write}}
		}
		if write > 0 {
			was.Writes = []uint32{write}
		}
		b.Compare(was, is)
		bind.RootHandle(live, "/a/b")
		_, _ = b.Captured(m)
		_, _ = b.Answer(m, was, m)
		_, _ = b.Acknowledge(m)
		b.SameOperations(m, is)
		c, err := b.Call(m)
		if err != nil {
			return
		}
		// An item is replaced by one of a reply, or gets the suffix: one of each four bytes at most.
		bound := len(call) + (len(call)/4+1)*(len(live)+len(suffix)+4)
		for range 3 {
			if len(c.Bytes) > bound || len(c.Reads) != len(m.Reads) || len(c.Unbound) > 64 {
				t.Fatalf("%d bytes became %d, %d Read chunks, %d unbound", len(call), len(c.Bytes), len(c.Reads), len(c.Unbound))
			}
			c.Reply(&was, is)
			c.Again()
		}
	})
}
