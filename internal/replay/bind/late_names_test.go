package bind_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// step4 makes a call of NFS 4.1 on one slot, and its reply: operations are opcode, arguments, result.
func step4(like []byte, xid uint32, ops ...[3][]byte) []step {
	session := bytes.Repeat([]byte{7}, 16)
	sequence := append(append([]byte{}, session...), words(nil, xid, 0, 0)...)
	ops = append([][3][]byte{{words(nil, 53), words(sequence, 0), words(sequence, 0, 0)}}, ops...)
	var h rpc.Call
	h.Decode(like)
	call := words(append(words(nil, xid), like[4:h.Length]...), 0, 1, uint32(len(ops)))
	reply := words(nil, xid, 1, 0, 0, 0, 0, 0, 0, uint32(len(ops)))
	for _, op := range ops {
		call = append(append(call, op[0]...), op[1]...)
		reply = append(words(append(reply, op[0]...), 0), op[2]...)
	}
	e := &exchange{xid: xid, call: bind.Message{Bytes: call, Program: rpc.ProgramNFS, Version: 4, Procedure: 1}}
	e.reply = e.call
	e.reply.Bytes = reply
	return []step{{e, false, 0}, {e, true, 0}}
}

// TestLateNames follows what is renamed, removed and made within the capture: a handle is asked for
// by the name that it had when the capture began.
func TestLateNames(t *testing.T) {
	like := find(t, "rxe-basic", procedure(rpc.ProgramNFS, 4, 1)).call.Bytes
	op := func(number uint32, args, result []byte) [3][]byte { return [3][]byte{words(nil, number), args, result} }
	name := func(s string) []byte { return opaque([]byte(s)) }
	change := words(nil, 0, 0, 0, 0, 0)
	root, putRoot := name("the root"), op(24, nil, nil)
	put := func(handle string) [3][]byte { return op(22, name(handle), nil) }
	look := func(s string) [3][]byte { return op(15, name(s), nil) }
	get := func(handle string) [3][]byte { return op(10, nil, name(handle)) }
	getattr := op(9, words(nil, 0), words(nil, 0, 0))
	save := op(32, nil, nil)

	steps := slices.Concat(
		step4(like, 1, put("A"), getattr), step4(like, 2, put("B"), getattr), step4(like, 3, put("C"), getattr),
		step4(like, 4, put("D"), getattr), step4(like, 5, put("E"), getattr), step4(like, 6, put("F"), getattr), step4(like, 7, put("G"), getattr),
		step4(like, 10, putRoot, op(10, nil, root)),
		// dir/sub is A, by two names in one call; B is moved there, and has another name in the end.
		step4(like, 11, putRoot, look("dir"), look("sub"), get("A")),
		step4(like, 12, put("the root"), save, put("A"), op(29, append(name("old"), name("new")...), slices.Concat(change, change))),
		step4(like, 13, put("A"), look("new"), get("B")),
		// C has the name of one that was removed: it was made by another client, and cannot be asked for.
		step4(like, 14, put("A"), op(28, name("gone"), change)),
		step4(like, 15, put("A"), look("gone"), get("C")),
		// D is linked: its first name is not known, and the new one was not there.
		step4(like, 16, put("D"), save, put("A"), op(11, name("link"), change)),
		step4(like, 17, put("A"), look("link"), get("D")),
		// E lies below D.
		step4(like, 18, put("D"), look("e"), get("E")),
		// F was moved in the root, which is named in another way when it is looked up there.
		step4(like, 19, put("the root"), save, op(29, append(name("p"), name("q")...), slices.Concat(change, change))),
		step4(like, 20, putRoot, look("q"), get("F")),
		// A link in a directory that nobody knows is none of the root's.
		step4(like, 21, put("A"), save, op(16, nil, nil), op(11, name("r"), change)),
		step4(like, 22, putRoot, look("r"), get("G")),
	)
	r := late(t, steps, "")
	want := []string{
		"EXCHANGE_ID", "CREATE_SESSION of NFS 4.1: 1 slot, backchannel", "RECLAIM_COMPLETE",
		`LOOKUP for the handle 41: "dir/sub" below the root of the server`,
		"GETFH for the handle 74686520726f6f74: the root of the server",
		`LOOKUP for the handle 42: "old" below 74686520726f6f74`,
		`LOOKUP for the handle 47: "r" below the root of the server`,
	}
	if got := names(r.begin.Before); !slices.Equal(got, want) {
		t.Errorf("it begins with\n%q, want\n%q", got, want)
	}
	lacks := []string{
		"the handle 43, below which the capture uses 0 names, has no name: --export 43=PATH gives its path",
		"the handle 44, below which the capture uses 1 name, has no name: --export 44=PATH gives its path",
		"the handle 46, below which the capture uses 0 names, has no name: --export 46=PATH gives its path",
	}
	if !slices.Equal(r.begin.Lacking, lacks) {
		t.Errorf("it lacks\n%q, want\n%q", r.begin.Lacking, lacks)
	}
	r.own(r.begin.Before)
	r.captured(steps)
	if n := r.unbound["handle"]; n != 5 { // C, D, E and F at first, and D once more before it is looked up
		t.Errorf("%d handles are not bound", n)
	}
}

// TestExports holds which handle is assumed to be that of an export: the one that is named, or without a name the
// only one that there is. Of several, none is guessed.
func TestExports(t *testing.T) {
	like := find(t, "rxe-basic", procedure(rpc.ProgramNFS, 4, 1)).call.Bytes
	op := func(number uint32, args, result []byte) [3][]byte { return [3][]byte{words(nil, number), args, result} }
	use := func(xid uint32, handle string) []step {
		return step4(like, xid, op(22, opaque([]byte(handle)), nil), op(9, words(nil, 0), words(nil, 0, 0)))
	}
	one, two := use(1, "home"), slices.Concat(use(1, "home"), use(2, "tmp"))
	for _, c := range []struct {
		steps  []step
		export string
		want   []string
	}{
		{one, "/", []string{`"/"`}},
		{two, "/", nil},
		{two, "686f6D65=/home", []string{`"/home"`}},
		{two, "6d70=/tmp 6d65=/home", []string{`"/tmp"`, `"/home"`}},
	} {
		r := late(t, c.steps, c.export)
		if len(r.begin.Assumed) != len(c.want) {
			t.Errorf("%s: %q is assumed", c.export, r.begin.Assumed)
			continue
		}
		for i, want := range c.want {
			if !strings.Contains(r.begin.Assumed[i], "is assumed to be that of "+want) {
				t.Errorf("%s: %q is assumed", c.export, r.begin.Assumed)
			}
		}
	}
	for _, wrong := range []string{"x=/", "=/", "123=/"} {
		if e, err := bind.ParseExport(wrong); err == nil {
			t.Errorf("%s is read as %+v", wrong, e)
		}
	}
	l, err := bind.NewLate(spec(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Begin("owner", []bind.Export{{Handle: "12", Path: "/"}}); err == nil || !strings.Contains(err.Error(), "has no effect") {
		t.Errorf("of a capture that lacks nothing: %v", err)
	}
	for _, s := range two {
		if !s.isReply {
			if _, err := l.Call(s.call); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := l.Begin("owner", []bind.Export{{Handle: "12", Path: "/"}}); err == nil || !strings.Contains(err.Error(), "no handle without a name is") {
		t.Errorf("of a handle that is not used: %v", err)
	}
}

// TestLateDeep asks for directories that lie deep, whichever is used first.
func TestLateDeep(t *testing.T) {
	like := find(t, "rxe-basic", procedure(rpc.ProgramNFS, 4, 1)).call.Bytes
	op := func(number uint32, args, result []byte) [3][]byte { return [3][]byte{words(nil, number), args, result} }
	const deep = 200
	handle := func(i int) []byte { return opaque(fmt.Appendf(nil, "handle %d", i)) }
	var steps []step
	for i := deep; i >= 0; i-- {
		steps = append(steps, step4(like, uint32(deep-i+1), op(22, handle(i), nil), op(9, words(nil, 0), words(nil, 0, 0)))...)
	}
	for i := range deep {
		steps = append(steps, step4(like, uint32(deep+i+2), op(22, handle(i), nil), op(15, opaque([]byte("d")), nil), op(10, nil, handle(i+1)))...)
	}
	r := late(t, steps, "/")
	if n := len(r.begin.Before); n != 3+deep+1 || len(r.begin.Lacking) > 0 {
		t.Errorf("%d calls before, and it lacks %q", n, r.begin.Lacking)
	}
}
