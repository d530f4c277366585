package scene

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const handful = `
connect
call 1 NFS3 READ file="fh" offset=0 count=900
reply 1 data=bytes(900) eof=true
call 2 NFS4 COMPOUND [SEQUENCE{slotid=3} PUTFH{object="fh"} WRITE{offset=8 data=bytes(3000)} GETATTR{attr_request=[SIZE]}]
    read 0x1001 3000
reply 2 [SEQUENCE{slotid=3} PUTFH WRITE{count=3000} GETATTR{obj_attributes={size=3008}}]
call 3 NFS4 COMPOUND [PUTFH{object="fh"} LOOKUP{objname="name"} GETFH]
reply 3 [PUTFH LOOKUP{NFS4ERR_NOENT}]
call 4 MOUNT3 MNT "/export"
reply 4 fhandle="fh" auth_flavors=[1 6]
call 5 NFS3 READDIR dir="fh" count=500
    replychunk 0x20 600
reply 5 entries=[{name="a" fileid=7} {name="b" fileid=8}] eof=true
call 6 NLM4 LOCK caller_name="client" exclusive=true
reply 6 stat=NLM4_DENIED
disconnect
`

// TestTsharkAgrees lets tshark, where it is installed, read a handful of messages.
func TestTsharkAgrees(t *testing.T) {
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	for _, over := range []Transport{RoCE, IWARP} {
		scene, s := watch(t, handful, over)
		if len(s.faults) > 0 || s.complete != 6 {
			t.Errorf("%s: %d complete RPCs, %v", over, s.complete, s.faults)
		}
		path := filepath.Join(t.TempDir(), "scene.pcap")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := scene.WritePcap(file); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		show := func(args ...string) string {
			out, err := exec.Command(program, append([]string{"-r", path}, args...)...).Output()
			if err != nil {
				t.Fatalf("tshark %v: %v", args, err)
			}
			return strings.TrimSpace(string(out))
		}
		if bad := show("-Y", "_ws.malformed || rpc.repframe == 0"); bad != "" {
			t.Errorf("%s: malformed:\n%s", over, bad)
		}
		got := show("-Y", "rpc", "-T", "fields", "-E", "separator=;", "-e", "rpc.xid", "-e", "rpc.msgtyp",
			"-e", "nfs.opcode", "-e", "nfs.status", "-e", "mount.path", "-e", "nlm.stat")
		if want := tsharkSees; got != want {
			t.Errorf("%s: tshark sees\n%s\nnot\n%s", over, got, want)
		}
	}
}

// tsharkSees has the xid, call or reply, operations, their statuses, the path of
// MOUNT and the status of NLM.
const tsharkSees = `0x00001001;0;;;;
0x00001001;1;;0;;
0x00001002;0;53,22,38,9;;;
0x00001002;1;53,22,38,9;0,0,0,0,0;;
0x00001003;0;22,15,10;;;
0x00001003;1;22,15;2,0,2;;
0x00001004;0;;;/export;
0x00001004;1;;;;
0x00001005;0;;;;
0x00001005;1;;0;;
0x00001006;0;;;;
0x00001006;1;;;;1`
