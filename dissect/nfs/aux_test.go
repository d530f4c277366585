package nfs_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// auxTexts are the texts that these tests are about: all but those of NFS
// version 4.
var auxTexts = []string{"nfs2.x", "nfs3.x", "mount.x", "nlm.x", "nsm.x", "nfsacl.x", "rpcbind.x"}

// parseTexts parses some of the texts of this folder.
func parseTexts(t testing.TB, names ...string) *types.Spec {
	t.Helper()
	var sources []syntax.Source
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, syntax.Source{File: name, Text: string(text)})
	}
	spec, err := types.ParseAll(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// every is a plan that reports every field.
func every(t testing.TB, spec *types.Spec) *walk.Plan {
	t.Helper()
	var keys []string
	for f := range spec.Fields() {
		if f.Type.Kind != types.Struct && f.Type.Kind != types.Union && f.Type.Kind != types.Void {
			keys = append(keys, f.Key)
		}
	}
	plan, err := walk.NewPlan(spec, keys...)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestAuxProcedures holds the procedures of the texts against those that
// package rpc names: the same numbers have the same names, and neither has more
// than the other.
func TestAuxProcedures(t *testing.T) {
	spec := parseTexts(t, auxTexts...)
	for _, v := range []struct {
		prog, vers uint32
		prefix     string
	}{
		{rpc.ProgramNFS, 2, "NFSPROC_"}, {rpc.ProgramNFS, 3, "NFSPROC3_"},
		{rpc.ProgramMount, 1, "MNTPROC_"}, {rpc.ProgramMount, 2, "MNTPROC_"}, {rpc.ProgramMount, 3, "MOUNTPROC3_"},
		{rpc.ProgramNLM, 1, "NLM_"}, {rpc.ProgramNLM, 2, "NLM_"}, {rpc.ProgramNLM, 3, "NLM_"}, {rpc.ProgramNLM, 4, "NLMPROC4_"},
		{rpc.ProgramNSM, 1, "SM_"},
		{rpc.ProgramNFSACL, 2, "ACLPROC2_"}, {rpc.ProgramNFSACL, 3, "ACLPROC3_"},
		{rpc.ProgramRPCBind, 2, "PMAPPROC_"}, {rpc.ProgramRPCBind, 3, "RPCBPROC_"}, {rpc.ProgramRPCBind, 4, "RPCBPROC_"},
	} {
		for proc := range uint32(40) {
			got, want := "", rpc.ProcedureName(v.prog, v.vers, proc)
			if p := spec.Procedure(v.prog, v.vers, proc); p != nil {
				var ok bool
				if got, ok = strings.CutPrefix(p.Name, v.prefix); !ok {
					t.Errorf("%s does not begin with %s", p.Name, v.prefix)
				}
			}
			if got != want {
				t.Errorf("program %d version %d procedure %d is %q, package rpc has %q", v.prog, v.vers, proc, got, want)
			}
		}
	}
	versions := 0
	for _, p := range spec.Programs {
		versions += len(p.Versions)
	}
	if versions != 15 {
		t.Errorf("the texts have %d versions, 15 are looked at", versions)
	}
}

// TestAuxEligible holds what the texts mark as eligible against RFC 8267,
// section 4: of NFS the data of READ and WRITE and the paths of READLINK and
// SYMLINK, of the other programs nothing (section 5).
func TestAuxEligible(t *testing.T) {
	var got []string
	for f := range parseTexts(t, auxTexts...).Fields() {
		if f.Eligible {
			got = append(got, f.Key)
			if f.EligibleRef != "RFC 8267, section 4" {
				t.Errorf("%s refers to %q", f.Key, f.EligibleRef)
			}
		}
	}
	want := []string{
		"nfs2.readlinkres.data", "nfs2.readres.readok.data", "nfs2.symlinkargs.to", "nfs2.writeargs.data",
		"nfs3.read3resok.data", "nfs3.readlink3resok.data", "nfs3.symlinkdata3.symlink_data", "nfs3.write3args.data",
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("eligible are %q, want %q", got, want)
	}
}

// TestAuxAlone parses each text with no more than what its first comment says it
// needs.
func TestAuxAlone(t *testing.T) {
	needs := map[string][]string{"mount.x": {"nfs2.x"}, "nfsacl.x": {"nfs2.x", "nfs3.x"}}
	for _, name := range auxTexts {
		parseTexts(t, append(needs[name], name)...)
	}
}

// TestAuxNames looks for what a glob of the folder finds and this test does not
// know.
func TestAuxNames(t *testing.T) {
	texts, err := filepath.Glob("*.x")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range texts {
		if !slices.Contains(auxTexts, name) && !strings.HasPrefix(name, "nfs4") {
			t.Errorf("%s is tested by nobody", name)
		}
	}
}

// fixed is opaque data without a length word.
type fixed string

// encode writes values as XDR: int and uint32 as words, uint64 as hypers, bool,
// string and []byte with their length word, fixed without, other slices as they
// are.
func encode(values ...any) (b []byte) {
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(v))
		case uint32:
			b = binary.BigEndian.AppendUint32(b, v)
		case uint64:
			b = binary.BigEndian.AppendUint64(b, v)
		case bool:
			n := uint32(0)
			if v {
				n = 1
			}
			b = binary.BigEndian.AppendUint32(b, n)
		case string:
			b = append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
		case fixed:
			b = append(b, v...)
		case []any:
			b = append(b, encode(v...)...)
		default:
			panic("no XDR for a value of this type")
		}
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
	}
	return b
}
