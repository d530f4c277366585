package nfs_test

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/long"
)

// tsharkFields are values that tshark finds by name in a COMPOUND, and the
// fields of the texts that are the same.
//
// A special stateid (RFC 8881, section 8.2.3) tshark names and does not take
// apart: those values are left out.
var tsharkFields = []struct {
	field string
	ours  []string
	skip  string
}{
	{"nfs.opcode", []string{"nfs_argop4.argop", "nfs_resop4.resop"}, ""},
	{"nfs.cb.operation", []string{"nfs_cb_argop4.argop", "nfs_cb_resop4.resop"}, ""},
	{"nfs.minorversion", []string{"COMPOUND4args.minorversion", "CB_COMPOUND4args.minorversion"}, ""},
	{"nfs.offset4", []string{"READ4args.offset", "WRITE4args.offset", "COMMIT4args.offset", "ALLOCATE4args.aa_offset", "DEALLOCATE4args.da_offset", "SEEK4args.sa_offset", "seek_res4.sr_offset", "LOCK4args.offset", "LOCKT4args.offset", "LOCKU4args.offset"}, ""},
	{"nfs.length4", []string{"ALLOCATE4args.aa_length", "DEALLOCATE4args.da_length", "LOCK4args.length", "LOCKT4args.length", "LOCKU4args.length"}, ""},
	{"nfs.count4", []string{"READ4args.count", "COMMIT4args.count", "WRITE4resok.count"}, ""},
	{"nfs.eof", []string{"READ4resok.eof", "seek_res4.sr_eof"}, ""},
	{"nfs.slotid", []string{"SEQUENCE4args.sa_slotid", "SEQUENCE4resok.sr_slotid", "CB_SEQUENCE4args.csa_slotid", "CB_SEQUENCE4resok.csr_slotid"}, ""},
	{"nfs.stateid.seqid", []string{"stateid4.seqid"}, "4294967295"},
	{"nfs.stateid.other", []string{"stateid4.other"}, "000000000000000000000000"},
	{"nfs.session_id4", []string{"SEQUENCE4args.sa_sessionid", "SEQUENCE4resok.sr_sessionid", "CREATE_SESSION4resok.csr_sessionid", "DESTROY_SESSION4args.dsa_sessionid", "CB_SEQUENCE4args.csa_sessionid", "CB_SEQUENCE4resok.csr_sessionid"}, ""},
	{"nfs.fhandle", []string{"PUTFH4args.object", "GETFH4resok.object", "CB_RECALL4args.fh", "fattr4.attr_vals.filehandle"}, ""},
	{"nfs.entry_name", []string{"entry4.name"}, ""},
	{"nfs.fattr4_owner", []string{"fattr4.attr_vals.owner"}, ""},
	{"nfs.fattr4_owner_group", []string{"fattr4.attr_vals.owner_group"}, ""},
	{"nfs.open4.share_access", []string{"OPEN4args.share_access"}, ""},
	{"nfs.open.claim_type", []string{"open_claim4.claim"}, ""},
	{"nfs.open.delegation_type", []string{"open_delegation4.delegation_type"}, ""},
	{"nfs.createmode4", []string{"createhow4.mode"}, ""},
	{"nfs.nfs_ftype4", []string{"fattr4.attr_vals.type", "createtype4.type"}, ""},
	{"nfs.fattr4.size", []string{"fattr4.attr_vals.size"}, ""},
	{"nfs.fattr4.fileid", []string{"fattr4.attr_vals.fileid"}, ""},
	{"nfs.fattr4.numlinks", []string{"fattr4.attr_vals.numlinks"}, ""},
	{"nfs.fattr4.mounted_on_fileid", []string{"fattr4.attr_vals.mounted_on_fileid"}, ""},
	{"nfs.fattr4.space_used", []string{"fattr4.attr_vals.space_used"}, ""},
	{"nfs.fattr4.maxread", []string{"fattr4.attr_vals.maxread"}, ""},
	{"nfs.fattr4.lease_time", []string{"fattr4.attr_vals.lease_time"}, ""},
	{"nfs.fsid4.major", []string{"fattr4.attr_vals.fsid.major"}, ""},
	{"nfs.changeid4.before", []string{"change_info4.before"}, ""},
	{"nfs.changeid4.after", []string{"change_info4.after"}, ""},
	{"nfs.nfstime4.nseconds", []string{"nfstime4.nseconds"}, ""},
	{"nfs.clientid", []string{"state_owner4.clientid", "RENEW4args.clientid", "EXCHANGE_ID4resok.eir_clientid", "CREATE_SESSION4args.csa_clientid", "SETCLIENTID4resok.clientid", "SETCLIENTID_CONFIRM4args.clientid", "DESTROY_CLIENTID4args.dca_clientid"}, ""},
	{"nfs.maxreqsize4", []string{"channel_attrs4.ca_maxrequestsize"}, ""},
	{"nfs.maxreqs4", []string{"channel_attrs4.ca_maxrequests"}, ""},
	{"nfs.acemask4", []string{"nfsace4.access_mask"}, ""},
	{"nfs.stable_how4", []string{"WRITE4args.stable", "WRITE4resok.committed"}, ""},
}

// TestTsharkAgrees holds the values in COMPOUNDs against tshark's, where it
// sees the whole message.
func TestTsharkAgrees(t *testing.T) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	var keys []string
	column := map[string]int{}
	for i, f := range tsharkFields {
		for _, name := range f.ours {
			keys = append(keys, name)
			column[name] = i
		}
	}
	plan := plan(t, keys...)
	columns := make([]int, len(plan.Marks))
	for i := range columns {
		columns[i] = -1
	}
	for name, i := range column {
		columns[plan.Index(name)] = i
	}
	total := make([]int, len(tsharkFields))
	for _, name := range long.Pick([]string{"rxe-basic", "rxe-acl", "rxe-cb"}, []string{"rxe-basic", "rxe-acl", "rxe-cb", "rxe-thresh", "rxe-ipv6"}) {
		t.Run(name, func(t *testing.T) {
			theirs := askTshark(t, program, name)
			compared := make([]int, len(tsharkFields))
			messages := 0
			var w walk.Walker
			for _, p := range read(t, name).payloads {
				if p.version != 4 && p.program != rpc.ProgramNFSCallback {
					continue
				}
				want := theirs[fmt.Sprintf("%#08x %t", p.xid, p.result)]
				if want == nil {
					continue
				}
				w.Walk(p.route(plan), p.bytes, p.reduced)
				got := make([][]string, len(tsharkFields))
				for _, e := range w.Events {
					if e.Kind == walk.Value && columns[e.Mark] >= 0 {
						i := columns[e.Mark]
						if v := shown(plan.Marks[e.Mark], &e, p.bytes); v != tsharkFields[i].skip {
							got[i] = append(got[i], v)
						}
					}
				}
				messages++
				for i, f := range tsharkFields {
					g := strings.Join(got[i], "|")
					if g != want[i] {
						t.Errorf("XID %#08x result %t: %s is %s, tshark has %s", p.xid, p.result, f.field, g, want[i])
					}
					compared[i] += len(got[i])
					total[i] += len(got[i])
				}
			}
			t.Logf("%d messages compared: %v", messages, compared)
		})
	}
	for i, f := range tsharkFields {
		if total[i] == 0 {
			t.Errorf("no value of %s was compared", f.field)
		}
	}
}

// askTshark returns the values by XID and whether it is a reply, of each
// message that one frame holds.
func askTshark(t *testing.T, program, name string) map[string][]string {
	t.Helper()
	args := []string{"-r", "../../samples/" + name + ".pcap.zst", "-Y", "rpc", "-T", "fields", "-E", "aggregator=|", "-e", "rpc.xid", "-e", "rpc.msgtyp"}
	for _, f := range tsharkFields {
		args = append(args, "-e", f.field)
	}
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		t.Fatalf("tshark: %v", err)
	}
	found := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		values := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.Contains(values[0], "|") {
			continue
		}
		xid, err := strconv.ParseUint(values[0], 0, 32)
		if err != nil {
			continue
		}
		for i, v := range values[2:] {
			values[2+i] = numbers(v, tsharkFields[i].skip)
		}
		found[fmt.Sprintf("%#08x %t", xid, values[1] == "1")] = values[2:]
	}
	return found
}

// shown is a value as numbers writes tshark's.
func shown(m *types.Mark, e *walk.Event, data []byte) string {
	if k := m.Type.Kind; k != types.Opaque && k != types.FixedOpaque && k != types.String {
		return strconv.FormatUint(e.Value, 10)
	}
	b := data[e.Offset:][:e.Length]
	if m.As().Format == types.Text {
		return string(b)
	}
	return fmt.Sprintf("%x", b)
}

// numbers writes the numbers of a list in decimal and bytes without colons, and
// leaves out a value.
func numbers(list, skip string) string {
	parts := strings.Split(list, "|")
	for i, s := range parts {
		switch s {
		case "True":
			s = "1"
		case "False":
			s = "0"
		}
		if n, err := strconv.ParseUint(s, 0, 64); err == nil && strings.HasPrefix(s, "0x") {
			s = strconv.FormatUint(n, 10)
		}
		parts[i] = strings.ReplaceAll(s, ":", "")
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == skip })
	return strings.Join(parts, "|")
}
