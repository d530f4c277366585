package nfs_test

import (
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// TestSpec parses the texts once for all callers.
func TestSpec(t *testing.T) {
	first, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	if second, err := nfs.Spec(); second != first || err != nil {
		t.Errorf("the second call returned %p and %v, want %p", second, err, first)
	}
	sources, err := nfs.Sources()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sources {
		want := strings.TrimSuffix(s.File, ".x")
		if strings.HasPrefix(want, "nfs4") {
			want = "nfs4"
		}
		if s.Key != want {
			t.Errorf("the key of %s is %q, want %q", s.File, s.Key, want)
		}
	}
}

// TestProcedures holds the programs that rpcinfo and package rpc know against
// those of the texts, for NFS version 4 and its callback.
func TestProcedures(t *testing.T) {
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		prog, vers uint32
		prefix     string
	}{{rpc.ProgramNFS, 4, "NFSPROC4_"}, {rpc.ProgramNFSCallback, 1, ""}, {rpc.ProgramNFSCallback, 4, ""}} {
		for proc := range uint32(10) {
			got := ""
			if p := spec.Procedure(v.prog, v.vers, proc); p != nil {
				got = strings.TrimPrefix(p.Name, v.prefix)
			}
			if want := rpc.ProcedureName(v.prog, v.vers, proc); got != want {
				t.Errorf("program %d version %d procedure %d is %q, package rpc has %q", v.prog, v.vers, proc, got, want)
			}
		}
	}
	for _, p := range spec.Programs {
		if rpc.ProgramName(p.Number) == "" {
			t.Errorf("package rpc has no name for %s, %d", p.Name, p.Number)
		}
	}
}

// TestEligible holds what the texts of NFS version 4 mark as eligible against
// RFC 8267, section 6.1, and for READ_PLUS draft-dnoveck-nfsv4-nfsulb-01,
// section 5.1.1.
func TestEligible(t *testing.T) {
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"nfs4.write4args.data":      "RFC 8267, section 6.1",
		"nfs4.createtype4.linkdata": "RFC 8267, section 6.1",
		"nfs4.read4resok.data":      "RFC 8267, section 6.1",
		"nfs4.readlink4resok.link":  "RFC 8267, section 6.1",
		"nfs4.data4.d_data":         "draft-dnoveck-nfsv4-nfsulb-01, section 5.1.1",
	}
	for f := range spec.Fields() {
		if !strings.HasPrefix(f.Key, "nfs4.") {
			continue
		}
		ref, ok := want[f.Key]
		if f.Eligible != ok || f.EligibleRef != ref {
			t.Errorf("%s: eligible %v by %q, want %v by %q", f.Key, f.Eligible, f.EligibleRef, ok, ref)
		}
		delete(want, f.Key)
	}
	if len(want) > 0 {
		t.Errorf("no fields %v", want)
	}
}

// enums4 are enums of the texts that tshark has too, under a field's name. The
// prefix is what our names have before tshark's.
var enums4 = []struct{ enum, field, prefix string }{
	{"nfsstat4", "nfs.nfsstat4", ""},
	{"nfs_opnum4", "nfs.opcode", "OP_"},
	{"nfs_cb_opnum4", "nfs.cb.operation", "OP_"},
	{"nfs_attr4", "nfs.attr", "FATTR4_"},
	{"nfs_ftype4", "nfs.nfs_ftype4", ""},
	{"nfs_lock_type4", "nfs.locktype4", ""},
	{"createmode4", "nfs.createmode4", ""},
	{"open_claim_type4", "nfs.open.claim_type", ""},
	{"open_delegation_type4", "nfs.open.delegation_type", ""},
	{"open_share_access4", "nfs.open4.share_access", ""},
	{"why_no_delegation4", "nfs.open.why_no_delegation", ""},
	{"limit_by4", "nfs.open.limit_by", ""},
	{"stable_how4", "nfs.stable_how4", ""},
	{"layouttype4", "nfs.layouttype", ""},
	{"layoutiomode4", "nfs.iomode", "LAYOUTIOMODE4_"},
	{"layoutreturn_type4", "nfs.returntype", "LAYOUTRETURN4_"},
	{"layoutrecall_type4", "nfs.recalltype", "LAYOUTRECALL4_"},
	{"secinfo_style4", "nfs.secinfo.style", ""},
	{"state_protect_how4", "nfs.exchange_id.state_protect", ""},
	{"channel_dir_from_client4", "nfs.bctsa_dir", ""},
	{"channel_dir_from_server4", "nfs.bctsr_dir", ""},
	{"netloc_type4", "nfs.netloctype", ""},
	{"data_content4", "nfs.data_content", "NFS4_CONTENT_"},
	{"setxattr_option4", "nfs.setxattr.options", "SETXATTR4_"},
	{"IO_ADVISE_type4", "nfs.hint.hint", "IO_ADVISE4_"},
	{"change_attr_type4", "nfs.fattr4.change_attr_type", "NFS4_"},
	{"acetype4", "nfs.acetype4", "ACE4_"},
	{"threshold4", "nfs.fattr4.threshold_item.hint", "TH4_"},
	{"notify_deviceid_type4", "nfs.notify_type", "NOTIFY_DEVICEID4_"},
}

// others are values that have another name with us than with tshark, and why.
var others = map[string]string{
	"NFS4ERR_RESTOREFH 10030":        "RFC 7530, section 13.1; tshark has READDIR_NOSPC",
	"NFS4ERR_BACK_CHAN_BUSY 10057":   "tshark has the name that 10084 has in RFC 8881",
	"FATTR4_FS_LAYOUT_TYPES 62":      "tshark has the singular",
	"FATTR4_LAYOUT_TYPES 64":         "tshark has the singular",
	"FATTR4_CLONE_BLKSIZE 77":        "RFC 7862, section 12.2.1",
	"FATTR4_SEC_LABEL 80":            "RFC 7862, section 12.2.4",
	"OP_GETDEVICEINFO 47":            "tshark shortens it",
	"OP_GETDEVICELIST 48":            "tshark shortens it",
	"OP_WANT_DELEGATION 56":          "tshark shortens it",
	"CLAIM_DELEG_PREV_FH 6":          "tshark misspells it",
	"ACE4_ACCESS_ALLOWED_ACE_TYPE 0": "tshark leaves out what it is",
	"ACE4_ACCESS_DENIED_ACE_TYPE 1":  "tshark leaves out what it is",
	"ACE4_SYSTEM_AUDIT_ACE_TYPE 2":   "tshark leaves out what it is",
	"ACE4_SYSTEM_ALARM_ACE_TYPE 3":   "tshark leaves out what it is",
}

// TestNamesAgainstTshark holds enums against what tshark, where it is installed,
// calls the same values.
func TestNamesAgainstTshark(t *testing.T) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	out, err := exec.Command(program, "-G", "values").Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	theirs := make(map[string]map[int32][]string)
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) < 4 || !strings.HasPrefix(parts[1], "nfs.") {
			continue
		}
		n, err := strconv.ParseInt(parts[2], 0, 64)
		if err != nil {
			continue
		}
		if theirs[parts[1]] == nil {
			theirs[parts[1]] = make(map[int32][]string)
		}
		theirs[parts[1]][int32(n)] = append(theirs[parts[1]][int32(n)], parts[3])
	}
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, e := range enums4 {
		list := theirs[e.field]
		if len(list) == 0 {
			t.Errorf("this tshark has no values of %s", e.field)
			continue
		}
		for _, m := range spec.Type(e.enum).Names.Members {
			name := strings.TrimPrefix(m.Name, e.prefix)
			if _, known := others[m.Name+" "+strconv.Itoa(int(m.Value))]; known || list[m.Value] == nil {
				continue
			}
			compared++
			if !slices.ContainsFunc(list[m.Value], func(x string) bool {
				return plainly(x) == plainly(name) || strings.HasSuffix(plainly(x), plainly(name))
			}) {
				t.Errorf("%s %d is %s, tshark has %q", e.enum, m.Value, m.Name, list[m.Value])
			}
		}
	}
	t.Logf("%d names compared", compared)
	if compared < 350 {
		t.Errorf("only %d names were compared", compared)
	}
}

// plainly is a name as it is compared: letters and digits.
func plainly(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == ' ' || c == '\'' {
			return -1
		}
		return c
	}, strings.ToUpper(s))
}

// TestNotesOfVersion4 looks for what should have a note: every status is told
// with the name of its success, every filehandle is shown as one.
func TestNotesOfVersion4(t *testing.T) {
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	status := spec.Type("nfsstat4")
	if i := status.Names.OK; i < 0 || status.Names.Members[i].Name != "NFS4_OK" {
		t.Errorf("success of nfsstat4 is member %d", i)
	}
	for f := range spec.Fields() {
		if !strings.HasPrefix(f.Key, "nfs4.") {
			continue
		}
		if f.Type.Name == "nfs_fh4" && f.As.Format != types.Handle {
			t.Errorf("%s is a filehandle and not shown as one", f.Key)
		}
		if f.Type.Name == "bitmap4" && f.As.Format != types.Bits {
			t.Errorf("%s is a bitmap without names", f.Key)
		}
	}
	// An operation has arguments and a result of its own name, or none.
	for _, union := range []string{"nfs_argop4", "nfs_resop4", "nfs_cb_argop4", "nfs_cb_resop4"} {
		u := spec.Type(union)
		names := u.Fields[0].Type.Names
		if len(u.Arms) != len(names.Members) {
			t.Errorf("%s has %d arms for %d operations", union, len(u.Arms), len(names.Members))
		}
		for _, arm := range u.Arms {
			suffix := map[bool]string{true: "4args", false: "4res"}[strings.HasSuffix(union, "argop4")]
			want := strings.TrimPrefix(names.Name(uint64(arm.Value)), "OP_") + suffix
			if f := u.Fields[arm.Field]; f.Type.Name != want && f.Type.Kind != types.Void {
				t.Errorf("%s: operation %d has %s, want %s", union, arm.Value, f.Type.Name, want)
			}
		}
	}
	// An attribute's value stands at the attribute's number.
	u := spec.Type("attr4")
	names := u.Fields[0].Type.Names
	for n := range uint64(87) {
		if names.Name(n) == "" {
			t.Errorf("attribute %d has no name", n)
		}
	}
	for _, arm := range u.Arms {
		want := strings.ToLower(strings.TrimPrefix(names.Name(uint64(arm.Value)), "FATTR4_"))
		if got := u.Fields[arm.Field].Name; got != want {
			t.Errorf("attribute %d is %s, want %s", arm.Value, got, want)
		}
	}
	if len(u.Arms) != 87 {
		t.Errorf("%d attributes have values, want 87", len(u.Arms))
	}
}

// TestRanks holds after which of its operations a COMPOUND is called: what names the
// file or brings attributes along says less than what is done with it.
func TestRanks(t *testing.T) {
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		enum  string
		ranks [][]string // from the lowest rank on
	}{
		{"nfs_opnum4", [][]string{
			{"SEQUENCE"}, {"PUTFH", "PUTROOTFH", "PUTPUBFH", "SAVEFH", "RESTOREFH"}, {"GETFH", "GETATTR"},
			{"ACCESS", "LOOKUP", "LOOKUPP", "VERIFY", "NVERIFY"}, {"READ", "WRITE", "OPEN", "ILLEGAL"},
		}},
		{"nfs_cb_opnum4", [][]string{{"CB_SEQUENCE"}, {"CB_GETATTR", "CB_RECALL"}}},
	} {
		names, last := spec.Type(tt.enum).Names, -1
		for _, same := range tt.ranks {
			value, _ := names.Value(same[0])
			rank := names.Rank(value)
			if int(rank) <= last {
				t.Errorf("%s has the rank %d, not above %d", same[0], rank, last)
			}
			last = int(rank)
			for _, name := range same {
				value, ok := names.Value(name)
				if got := names.Rank(value); !ok || got != rank {
					t.Errorf("%s has the rank %d, want %d, that of %s", name, got, rank, same[0])
				}
			}
		}
	}
}
