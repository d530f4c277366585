package bind_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// find is the first exchange of a sample that a condition holds for.
func find(t *testing.T, name string, is func(*exchange) bool) *exchange {
	t.Helper()
	for _, e := range record(t, name).exchanges {
		if is(e) {
			return e
		}
	}
	t.Fatalf("%s has no such RPC", name)
	return nil
}

func procedure(program, version, number uint32) func(*exchange) bool {
	return func(e *exchange) bool {
		return e.call.Program == program && e.call.Version == version && e.call.Procedure == number && succeeded(e.reply)
	}
}

// TestDifferences changes values of captured replies.
func TestDifferences(t *testing.T) {
	server := newServer(t)
	binder, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	set := func(key string, to ...byte) func(n *field.Node, v []byte) []byte {
		return func(n *field.Node, _ []byte) []byte {
			if n.Key == key {
				return to
			}
			return nil
		}
	}
	for _, tt := range []struct {
		name    string
		of      func(*exchange) bool
		becomes func(n *field.Node, v []byte) []byte
		want    []string
	}{
		{"size", procedure(rpc.ProgramNFS, 3, 1), set("nfs3.fattr3.size", 0, 0, 0, 0, 0, 0, 1, 0), []string{"resok.obj_attributes.size nfs3.fattr3.size: 60, live 256"}},
		{"time, fileid", procedure(rpc.ProgramNFS, 3, 1), func(n *field.Node, v []byte) []byte {
			switch n.Key {
			case "nfs3.nfstime3.seconds", "nfs3.fattr3.fileid", "nfs3.fattr3.fsid", "nfs3.fattr3.used":
				return other(v, n.Key, len(v))
			}
			return nil
		}, nil},
		{"text", procedure(rpc.ProgramNFS, 3, 5), set("nfs3.readlink3resok.data", []byte("elsewhere")...), []string{`resok.data nfs3.readlink3resok.data: "../some/long/target/path/for/symlink/test", live "elsewhere"`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := find(t, "rxe-basic", tt.of)
			w := writer{server: server, becomes: tt.becomes}
			live := e.reply
			live.Bytes = w.write(t, e.reply, true)
			list, more := binder.Compare(e.reply, live)
			if got := tell(list); !slices.Equal(got, tt.want) || more > 0 {
				t.Errorf("differences are %q and %d more, want %q", got, more, tt.want)
			}
		})
	}
}

func tell(list []bind.Difference) (lines []string) {
	for _, d := range list {
		lines = append(lines, fmt.Sprintf("%s %s: %s, live %s", d.Path, d.Key, d.Captured, d.Live))
	}
	return lines
}

// TestStatusDiffers compares a result with one that is an error, and with what RPC refuses.
func TestStatusDiffers(t *testing.T) {
	binder, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	e := find(t, "rxe-basic", procedure(rpc.ProgramNFS, 4, 1))
	live := e.reply
	live.Bytes = compound(e.reply.Bytes, nfs4ErrGrace, words(nil, 35, nfs4ErrGrace))
	list, _ := binder.Compare(e.reply, live)
	got := strings.Join(tell(list), "\n")
	for _, want := range []string{"status nfs4.compound4res.status: NFS4_OK (0), live NFS4ERR_GRACE (10013)", "resok4 nfs4.", "live absent"} {
		if !strings.Contains(got, want) {
			t.Errorf("differences are\n%s\nwant %s", got, want)
		}
	}
	var h rpc.Reply
	h.Decode(e.reply.Bytes)
	live.Bytes = append([]byte(nil), e.reply.Bytes[:h.Length]...)
	binary.BigEndian.PutUint32(live.Bytes[h.Length-4:], uint32(rpc.ProcUnavail))
	if got := tell(first(binder.Compare(e.reply, live))); len(got) != 1 || !strings.HasPrefix(got[0], "rpc : ") || !strings.Contains(got[0], "PROC_UNAVAIL") {
		t.Errorf("differences are %q", got)
	}
}

func first(list []bind.Difference, _ int) []bind.Difference { return list }

// TestDirectoryOrder has the same names in another order, and then one less.
func TestDirectoryOrder(t *testing.T) {
	binder, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	e := find(t, "rxe-basic", func(e *exchange) bool {
		return procedure(rpc.ProgramNFS, 3, 17)(e) && len(entries(t, e.reply)) > 4
	})
	list := entries(t, e.reply)
	live := e.reply
	slices.Reverse(list)
	live.Bytes = withEntries(t, e.reply, list)
	if got := tell(first(binder.Compare(e.reply, live))); len(got) > 0 {
		t.Errorf("the same names in another order: %q", got)
	}
	live.Bytes = withEntries(t, e.reply, list[1:])
	got := tell(first(binder.Compare(e.reply, live)))
	if len(got) != 2 || !strings.Contains(got[0], " elements, live ") || !strings.HasSuffix(got[1], "live absent") {
		t.Errorf("a name less: %q", got)
	}
}

// extent is where the entries of a READDIRPLUS lie.
func extent(t *testing.T, m bind.Message) (list []field.Node) {
	var find func(n *field.Node)
	find = func(n *field.Node) {
		for i := range n.Children {
			if n.Children[i].Name == "entries" {
				list = n.Children[i].Children
			}
			find(&n.Children[i])
		}
	}
	tree := newServer(t).tree(t, m, true)
	find(&tree)
	return list
}

func entries(t *testing.T, m bind.Message) (list [][]byte) {
	for _, n := range extent(t, m) {
		list = append(list, m.Bytes[n.Start:n.End])
	}
	return list
}

func withEntries(t *testing.T, m bind.Message, list [][]byte) []byte {
	nodes := extent(t, m)
	out := append([]byte(nil), m.Bytes[:nodes[0].Start]...)
	for _, e := range list {
		out = append(out, e...)
	}
	return append(out, m.Bytes[nodes[len(nodes)-1].End:]...)
}

// TestLonger holds that what is left out of the comparison, since it varies or is ignored, accounts for
// the length of a reply, and that nothing else does.
func TestLonger(t *testing.T) {
	server := newServer(t)
	exchangeID := func(e *exchange) bool {
		return procedure(rpc.ProgramNFS, 4, 1)(e) && len(e.reply.Bytes) > 40 && binary.BigEndian.Uint32(e.reply.Bytes[36:]) == 42
	}
	for _, tt := range []struct {
		name    string
		of      func(*exchange) bool
		key, to string
		ignore  []string
		differ  bool
	}{
		{"the server's owner", exchangeID, "nfs4.server_owner4.so_major_id", "a server with a long name", nil, false},
		{"a link", procedure(rpc.ProgramNFS, 3, 5), "nfs3.readlink3resok.data", "elsewhere", nil, true},
		{"a link that is ignored", procedure(rpc.ProgramNFS, 3, 5), "nfs3.readlink3resok.data", "elsewhere", []string{"NFS3.readlink3resok.data"}, false},
		{"another field is ignored", procedure(rpc.ProgramNFS, 3, 5), "nfs3.readlink3resok.data", "elsewhere", []string{"nfs3.fattr3.size"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			binder, err := bind.New(bind.Options{Ignore: tt.ignore}, spec(t))
			if err != nil {
				t.Fatal(err)
			}
			e := find(t, "rxe-basic", tt.of)
			w := writer{server: server, becomes: func(n *field.Node, _ []byte) []byte {
				if n.Key == tt.key {
					return []byte(tt.to)
				}
				return nil
			}}
			live := e.reply
			live.Bytes = w.write(t, e.reply, true)
			longer := len(live.Bytes) - len(e.reply.Bytes)
			if longer == 0 {
				t.Fatal("the reply has the same length")
			}
			if tt.differ {
				longer = 0
			}
			if got := first(binder.Compare(e.reply, live)); (len(got) > 0) != tt.differ {
				t.Errorf("differences are %q", tell(got))
			}
			if got := binder.Longer(e.reply, live); got != longer {
				t.Errorf("%d bytes longer by what is left out, want %d", got, longer)
			}
		})
	}
	if _, err := bind.New(bind.Options{Ignore: []string{"nfs3.nothing"}}, spec(t)); err == nil || !strings.Contains(err.Error(), "nfs3.nothing is not a field of a reply") {
		t.Error(err)
	}
}
