package export_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// TestCurrentFilehandle holds whose data READ and WRITE of NFS 4 are: what one
// COMPOUND does with the current and the saved filehandle.
func TestCurrentFilehandle(t *testing.T) {
	failed := op{number: 15, args: xdr{}.opaque("x"), result: stale}
	for _, c := range []struct {
		name string
		ops  []op
		// want are the objects by name or, without one, handle; left is how many
		// operations are reported to be left out.
		want map[string]string
		left string
	}{
		{"PUTFH", []op{putFH("A"), read4(0, "data")}, map[string]string{"A.read": "data"}, ""},
		{"written", []op{putFH("A"), write4(0, "data", 4)}, map[string]string{"A.write": "data"}, ""},
		{"written in part", []op{putFH("A"), write4(0, "data", 3)}, map[string]string{"A.write": "dat"}, ""},
		{"more than was given", []op{putFH("A"), write4(0, "data", 40)}, map[string]string{"A.write": "data"}, ""},
		{"the last PUTFH", []op{putFH("A"), putFH("B"), read4(0, "data")}, map[string]string{"B.read": "data"}, ""},
		{"LOOKUP and GETFH", []op{root, lookup("dir"), lookup("n"), getFH("A"), read4(0, "data")}, map[string]string{"n.read": "data"}, ""},
		{"GETFH behind it", []op{root, lookup("n"), read4(0, "data"), getFH("A")}, map[string]string{"n.read": "data"}, ""},
		{"OPEN", []op{putFH("D"), open4("n"), getFH("A"), read4(0, "data")}, map[string]string{"n.read": "data"}, ""},
		{"no handle", []op{root, lookup("n"), read4(0, "data")}, map[string]string{}, "1 READ or WRITE of a file whose handle"},
		{"OPEN without GETFH", []op{putFH("D"), open4("n"), write4(0, "data", 4)}, map[string]string{}, "1 READ or WRITE of a file whose handle"},
		{"the root", []op{putFH("A"), root, read4(0, "data")}, map[string]string{}, "1 READ or WRITE of a file whose handle"},
		{"LOOKUPP", []op{putFH("A"), {16, nil, ok}, read4(0, "data")}, map[string]string{}, "1 READ or WRITE of a file whose handle"},
		{"SAVEFH and RESTOREFH", []op{putFH("A"), save, putFH("B"), read4(0, "of B"), back, read4(0, "of A")}, map[string]string{"A.read": "of A", "B.read": "of B"}, ""},
		{"saved before its GETFH", []op{root, lookup("n"), save, putFH("B"), back, read4(0, "data"), getFH("A")}, map[string]string{"n.read": "data"}, ""},
		{"several", []op{putFH("A"), read4(0, "abc"), read4(3, "def"), write4(0, "XY", 2)}, map[string]string{"A.read": "abcdef", "A.write": "XY"}, ""},
		{"behind a failure", []op{putFH("A"), failed, {25, read4(0, "data").args, nil}}, map[string]string{}, ""},
		{"failed", []op{putFH("A"), {25, read4(0, "data").args, stale}}, map[string]string{}, ""},
		{"nothing read", []op{putFH("A"), read4(7, "")}, map[string]string{}, ""},
		{"another result", []op{putFH("A"), {25, read4(0, "data").args, nil}, {38, nil, ok.words(4, 2, 0, 0)}}, map[string]string{}, "that cannot be decoded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			conversation := build.NewConversation(build.Setup{})
			conversation.Connect()
			call, reply := compound(1, c.ops...)
			conversation.Reply(conversation.Call(call), reply)
			conversation.Disconnect()
			x := exportFrames(t, conversation.Frames)
			got := map[string]string{}
			for i := range x.objects {
				o := &x.objects[i]
				name := o.Name
				if name == "" {
					handle, _ := hex.DecodeString(o.Handle)
					name = string(handle)
				} else if o.Handle != hex.EncodeToString([]byte("A")) {
					t.Errorf("%q has the handle %s", name, o.Handle)
				}
				got[name+"."+o.Direction] = string(x.bytes(t, o))
			}
			if len(got) != len(c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			for name, data := range c.want {
				if got[name] != data {
					t.Errorf("%v, want %v", got, c.want)
				}
			}
			if says := strings.Contains(x.table, "left out"); says != (c.left != "") || !strings.Contains(x.table, c.left) {
				t.Errorf("%q is not said in\n%s", c.left, x.table)
			}
		})
	}
}

// TestReadPlus reads a file of data and holes, one piece of the data by a Write
// chunk, and then a part of it that has become a hole.
func TestReadPlus(t *testing.T) {
	const dataContent, holeContent = 0, 1
	args := append(xdr{}, state...).hyper(0).words(100_000)
	var result xdr
	data := text(3000)
	result = ok.words(1, 3, dataContent).hyper(0).opaque("front").words(holeContent).hyper(5).hyper(995)
	result = result.words(dataContent).hyper(1000).opaque(data)
	over(t, func(c verbs) {
		call, reply := compound(1, putFH("A"), op{68, args, result})
		c.Reply(c.Call(call, build.WriteChunk{}, build.WriteChunk{segment(3000)}), reply)
		call, reply = compound(2, putFH("A"), op{68, args, ok.words(0, 1, holeContent).hyper(2).hyper(1500)})
		c.Reply(c.Call(call), reply)
	}, func(t *testing.T, x *exported) {
		o := x.only(t)
		x.holds(t, o, "fr"+strings.Repeat("\x00", 1500)+data[502:])
		if o.Lost != 0 || o.Size != 4000 {
			t.Errorf("%+v", o)
		}
	})
}

// TestHugeHole holds that what a stranger says of a hole takes no time and no
// room: it is a hole in the object, or left out.
func TestHugeHole(t *testing.T) {
	args := append(xdr{}, state...).hyper(0).words(100)
	c := build.NewConversation(build.Setup{})
	c.Connect()
	for i, length := range []uint64{1 << 40, 1 << 60, ^uint64(0)} {
		call, reply := compound(uint32(i+1), putFH("A"), op{68, args, ok.words(1, 1, 1).hyper(10).hyper(length)})
		c.Reply(c.Call(call), reply)
	}
	c.Disconnect()
	frames := c.Frames
	x := exportFrames(t, frames)
	o := x.only(t)
	if o.Size != 1<<40+10 || o.SHA256 != "" || len(o.Missing) != 1 || o.Missing[0] != (gap{0, 10}) {
		t.Errorf("%+v, want a terabyte that is not summed", o)
	}
	if !strings.Contains(x.table, "left out: 2 READs and WRITEs beyond byte 17592185978880") {
		t.Errorf("the table says\n%s", x.table)
	}
}
