package bind_test

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// store is a program of somebody else, whose text says what is bound.
const store = `
enum status { DONE = 0 /* @status DONE */, LATER = 5 /* @retry */ };
typedef opaque token<16>; /* @bind handle */
struct found { token object; unsigned hyper when; /* @varies */ unsigned count; };
union find_result switch (status result) { case DONE: found body; default: void; };
program STORE { version ONE { find_result FIND(string) = 1; find_result NEXT(token) = 2; } = 1; } = 400000;`

// TestOtherPrograms binds a program that a user's text describes.
func TestOtherPrograms(t *testing.T) {
	own, err := types.Parse("store.x", store)
	if err != nil {
		t.Fatal(err)
	}
	binder, err := bind.New(bind.Options{}, own, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	call := func(procedure uint32, args []byte) bind.Message {
		header := words(nil, 7, 0, 2, 400000, 1, procedure, 0, 0, 0, 0)
		return bind.Message{Bytes: append(header, args...), Program: 400000, Version: 1, Procedure: procedure}
	}
	reply := func(token string, when, count uint32) bind.Message {
		b := append(words(nil, 7, 1, 0, 0, 0, 0, 0), opaque([]byte(token))...)
		return bind.Message{Bytes: words(b, 0, when, count)}
	}
	later := bind.Message{Bytes: words(nil, 7, 1, 0, 0, 0, 0, 5)}
	captured, live := reply("captured", 1, 3), reply("given live", 2, 3)

	find, err := binder.Call(call(1, opaque([]byte("what"))))
	if err != nil {
		t.Fatal(err)
	}
	if v := find.Reply(&captured, later); !v.Retry || v.Status != "LATER" || v.Captured != "DONE" {
		t.Errorf("verdict %+v", v)
	}
	find.Again()
	if v := find.Reply(&captured, live); v.Retry {
		t.Errorf("verdict %+v", v)
	}
	next, err := binder.Call(call(2, opaque([]byte("captured"))))
	if want := call(2, opaque([]byte("given live"))).Bytes; err != nil || !bytes.Equal(next.Bytes, want) {
		t.Errorf("the call is %x, %v, want %x", next.Bytes, err, want)
	}
	captured.Program, captured.Version, captured.Procedure = 400000, 1, 1
	if got := tell(first(binder.Compare(captured, live))); len(got) > 0 {
		t.Errorf("differences %q", got)
	}
	if got := tell(first(binder.Compare(captured, reply("given live", 2, 4)))); len(got) != 1 || got[0] != "body.count store.found.count: 3, live 4" {
		t.Errorf("differences %q", got)
	}
}
