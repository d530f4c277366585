package stats_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/shipped"
	"github.com/rdmacap/rdmacap/internal/stats"
)

// nfs4Operations are operations of NFS version 4 by number (RFC 7863, section 2;
// enum nfs_opnum4): those that the sample has.
var nfs4Operations = map[string]string{
	"3": "ACCESS", "4": "CLOSE", "6": "CREATE", "8": "DELEGRETURN", "9": "GETATTR", "10": "GETFH", "15": "LOOKUP",
	"18": "OPEN", "22": "PUTFH", "24": "PUTROOTFH", "25": "READ", "38": "WRITE", "42": "EXCHANGE_ID", "43": "CREATE_SESSION",
	"44": "DESTROY_SESSION", "52": "SECINFO_NO_NAME", "53": "SEQUENCE", "57": "DESTROY_CLIENTID", "58": "RECLAIM_COMPLETE",
}

// TestPartsAgreeWithTshark counts the operations that COMPOUNDs call.
func TestPartsAgreeWithTshark(t *testing.T) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	const name = "rxe-cb"
	path := filepath.Join(t.TempDir(), name+".pcap.zst")
	if err := os.WriteFile(path, shipped.File(t, name), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, "-r", path, "-Y", "rpc.msgtyp == 0 && nfs.opcode", "-T", "fields", "-e", "nfs.opcode").Output()
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]int64)
	for _, number := range strings.FieldsFunc(string(out), func(r rune) bool { return r == ',' || r == '\n' }) {
		op := nfs4Operations[number]
		if op == "" {
			t.Errorf("operation %s has no name in this test", number)
		}
		want["NFS4 "+op]++
	}
	got := make(map[string]int64)
	for _, p := range sample(t, name).Parts.Rows() {
		if !p.Reverse { // tshark has other names for fields of callbacks
			got[p.Name] = p.Calls
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("operations called %v, tshark counts %v", got, want)
	}
}

// TestParts holds what came of the operations inside COMPOUNDs: a mkdir of what
// is there fails, once a mount, and what stands after it in its COMPOUND (GETFH
// and GETATTR) is not carried out.
func TestParts(t *testing.T) {
	g := sample(t, "rxe-cb")
	if g.Parts.Others != nil {
		t.Errorf("%+v has no row", g.Parts.Others)
	}
	const mounts = 2
	found := 0
	for _, p := range g.Parts.Rows() {
		errors, notReached := int64(0), int64(0)
		switch p.Name {
		case "NFS4 CREATE":
			errors = mounts
			if list, _ := p.Errors.List(); len(list) != 1 || list[0] != (stats.Named{Name: "NFS4ERR_EXIST", Count: mounts}) {
				t.Errorf("errors of CREATE %v", list)
			}
			found++
		case "NFS4 GETFH", "NFS4 GETATTR":
			notReached = mounts
			found++
		case "NFS callback CB_RECALL":
			if !p.Reverse || p.Calls != 4 {
				t.Errorf("%d CB_RECALLs, to the client: %v", p.Calls, p.Reverse)
			}
			found++
		}
		if p.Errors.Total != errors || p.NotReached != notReached || p.Replies != p.Calls-notReached {
			t.Errorf("%s: %d calls, %d results, %d errors, %d not reached; want %d errors, %d not reached",
				p.Name, p.Calls, p.Replies, p.Errors.Total, p.NotReached, errors, notReached)
		}
	}
	if found != 4 {
		t.Errorf("%d of the 4 operations are there", found)
	}
}
