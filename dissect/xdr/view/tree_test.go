package view_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// lines writes a tree down, a node a line.
func lines(n *field.Node, depth int) (out []string) {
	s := fmt.Sprintf("%s%s [%d,%d)", strings.Repeat("  ", depth), n.Name, n.Start, n.End)
	if n.Key != "" {
		s += " " + n.Key
	}
	if n.Value != "" {
		s += ": " + n.Value
	}
	if n.Fault != "" {
		s += " !" + n.Fault
	}
	out = append(out, s)
	for i := range n.Children {
		out = append(out, lines(&n.Children[i], depth+1)...)
	}
	return out
}

func TestNodes(t *testing.T) {
	p := sample(t)
	contents := hexBytes(data("name!"), 17, 1, uint64(60), 5, 1, data("\x00\x00\x00\x08\x00\x00\x00\x01\x00\x00\x00\x02ab\x00\x00"), data("short"))
	for _, tt := range []struct {
		name    string
		b       []byte
		at      int
		route   *walk.Route
		reduced walk.Reduction
		chunks  [][]byte
		want    []string
	}{
		{
			name: "reply with attributes and a Write chunk", route: sampleResult(p, 1), at: 4,
			b:       append([]byte("RPC!"), hexBytes(0, data("tag"), 2, 25, 0, 1, 9, 9, 0, 1, 1<<1|1<<4, data("\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x10\x00"))...),
			reduced: walk.Reduction{Writes: []uint32{9}}, chunks: [][]byte{[]byte("some data")},
			want: []string{
				`COMPOUNDres [4,68) sample.compoundres: READ S_OK, 9 bytes, eof; GETATTR S_OK, 4096 bytes`,
				`  status [4,8) sample.compoundres.status: S_OK (0)`,
				`  tag [8,16) sample.compoundres.tag: "tag"`,
				`  ops [16,68) sample.compoundres.ops: 2 elements`,
				`    [0] [20,36): READ S_OK, 9 bytes, eof`,
				`      op [20,24) sample.resop.op: OP_READ (25)`,
				`      read [24,36) sample.resop.read: S_OK`,
				`        status [24,28) sample.readres.status: S_OK (0)`,
				`        ok [28,36) sample.readres.ok`,
				`          eof [28,32) sample.readok.eof: TRUE`,
				`          data [32,36) sample.readok.data: 9 bytes in Write chunk 1: 736f6d652064617461`,
				`    [1] [36,68): GETATTR S_OK, 4096 bytes`,
				`      op [36,40) sample.resop.op: OP_GETATTR (9)`,
				`      getattr [40,68) sample.resop.getattr: S_OK`,
				`        status [40,44) sample.getattrres.status: S_OK (0)`,
				`        ok [44,68) sample.getattrres.ok`,
				`          attrs [44,68) sample.getattrok.attrs`,
				`            mask [44,52) sample.fattr.mask: FA_TYPE|FA_SIZE`,
				`            vals [52,68) sample.fattr.vals: 12 bytes`,
				`              type [56,60) sample.attrvalue.type: ODIR (2)`,
				`              size [60,68) sample.attrvalue.size: 4096`,
			},
		},
		{
			name: "contents, one of them wrong", b: contents, route: sampleArgs(p, 4),
			want: []string{
				`LINKargs [0,68) sample.linkargs: "name!" access READ|MODIFY at 1970-01-01T00:01:00.000000005Z`,
				`  name [0,12) sample.linkargs.name: "name!"`,
				`  access [12,16) sample.linkargs.access: A_READ|A_MODIFY (0x00000011)`,
				`  when [16,32) sample.linkargs.when: 1970-01-01T00:01:00.000000005Z`,
				`    seconds [20,28) sample.nfstime.seconds: 60`,
				`    nseconds [28,32) sample.nfstime.nseconds: 5`,
				`  body [32,68) sample.linkargs.body`,
				`    type [32,36) sample.layout.type: L_FILES (1)`,
				`    body [36,56) sample.layout.body: 16 bytes`,
				`      files [40,56) sample.layoutbody.files`,
				`        stripe [40,44) sample.fileslayout.stripe: 8`,
				`        handles [44,56) sample.fileslayout.handles: 1 element`,
				`          [0] [48,56) sample.fileslayout.handles: 0x9e83486d (CRC-32 of 2 bytes): 6162`,
				`    time [56,68) sample.layout.time: 5 bytes`,
				`      nfstime [60,65)`,
				`        seconds [60,65) sample.nfstime.seconds !XDR item cut short at byte 65`,
			},
		},
		{
			name: "list cut short", route: sampleResult(p, 2), at: 2,
			b: append([]byte("xx"), hexBytes(5, 1, uint64(7), data("a"), 0, 1, uint64(9))...),
			want: []string{
				`READDIRres [2,42) sample.readdirres`,
				`  status [2,6) sample.readdirres.status: SERR_IO (5)`,
				`  entries [6,42) sample.readdirres.entries`,
				`    [0] [6,30)`,
				`      id [10,18) sample.entry.id: 7`,
				`      name [18,26) sample.entry.name: "a"`,
				`      attrs [26,30) sample.entry.attrs: absent`,
				`    [1] [30,42)`,
				`      id [34,42) sample.entry.id: 9`,
				`      name [42,42) sample.entry.name !XDR item cut short at byte 42`,
			},
		},
		{
			name: "several arguments", b: hexBytes(-5, uint64(1)<<63), route: sampleArgs(p, 5),
			want: []string{`struct [0,12)`, `  arg1 [0,4) sample.sum.arg1: -5`, `  arg2 [4,12) sample.sum.arg2: 9223372036854775808`},
		},
		{
			name: "a handle alone", b: hexBytes(data("handle")), route: sampleArgs(p, 2),
			want: []string{`fh [0,12): 0x918020d9 (CRC-32 of 6 bytes): 68616e646c65`},
		},
		{
			name: "unknown operation", b: hexBytes(data(""), 1, 1, 99), route: sampleArgs(p, 1),
			want: []string{
				`COMPOUNDargs [0,16) sample.compoundargs: 99`,
				`  tag [0,4) sample.compoundargs.tag: ""`,
				`  minor [4,8) sample.compoundargs.minor: 1`,
				`  ops [8,16) sample.compoundargs.ops: 1 element`,
				`    [0] [12,16): 99`,
				`      op [12,16) sample.argop.op: 99 !union has no arm for the discriminant at byte 12`,
			},
		},
		{name: "nothing", route: sampleArgs(p, 0), want: []string{`void [0,0)`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := view.Nodes(tt.route, tt.b, tt.at, tt.reduced, tt.chunks)
			if got := lines(&n, 0); !slices.Equal(got, tt.want) {
				t.Errorf("tree is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}
