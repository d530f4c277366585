package bind_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// TestRootCall holds the COMPOUND that asks for a handle against the texts, and reads replies
// to it.
func TestRootCall(t *testing.T) {
	e := find(t, "rxe-basic", procedure(rpc.ProgramNFS, 3, 1))
	call, err := bind.RootCall(e.call.Bytes, 0x1234, "/export//deep/")
	if err != nil {
		t.Fatal(err)
	}
	var was, is rpc.Call
	was.Decode(e.call.Bytes)
	is.Decode(call)
	if is.XID != 0x1234 || is.Program != 100003 || is.Version != 4 || is.Procedure != 1 || is.Cred != was.Cred || is.Length != was.Length {
		t.Errorf("the header is %+v, that of the captured call %+v", is, was)
	}
	tree := newServer(t).tree(t, bind.Message{Bytes: call, Program: 100003, Version: 4, Procedure: 1}, false)
	if want := `PUTROOTFH; LOOKUP "export"; LOOKUP "deep"; GETFH`; tree.Value != want || tree.Fault != "" {
		t.Errorf("the call is %s %s, want %s", tree.Value, tree.Fault, want)
	}

	reply := words(nil, 0x1234, 1, 0, 0, 0, 0)
	op := func(number, status uint32, rest ...byte) []byte { return append(words(nil, number, status), rest...) }
	handle := []byte("a handle")
	for _, tt := range []struct {
		name  string
		reply []byte
		want  string // a part of the error, "" if there is a handle
		is    error
	}{
		{"handle", compound(reply, 0, op(24, 0), op(15, 0), op(15, 0), op(10, 0, opaque(handle)...)), "", nil},
		{"no name", compound(reply, 2, op(24, 0), op(15, 0), op(15, 2)), `there is no "/export/deep"`, bind.ErrNoPath},
		{"later", compound(reply, 10008, op(24, 0), op(15, 10008)), "later", bind.ErrWait},
		{"refused", compound(reply, 13, op(24, 0), op(15, 13)), "operation 2 failed with status 13", nil},
		{"no version 4.0", compound(reply, 10021), "does not support NFS version 4.0", nil},
		{"no version 4", words(nil, 0x1234, 1, 0, 0, 0, 2, 2, 3), "does not support NFS version 4.0", nil},
		{"nothing", compound(reply, 0), "has no handle", nil},
		{"cut", compound(reply, 0, op(24, 0), op(15, 0), op(15, 0), op(10, 0, 0, 0, 0, 9)), "malformed", nil},
	} {
		got, err := bind.RootHandle(tt.reply, "/export//deep/")
		switch {
		case tt.want == "" && (err != nil || !bytes.Equal(got, handle)):
			t.Errorf("%s: %x, %v", tt.name, got, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: error is %v, want %s", tt.name, err, tt.want)
		case tt.is != nil && !errors.Is(err, tt.is):
			t.Errorf("%s: error %v is not %v", tt.name, err, tt.is)
		}
	}
}

// TestSurvey looks for what no reply gives: the root of NFS version 3, and nothing of version 4.
func TestSurvey(t *testing.T) {
	for id, steps := range record(t, "rxe-basic").steps() {
		s, err := bind.NewSurvey(spec(t))
		if err != nil {
			t.Fatal(err)
		}
		calls, unbound := make(map[*exchange]*bind.Call), make(map[string]bool)
		for _, step := range steps {
			if step.isReply {
				s.Reply(calls[step.exchange], step.reply)
			} else if calls[step.exchange], err = s.Call(step.call); err != nil {
				t.Fatal(err)
			}
			for _, u := range calls[step.exchange].Unbound {
				unbound[string(u.Value)] = true
				if u.Kind != "handle" || u.Reason != "is in no reply of the capture" {
					t.Errorf("connection %d: %+v", id, u)
				}
			}
		}
		isThree := steps[1].call.Version == 3
		if got := s.Root() != nil; got != isThree || isThree && len(unbound) != 1 || !isThree && len(unbound) > 0 {
			t.Errorf("connection %d: root %x, unbound %v", id, s.Root(), unbound)
		}
	}
	s, err := bind.NewSurvey(spec(t))
	if err != nil {
		t.Fatal(err)
	}
	mount := append(words(nil, 1, 0, 2, 100005, 3, 1, 0, 0, 0, 0), opaque([]byte("/export"))...)
	if _, err := s.Call(bind.Message{Bytes: mount, Program: 100005, Version: 3, Procedure: 1}); err != nil || s.Export() != "/export" {
		t.Errorf("the export is %q, %v", s.Export(), err)
	}
}

// TestGSS refuses what a security context protects.
func TestGSS(t *testing.T) {
	e := find(t, "rxe-krb", func(e *exchange) bool { return e.gss })
	b, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Call(e.call); !errors.Is(err, bind.ErrGSS) {
		t.Errorf("the error is %v", err)
	}
	if _, err := bind.RootCall(e.call.Bytes, 1, "/"); !errors.Is(err, bind.ErrGSS) {
		t.Errorf("the error is %v", err)
	}
	if _, err := b.Call(bind.Message{Bytes: e.reply.Bytes}); err == nil || !strings.Contains(err.Error(), "msg_type is not CALL") {
		t.Errorf("the error about a reply is %v", err)
	}
}

// TestPositions gives an owner another length in front of a Read chunk: it moves.
func TestPositions(t *testing.T) {
	binder, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	for _, e := range record(t, "rxe-basic").exchanges {
		if e.call.Program != rpc.ProgramNFS || e.call.Version != 3 || len(e.call.Reads) == 0 {
			continue
		}
		// The arguments of WRITE and SYMLINK begin with a handle.
		var h rpc.Call
		h.Decode(e.call.Bytes)
		n := binary.BigEndian.Uint32(e.call.Bytes[h.Length:])
		binder.TieHandle(e.call.Bytes[h.Length+4:][:n], make([]byte, n+7))
		c, err := binder.Call(e.call)
		if err != nil {
			t.Fatal(err)
		}
		by := uint32(padded(int(n)+7) - padded(int(n)))
		if len(c.Reads) != len(e.call.Reads) || c.Reads[0].Position != e.call.Reads[0].Position+by || c.Reads[0].Length != e.call.Reads[0].Length {
			t.Errorf("Read chunks are %+v, were %+v, and the handle is %d longer", c.Reads, e.call.Reads, by)
		}
		if len(c.Bytes) != len(e.call.Bytes)+int(by) {
			t.Errorf("%d bytes, were %d", len(c.Bytes), len(e.call.Bytes))
		}
		moved++
	}
	if moved == 0 {
		t.Error("the sample has no Read chunk")
	}
}

func padded(n int) int { return (n + 3) &^ 3 }
