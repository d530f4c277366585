package types_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// TestBind has notes of what is bound to a server, at types and at fields.
func TestBind(t *testing.T) {
	s, err := types.Parse("t.x", `
		typedef opaque fh<64>; /* @bind handle */
		typedef unsigned hyper cookie; /* @bind cookie */
		typedef unsigned hyper fileid; /* @varies */
		enum stat { OK = 0, LATER = 7 /* @retry */, BAD = 9 /* @unsequenced @rank 3 */ };
		struct id { /* @bind stateid */ unsigned n; opaque other[12]; };
		struct A {
			fh plain;
			fh other; /* @bind none */
			cookie at;
			fileid file;
			id state;
			unsigned count; /* @bind sequence by state, at */
			fh *maybe;
		};`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.Type("A").Fields {
		line := f.Name
		if f.Bind != nil {
			line += fmt.Sprint(" ", f.Bind.Kind, " ", f.Bind.By)
		}
		if f.Varies {
			line += " varies"
		}
		got = append(got, line)
	}
	want := []string{"plain handle []", "other none []", "at cookie []", "file varies", "state stateid []", "count sequence [4 2]", "maybe handle []"}
	if !slices.Equal(got, want) {
		t.Errorf("fields are\n%q, want\n%q", got, want)
	}
	stat := s.Type("stat").Names
	if m := stat.Member(7); m == nil || !m.Retry || m.Unsequenced {
		t.Errorf("7 is %+v, want one to retry", m)
	}
	if m := stat.Member(9); m == nil || m.Retry || !m.Unsequenced || m.Rank != 3 {
		t.Errorf("9 is %+v, want one of rank 3 that leaves seqids", m)
	}
	for name, want := range map[string]string{"fh": ".", "id": ".", "A.at": "at"} {
		if m, err := s.Mark(name); err != nil || m.Path != want {
			t.Errorf("mark %s: %+v, %v; want path %s", name, m, err, want)
		}
	}
	if _, err := s.Mark("A"); err == nil {
		t.Error("a struct of no fixed size was marked")
	}
}
