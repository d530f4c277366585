package nfs_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// grammar4 is what each operation looks like on the wire, from a source of its
// own and in a language of its own, so that it can stand against the texts:
// number and name, arguments, result if it is NFS4_OK, and results of other
// statuses, each after its number.
//
//	w q     a word, a hyper          b       a Boolean
//	o       opaque<> of any length   m       bitmap4
//	f       fattr4                   t 8 12  so many fixed bytes, in decimal
//	S       stateid4                 X       opaque<>: an eligible item
//	{1:..;2,3:..;*:..}  a word, and what it selects; * stands for 99
//	[..] [..]1          an array, one of at most 1
//	(..)                a list: each element after TRUE, FALSE at its end
//	?..,                what comes up to the comma or the end, if a Boolean says so
const grammar4 = `
3 ACCESS              | w              | w w
4 CLOSE               | w S            | S
5 COMMIT              | q w            | 8
6 CREATE              | {3:w w;4:w w;5:X;1:;2:;6:;7:;*:} o f | b q q m
7 DELEGPURGE          | q              |
8 DELEGRETURN         | S              |
9 GETATTR             | m              | f
10 GETFH              |                | o
11 LINK               | o              | b q q
12 LOCK               | w b q q {1:w S w q o;0:S w} | S | 10010: q q w q o
13 LOCKT              | w q q q o      |   | 10010: q q w q o
14 LOCKU              | w w S q q      | S
15 LOOKUP             | o              |
16 LOOKUPP            |                |
17 NVERIFY            | f              |
18 OPEN               | w w w q o {1:{0,1:f;2:8;3:8 f};0:} {0:o;1:w;2:S o;3:o;4:;5:S;6:} | S b q q w m {0:;1,4:S b w w w o;2,5:S b {1:q;2:w w} w w w o;3:{1:b;2:b;*:}}
19 OPENATTR           | b              |
20 OPEN_CONFIRM       | S w            | S
21 OPEN_DOWNGRADE     | S w w w        | S
22 PUTFH              | o              |
23 PUTPUBFH           |                |
24 PUTROOTFH          |                |
25 READ               | S q w          | b X
26 READDIR            | q 8 w w m      | 8 (q o f) b
27 READLINK           |                | X
28 REMOVE             | o              | b q q
29 RENAME             | o o            | b q q b q q
30 RENEW              | q              |
31 RESTOREFH          |                |
32 SAVEFH             |                |
33 SECINFO            | o              | [{6:o w w;0:;1:;*:}]
34 SETATTR            | S f            | m | 13: m | 70: m
35 SETCLIENTID        | 8 o w o o w    | q 8 | 10017: o o
36 SETCLIENTID_CONFIRM| q 8            |
37 VERIFY             | f              |
38 WRITE              | S q w X        | w w 8
39 RELEASE_LOCKOWNER  | q o            |
40 BACKCHANNEL_CTL    | w [{0:;1:w o w w [w];6:w o o}] |
41 BIND_CONN_TO_SESSION | 16 w b       | 16 w b
42 EXCHANGE_ID        | 8 o w {0:;1:m m;2:m m [o] [o] w w} [o o 12]1 | q w w {0:;1:m m;2:m m w w w w [o]} q o o [o o 12]1
43 CREATE_SESSION     | q w w w w w w w w [w]1 w w w w w w [w]1 w [{0:;1:w o w w [w];6:w o o}] | 16 w w w w w w w w [w]1 w w w w w w [w]1
44 DESTROY_SESSION    | 16             |
45 FREE_STATEID       | S              |
46 GET_DIR_DELEGATION | b m 12 12 m m  | {0:8 S m m m;1:b}
47 GETDEVICEINFO      | 16 w w m       | w o m | 10005: w
48 GETDEVICELIST      | w w q 8        | q 8 [16] b
49 LAYOUTCOMMIT       | q q b S ?q, ?12, w o | ?q
50 LAYOUTGET          | b w w q q q S w | b S [q q w w o] | 10058: b
51 LAYOUTRETURN       | b w w {1:q q S o;2:;3:;*:} | ?S
52 SECINFO_NO_NAME    | w              | [{6:o w w;0:;1:;*:}]
53 SEQUENCE           | 16 w w w b     | 16 w w w w w
54 SET_SSV            | o o            | o
55 TEST_STATEID       | [S]            | [w]
56 WANT_DELEGATION    | w {4:;6:;1:w}  | {0:;1,4:S b w w w o;2,5:S b {1:q;2:w w} w w w o;3:{1:b;2:b;*:}}
57 DESTROY_CLIENTID   | q              |
58 RECLAIM_COMPLETE   | b              |
59 ALLOCATE           | S q q          |
60 COPY               | S S q q q b b [{1:o;2:o;3:o o}] | [S]1 q w 8 b b | 10094: b b
61 COPY_NOTIFY        | S {1:o;2:o;3:o o} | 12 S [{1:o;2:o;3:o o}]
62 DEALLOCATE         | S q q          |
63 IO_ADVISE          | S q q m        | m
64 LAYOUTERROR        | q q S [16 w w] |
65 LAYOUTSTATS        | q q S q q q q 16 w o |
66 OFFLOAD_CANCEL     | S              |
67 OFFLOAD_STATUS     | S              | q [w]1
68 READ_PLUS          | S q w          | b [{0:q X;1:q q;*:}]
69 SEEK               | S q w          | b q
70 WRITE_SAME         | S w q q q q w q o | [S]1 q w 8
71 CLONE              | S S q q q      |
72 GETXATTR           | o              | o
73 SETXATTR           | w o o          | b q q
74 LISTXATTRS         | q w            | q [o] b
75 REMOVEXATTR        | o              | b q q
10044 ILLEGAL         |                | nothing
`

// grammarCB is the same for callbacks.
const grammarCB = `
3 CB_GETATTR          | o m            | f
4 CB_RECALL           | S b o          |
5 CB_LAYOUTRECALL     | w w b {1:o q q S;2:q q;3:} |
6 CB_NOTIFY           | S o [m o]      |
7 CB_PUSH_DELEG       | o {0:;1,4:S b w w w o;2,5:S b {1:q;2:w w} w w w o;3:{1:b;2:b;*:}} |
8 CB_RECALL_ANY       | w m            |
9 CB_RECALLABLE_OBJ_AVAIL | w m        |
10 CB_RECALL_SLOT     | w              |
11 CB_SEQUENCE        | 16 w w w b [16 [w w]] | 16 w w w w
12 CB_WANTS_CANCELLED | b b            |
13 CB_NOTIFY_LOCK     | o q o          |
14 CB_NOTIFY_DEVICEID | [m o]          |
15 CB_OFFLOAD         | o S {0:[S]1 q w 8;*:q} |
10044 CB_ILLEGAL      |                | nothing
`

// An operation is a line of a grammar.
type operation struct {
	number  uint32
	name    string
	args    string
	results map[uint32]string // by status
}

func grammarOf(t testing.TB, grammar string) (list []operation) {
	t.Helper()
	for line := range strings.Lines(strings.TrimSpace(grammar)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		number, name, _ := strings.Cut(strings.TrimSpace(parts[0]), " ")
		op := operation{name: name, args: parts[1], results: map[uint32]string{}}
		op.number = atoi(t, number)
		if strings.TrimSpace(parts[2]) != "nothing" {
			op.results[0] = parts[2]
		}
		op.results[5] = "" // NFS4ERR_IO
		if name == "SETATTR" {
			op.results[5] = "m" // the bitmap is there whatever the status
		}
		for _, other := range parts[3:] {
			status, body, _ := strings.Cut(strings.TrimSpace(other), ":")
			op.results[atoi(t, status)] = body
		}
		list = append(list, op)
	}
	return list
}

func atoi(t testing.TB, s string) uint32 {
	t.Helper()
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}

// TestGrammar makes up arguments and results of every operation by the grammar,
// and holds the texts against them: they have those operations and no others,
// each ends where it should, a status is reported where it stands, the eligible
// items are those of the grammar, and an operation that is cut anywhere is a
// fault.
func TestGrammar(t *testing.T) {
	plan := plan(t)
	for _, program := range []struct {
		grammar    string
		prog, vers uint32
		args       []any // before the operations
		enum       string
	}{
		{grammar4, rpc.ProgramNFS, 4, []any{"tag", 2}, "nfs_opnum4"},
		{grammarCB, rpc.ProgramNFSCallback, 1, []any{"tag", 1, 7}, "nfs_cb_opnum4"},
		{grammarCB, rpc.ProgramNFSCallback, 4, []any{"tag", 1, 7}, "nfs_cb_opnum4"},
	} {
		compound := plan.Spec.Procedure(program.prog, program.vers, 1)
		operations := grammarOf(t, program.grammar)
		names := plan.Spec.Type(program.enum).Names
		if len(names.Members) != len(operations) {
			t.Errorf("%s has %d operations, want %d", program.enum, len(names.Members), len(operations))
		}
		for _, op := range operations {
			if got := names.Name(uint64(op.number)); got != "OP_"+op.name {
				t.Errorf("operation %d is %s, want OP_%s", op.number, got, op.name)
			}
			for seed := range uint64(60) {
				random := rand.New(rand.NewPCG(seed, uint64(op.number)))
				w := writer{t: t, rand: random, text: op.args}
				w.put(program.args...)
				w.put(1, op.number)
				w.write("")
				w.check(plan.Args(compound), op, -1)
				for status, body := range op.results {
					w := writer{t: t, rand: random, text: body}
					w.put(status, "tag", 1, op.number, status)
					w.write("")
					w.check(plan.Result(compound), op, int(status))
				}
			}
		}
	}
}

// check walks over what was written, whole and cut.
func (w *writer) check(r *walk.Route, op operation, status int) {
	t := w.t
	t.Helper()
	what := fmt.Sprintf("%s of %s, status %d", r.Type, op.name, status)
	var walker walk.Walker
	walker.Walk(r, w.out, walk.Reduction{})
	if walker.Fault.Bad() || walker.Consumed != len(w.out) {
		t.Errorf("%s: %d of %d bytes, fault: %v\n%x", what, walker.Consumed, len(w.out), walker.Fault, w.out)
		return
	}
	var items []item
	operations, statuses := 0, 0
	for _, e := range walker.Events {
		switch e.Kind {
		case walk.Item:
			items = append(items, item{int(e.Offset), int(e.Length)})
		case walk.Operation:
			operations++
		case walk.Status:
			statuses++
			if int(e.Value) != status || e.OK != (status == 0) {
				t.Errorf("%s: reported is %d, success %v", what, e.Value, e.OK)
			}
		}
	}
	if fmt.Sprint(items) != fmt.Sprint(w.items) {
		t.Errorf("%s: eligible are %v, want %v", what, items, w.items)
	}
	// The status of the COMPOUND and that of its operation.
	if wanted := map[bool]int{false: 2}[status < 0]; statuses != wanted || operations != 1 {
		t.Errorf("%s: %d statuses, want %d; %d operations", what, statuses, wanted, operations)
	}
	for n := range w.out {
		walker.Walk(r, w.out[:n:n], walk.Reduction{})
		if !walker.Fault.Bad() || !walker.Cut || walker.Consumed > n {
			t.Fatalf("%s: cut to %d of %d bytes: %d consumed, cut %v, fault: %v", what, n, len(w.out), walker.Consumed, walker.Cut, walker.Fault)
		}
	}
}
