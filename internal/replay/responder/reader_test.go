package responder

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
)

func spec(t *testing.T) *types.Spec {
	t.Helper()
	s, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestChosen holds that the fields named here are there.
func TestChosen(t *testing.T) {
	s := spec(t)
	for _, key := range append([]string{reverseProgram}, chosen...) {
		if f := s.Field(key); f == nil || !f.Type.IsLeaf() {
			t.Errorf("%s is no field of one value", key)
		}
	}
}

// TestKeys holds what makes two calls the same, and what makes them near each other.
func TestKeys(t *testing.T) {
	r, err := newReader([]*types.Spec{spec(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, a, b string
		same, near bool
	}{
		{"another handle", `NFS3 GETATTR object="a"`, `NFS3 GETATTR object="b"`, false, false},
		{"another procedure", `NFS3 GETATTR object="a"`, `NFS3 FSINFO fsroot="a"`, false, false},
		{"another amount", `NFS3 READ file="a" offset=0 count=100`, `NFS3 READ file="a" offset=0 count=200`, false, true},
		{"another offset", `NFS3 READ file="a" offset=0 count=100`, `NFS3 READ file="a" offset=100 count=100`, false, false},
		{"other data", `NFS3 WRITE file="a" offset=0 count=3 data="abc"`, `NFS3 WRITE file="a" offset=0 count=3 data="xyz"`, true, true},
		{"slot and number", `NFS4 COMPOUND [SEQUENCE{sa_slotid=0 sa_sequenceid=1} PUTFH{object="a"} GETATTR]`,
			`NFS4 COMPOUND [SEQUENCE{sa_slotid=3 sa_sequenceid=9 sa_highest_slotid=3 sa_cachethis=TRUE} PUTFH{object="a"} GETATTR]`, true, true},
		{"the stateid's number", `NFS4 COMPOUND [PUTFH{object="a"} CLOSE{open_stateid={seqid=1 other="abcdefghijkl"}}]`,
			`NFS4 COMPOUND [PUTFH{object="a"} CLOSE{open_stateid={seqid=2 other="abcdefghijkl"}}]`, true, true},
		{"another stateid", `NFS4 COMPOUND [PUTFH{object="a"} CLOSE{open_stateid={seqid=1 other="abcdefghijkl"}}]`,
			`NFS4 COMPOUND [PUTFH{object="a"} CLOSE{open_stateid={seqid=1 other="abcdefghijkm"}}]`, false, false},
		{"another operation", `NFS4 COMPOUND [PUTROOTFH GETFH]`, `NFS4 COMPOUND [PUTROOTFH READLINK]`, false, false},
		{"another client", `NFS4 COMPOUND [EXCHANGE_ID{eia_clientowner={co_verifier="12345678" co_ownerid="one"}}]`,
			`NFS4 COMPOUND [EXCHANGE_ID{eia_clientowner={co_verifier="87654321" co_ownerid="other"}}]`, true, true},
	} {
		a, b := r.call(hexBytes(t, c.a), nil, nil), r.call(hexBytes(t, c.b), nil, nil)
		if (a.same == b.same) != c.same || (a.near == b.near) != c.near {
			t.Errorf("%s: same %v, near %v", c.name, a.same == b.same, a.near == b.near)
		}
		if a.header.Fault.Bad() || a.name == "" {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
}

// hexBytes are those of a call in the language of scenes.
func hexBytes(t *testing.T, call string) []byte {
	t.Helper()
	frames := ruletest.Frames(t, "connect\ncall 1 "+call, scene.RoCE)
	c, err := replaytest.Conversation(t, frames, script.Options{})
	replaytest.Must(t, err)
	if len(c.Calls) != 1 {
		t.Fatalf("%s: %d calls", call, len(c.Calls))
	}
	b, _ := c.Calls[0].Message()
	return b
}
