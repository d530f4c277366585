package nfs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/field"
)

// leaves are the fields of a tree that have no parts, as "name value", and those
// that have: of the latter only those with a value.
func leaves(root *field.Node) (list []string) {
	each(root, func(n *field.Node) {
		if n.Fault != "" {
			list = append(list, n.Name+" FAULT "+n.Fault)
		}
		if n.Value != "" {
			list = append(list, n.Name+" "+n.Value)
		}
	})
	return list
}

// tree4 is the tree of a COMPOUND's, or callback's, arguments or result.
func tree4(t *testing.T, plan *walk.Plan, prog uint32, result bool, data []byte) []string {
	t.Helper()
	proc := plan.Spec.Procedure(prog, 4, 1)
	route := plan.Args(proc)
	if result {
		route = plan.Result(proc)
	}
	root := view.Nodes(route, data, 0, walk.Reduction{}, nil)
	if root.End != len(data) {
		t.Errorf("the tree ends at %d of %d bytes", root.End, len(data))
	}
	return leaves(&root)
}

const (
	device  = fixed("device id of 16.")
	stateid = fixed("\x00\x00\x00\x02of twelve...")
	// stateid's summary has the CRC-32 of the bytes after the seqid.
	when      = uint64(1700000000) // 2023-11-14T22:13:20Z
	whenShown = "2023-11-14T22:13:20.000000005Z"
)

// attributes4 has a value for each attribute of RFC 8881, section 5, RFC 7862,
// section 12, RFC 8275, RFC 8276 and RFC 9754, and what is shown of it.
var attributes4 = []struct {
	number int
	value  []any
	shown  []string
}{
	{0, []any{2, 0x3, 0x80000000}, []string{"supported_attrs FATTR4_SUPPORTED_ATTRS|FATTR4_TYPE|FATTR4_LAYOUT_HINT"}},
	{1, []any{2}, []string{"type NF4DIR (2)"}},
	{2, []any{6}, []string{"fh_expire_type FH4_VOLATILE_ANY|FH4_VOL_MIGRATION (0x00000006)"}},
	{3, []any{uint64(77)}, []string{"change 77"}},
	{4, []any{uint64(1) << 40}, []string{"size 1099511627776"}},
	{5, []any{true}, []string{"link_support TRUE"}},
	{6, []any{false}, []string{"symlink_support FALSE"}},
	{7, []any{true}, []string{"named_attr TRUE"}},
	{8, []any{uint64(8), uint64(9)}, []string{"major 0x0000000000000008", "minor 0x0000000000000009"}},
	{9, []any{true}, []string{"unique_handles TRUE"}},
	{10, []any{90}, []string{"lease_time 90 s"}},
	{11, []any{13}, []string{"rdattr_error NFS4ERR_ACCESS (13)"}},
	{12, []any{1, 1, 0x43, 0x20001, "OWNER@"}, []string{
		"acl 1 element", "type ACE4_ACCESS_DENIED_ACE_TYPE (1)",
		"flag ACE4_FILE_INHERIT_ACE|ACE4_DIRECTORY_INHERIT_ACE|ACE4_IDENTIFIER_GROUP (0x00000043)",
		"access_mask ACE4_READ_DATA|ACE4_READ_ACL (0x00020001)", `who "OWNER@"`,
	}},
	{13, []any{5}, []string{"aclsupport ACL4_SUPPORT_ALLOW_ACL|ACL4_SUPPORT_AUDIT_ACL (0x00000005)"}},
	{14, []any{true}, []string{"archive TRUE"}},
	{15, []any{true}, []string{"cansettime TRUE"}},
	{16, []any{false}, []string{"case_insensitive FALSE"}},
	{17, []any{true}, []string{"case_preserving TRUE"}},
	{18, []any{true}, []string{"chown_restricted TRUE"}},
	{19, []any{"a handle"}, []string{"filehandle 0x969cc7aa (CRC-32 of 8 bytes): 612068616e646c65"}},
	{20, []any{uint64(20)}, []string{"fileid 20"}},
	{21, []any{uint64(21)}, []string{"files_avail 21"}},
	{22, []any{uint64(22)}, []string{"files_free 22"}},
	{23, []any{uint64(23)}, []string{"files_total 23"}},
	{24, []any{1, "export", 1, 2, "one.example", "two.example", 1, "data"}, []string{
		"fs_root 1 element", `[0] "export"`, "locations 1 element", "server 2 elements", `[0] "one.example"`, `[1] "two.example"`, "rootpath 1 element", `[0] "data"`,
	}},
	{25, []any{false}, []string{"hidden FALSE"}},
	{26, []any{true}, []string{"homogeneous TRUE"}},
	{27, []any{uint64(27)}, []string{"maxfilesize 27"}},
	{28, []any{28}, []string{"maxlink 28"}},
	{29, []any{255}, []string{"maxname 255"}},
	{30, []any{uint64(1 << 20)}, []string{"maxread 1048576"}},
	{31, []any{uint64(1 << 19)}, []string{"maxwrite 524288"}},
	{32, []any{"text/plain"}, []string{`mimetype "text/plain"`}},
	{33, []any{0o4755}, []string{"mode 04755"}},
	{34, []any{true}, []string{"no_trunc TRUE"}},
	{35, []any{3}, []string{"numlinks 3"}},
	{36, []any{"root@example"}, []string{`owner "root@example"`}},
	{37, []any{"wheel@example"}, []string{`owner_group "wheel@example"`}},
	{38, []any{uint64(38)}, []string{"quota_avail_hard 38"}},
	{39, []any{uint64(39)}, []string{"quota_avail_soft 39"}},
	{40, []any{uint64(40)}, []string{"quota_used 40"}},
	{41, []any{8, 1}, []string{"specdata1 8", "specdata2 1"}},
	{42, []any{uint64(42)}, []string{"space_avail 42"}},
	{43, []any{uint64(43)}, []string{"space_free 43"}},
	{44, []any{uint64(44)}, []string{"space_total 44"}},
	{45, []any{uint64(45)}, []string{"space_used 45"}},
	{46, []any{true}, []string{"system TRUE"}},
	{47, []any{when, 5}, []string{"time_access " + whenShown}},
	{48, []any{1, when, 5}, []string{"set_it SET_TO_CLIENT_TIME4 (1)", "time " + whenShown}},
	{49, []any{when, 5}, []string{"time_backup " + whenShown}},
	{50, []any{when, 5}, []string{"time_create " + whenShown}},
	{51, []any{uint64(0), 1000000}, []string{"time_delta 0.001000000 s"}},
	{52, []any{when, 5}, []string{"time_metadata " + whenShown}},
	{53, []any{when, 5}, []string{"time_modify " + whenShown}},
	{54, []any{0}, []string{"set_it SET_TO_SERVER_TIME4 (0)"}},
	{55, []any{uint64(55)}, []string{"mounted_on_fileid 55"}},
	{56, []any{uint64(56), 0}, []string{"dir_notif_delay 56.000000000 s"}},
	{57, []any{uint64(57), 0}, []string{"dirent_notif_delay 57.000000000 s"}},
	{58, []any{1, 1, 0, 0, 1, "a"}, []string{"na41_flag ACL4_AUTO_INHERIT (0x00000001)", "na41_aces 1 element", `who "a"`}},
	{59, []any{2, 0}, []string{"na41_flag ACL4_PROTECTED (0x00000002)", "na41_aces 0 elements"}},
	{60, []any{uint64(1), uint64(2)}, []string{"cp_major 1", "cp_minor 2"}},
	{61, []any{false, 3, "from", "now", 7, when, 5}, []string{
		"fss_absent FALSE", "fss_type STATUS4_VERSIONED (3)", `fss_source "from"`, `fss_current "now"`, "fss_age 7 s", "fss_version " + whenShown,
	}},
	{62, []any{2, 1, 4}, []string{"[0] LAYOUT4_NFSV4_1_FILES (1)", "[1] LAYOUT4_FLEX_FILES (4)"}},
	{63, []any{4, string(encode(true, 3))}, []string{"loh_type LAYOUT4_FLEX_FILES (4)", "ffmc_mirrors 3"}},
	{64, []any{1, 5}, []string{"[0] LAYOUT4_SCSI (5)"}},
	{65, []any{4096}, []string{"layout_blksize 4096"}},
	{66, []any{512}, []string{"layout_alignment 512"}},
	{67, []any{1, 60, 1, "root", 1, 1, -1, "info", "a.example", 0}, []string{
		"fli_flags 0x00000001", "fli_valid_for 60 s", `[0] "root"`, "fls_currency -1", "fls_info 696e666f", `fls_server "a.example"`, "fli_rootpath 0 elements",
	}},
	{68, []any{1, 1, 1, 0x9, string(encode(uint64(4096), uint64(8192)))}, []string{
		"thi_layout_type LAYOUT4_NFSV4_1_FILES (1)", "thi_hintset TH4_READ_SIZE|TH4_WRITE_IOSIZE", "read_size 4096", "write_iosize 8192",
	}},
	{69, []any{uint64(3600), 1, when, 5}, []string{"rg_duration 3600 s", "[0] " + whenShown}},
	{70, []any{true, 1, uint64(60)}, []string{"rs_enable TRUE", "[0] 60"}},
	{71, []any{uint64(1), 0}, []string{"rg_duration 1 s", "rg_begin_time 0 elements"}},
	{72, []any{false, 0}, []string{"rs_enable FALSE", "rs_duration 0 elements"}},
	{73, []any{uint64(1)}, []string{"retention_hold 0x0000000000000001"}},
	{74, []any{0o644, 0o777}, []string{"mm_value_to_set 0644", "mm_mask_bits 0777"}},
	{75, []any{1, 0x10}, []string{"suppattr_exclcreat FATTR4_SIZE"}},
	{76, []any{2}, []string{"fs_charset_cap FSCHARSET_CAP4_ALLOWS_ONLY_UTF8 (0x00000002)"}},
	{77, []any{65536}, []string{"clone_blksize 65536"}},
	{78, []any{uint64(78)}, []string{"space_freed 78"}},
	{79, []any{3}, []string{"change_attr_type NFS4_CHANGE_TYPE_IS_TIME_METADATA (3)"}},
	{80, []any{1, 2, "system_u:object_r"}, []string{"lfs_lfs 1", "lfs_pi 2", `slai_data "system_u:object_r"`}},
	{81, []any{0o666, 0o22}, []string{"mu_mode 0666", "mu_umask 022"}},
	{82, []any{true}, []string{"xattr_support TRUE"}},
	{83, []any{false}, []string{"offline FALSE"}},
	{84, []any{when, 5}, []string{"time_deleg_access " + whenShown}},
	{85, []any{when, 5}, []string{"time_deleg_modify " + whenShown}},
	{86, []any{1, 0xe, 0, 1, 0x100010, 1, 0x11, 1, 1}, []string{
		"oa_share_access OPEN_ARGS_SHARE_ACCESS_READ|OPEN_ARGS_SHARE_ACCESS_WRITE|OPEN_ARGS_SHARE_ACCESS_BOTH", "oa_share_deny none",
		"oa_share_access_want OPEN_ARGS_SHARE_ACCESS_WANT_NO_DELEG|OPEN_ARGS_SHARE_ACCESS_WANT_DELEG_TIMESTAMPS", "oa_open_claim CLAIM_NULL|CLAIM_FH", "oa_create_mode UNCHECKED4",
	}},
}

// bitmap is a bitmap4 with some bits set.
func bitmap(numbers ...int) []any {
	words := make([]any, 1)
	for _, n := range numbers {
		for len(words) <= 1+n/32 {
			words = append(words, 0)
		}
		words[1+n/32] = words[1+n/32].(int) | 1<<(n%32)
	}
	words[0] = len(words) - 1
	return words
}

// TestAttributes looks at each attribute alone, and at all of them in one
// fattr4.
func TestAttributes(t *testing.T) {
	plan := plan(t)
	getattr := func(numbers []int, values []byte) []string {
		return tree4(t, plan, rpc.ProgramNFS, true, encode(0, "", 1, 9, 0, bitmap(numbers...), string(values)))
	}
	var all []int
	var values []byte
	var shown []string
	for i, a := range attributes4 {
		if a.number != i {
			t.Fatalf("attribute %d stands at %d", a.number, i)
		}
		value := encode(a.value...)
		got := getattr([]int{a.number}, value)
		for _, want := range append(a.shown, "attrmask FATTR4_") {
			if !slices.ContainsFunc(got, func(s string) bool { return s == want || want == "attrmask FATTR4_" && strings.HasPrefix(s, want) }) {
				t.Errorf("attribute %d: no %q in\n%s", a.number, want, strings.Join(got, "\n"))
			}
		}
		if slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "not decoded") || strings.Contains(s, "FAULT") }) {
			t.Errorf("attribute %d: more is in it than is known:\n%s", a.number, strings.Join(got, "\n"))
		}
		all, values, shown = append(all, a.number), append(values, value...), append(shown, a.shown...)
	}
	if got := getattr(all, values); !within(shown, got) {
		t.Errorf("of all attributes together some are missing:\n%s", strings.Join(got, "\n"))
	}
}

// TestUnknownAttribute has one that no text knows among others: what stands
// before it is shown, it and what follows are bytes.
func TestUnknownAttribute(t *testing.T) {
	got := tree4(t, plan(t), rpc.ProgramNFS, true, encode(0, "", 1, 9, 0, bitmap(1, 100, 101), string(encode(2, 7, 8))))
	if want := []string{"attrmask FATTR4_TYPE|100|101", "type NF4DIR (2)", "not decoded 0000000700000008"}; !within(want, got) {
		t.Errorf("no %q in\n%s", want, strings.Join(got, "\n"))
	}
}

// TestBodies looks into opaque data whose meaning another field selects.
func TestBodies(t *testing.T) {
	plan := plan(t)
	latency := []any{uint64(1), uint64(2), uint64(3), uint64(4), uint64(5), uint64(6), 7, uint64(8), 9}
	entry := []any{"file", bitmap(4), string(encode(uint64(10)))}
	for _, c := range []struct {
		name   string
		prog   uint32
		result bool
		data   []byte
		want   []string
	}{
		{"LAYOUTGET, files", rpc.ProgramNFS, true, encode(0, "", 1, 50, 0, true, stateid, 1, uint64(0), uint64(1<<32), 1,
			1, string(encode(device, 0x1001, 2, uint64(512), 1, "a handle"))),
			[]string{"loc_type LAYOUT4_NFSV4_1_FILES (1)", "nfl_util 0x00001001", "nfl_first_stripe_index 2", "nfl_pattern_offset 512", "[0] 0x969cc7aa (CRC-32 of 8 bytes): 612068616e646c65"}},
		{"LAYOUTGET, flexible files", rpc.ProgramNFS, true, encode(0, "", 1, 50, 0, false, stateid, 1, uint64(0), uint64(1<<32), 2,
			4, string(encode(uint64(65536), 1, 1, device, 10, stateid, 1, "a handle", "1000", "100", 3, 30))),
			[]string{"loc_type LAYOUT4_FLEX_FILES (4)", "ffl_stripe_unit 65536", "ffl_mirrors 1 element", "ffds_deviceid 646576696365206964206f662031362e", "ffds_efficiency 10", `ffds_user "1000"`, `ffds_group "100"`,
				"ffl_flags FF_FLAGS_NO_LAYOUTCOMMIT|FF_FLAGS_NO_IO_THRU_MDS (0x00000003)", "ffl_stats_collect_hint 30 s"}},
		{"LAYOUTGET, SCSI", rpc.ProgramNFS, true, encode(0, "", 1, 50, 0, false, stateid, 1, uint64(0), uint64(1<<32), 2, 5, "body"),
			[]string{"loc_type LAYOUT4_SCSI (5)", "not decoded 626f6479"}},
		{"GETDEVICEINFO, files", rpc.ProgramNFS, true, encode(0, "", 1, 47, 0, 1, string(encode(2, 0, 1, 1, 2, "tcp", "192.0.2.1.8.1", "rdma", "192.0.2.1.78.81")), bitmap(1, 2)),
			[]string{"da_layout_type LAYOUT4_NFSV4_1_FILES (1)", "nflda_stripe_indices 2 elements", `na_r_netid "rdma"`, `na_r_addr "192.0.2.1.78.81"`, "gdir_notification NOTIFY_DEVICEID4_CHANGE|NOTIFY_DEVICEID4_DELETE"}},
		{"GETDEVICEINFO, flexible files", rpc.ProgramNFS, true, encode(0, "", 1, 47, 0, 4, string(encode(1, "tcp", "192.0.2.1.8.1", 1, 4, 1, 1<<20, 1<<19, true)), bitmap()),
			[]string{`na_r_netid "tcp"`, "ffdv_version 4", "ffdv_minorversion 1", "ffdv_rsize 1048576", "ffdv_wsize 524288", "ffdv_tightly_coupled TRUE"}},
		{"LAYOUTSTATS, flexible files", rpc.ProgramNFS, false, encode("", 2, 1, 65, uint64(0), uint64(4096), stateid, uint64(1), uint64(2), uint64(3), uint64(4), device,
			4, string(encode("tcp", "192.0.2.1.8.1", "a handle", latency, latency, uint64(30), 0, true))),
			[]string{"lou_type LAYOUT4_FLEX_FILES (4)", "ffil_ops_requested 1", "ffil_total_busy_time 6.000000007 s", "ffil_aggregate_completion_time 8.000000009 s", "ffl_duration 30.000000000 s", "ffl_local TRUE"}},
		{"CB_NOTIFY", rpc.ProgramNFSCallback, false, encode("", 1, 0, 1, 6, stateid, "a handle", 1, bitmap(2, 5), string(encode(entry, uint64(11), fixed("verifier"), fixed("changed.")))),
			[]string{"notify_mask NOTIFY4_REMOVE_ENTRY|NOTIFY4_CHANGE_COOKIE_VERIFIER", `ne_file "file"`, "size 10", "nrm_old_entry_cookie 11", "nv_new_cookieverf 0x6368616e6765642e"}},
		{"CB_NOTIFY, an entry renamed", rpc.ProgramNFSCallback, false, encode("", 1, 0, 1, 6, stateid, "a handle", 1, bitmap(4), string(encode(entry, uint64(1), 0, entry, 1, uint64(2), 1, entry, uint64(3), true))),
			[]string{"nrm_old_entry_cookie 1", "nad_new_entry_cookie 1 element", "pe_prev_entry_cookie 3", "nad_last_entry TRUE"}},
		{"CB_NOTIFY_DEVICEID", rpc.ProgramNFSCallback, false, encode("", 1, 0, 1, 14, 1, bitmap(1, 2), string(encode(4, device, true, 4, device))),
			[]string{"notify_mask NOTIFY_DEVICEID4_CHANGE|NOTIFY_DEVICEID4_DELETE", "ndc_immediate TRUE", "ndd_layouttype LAYOUT4_FLEX_FILES (4)"}},
	} {
		got := tree4(t, plan, c.prog, c.result, c.data)
		if !within(c.want, got) {
			t.Errorf("%s: not %q in\n%s", c.name, c.want, strings.Join(got, "\n"))
		}
		if !strings.HasSuffix(c.name, "SCSI") && slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "not decoded") || strings.Contains(s, "FAULT") }) {
			t.Errorf("%s: more is in it than is known:\n%s", c.name, strings.Join(got, "\n"))
		}
	}
}
