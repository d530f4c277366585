package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tshark writes frames to a file and returns what shows them as tshark, with
// arguments, sees them.
func tshark(t *testing.T, frames Frames) (show func(args ...string) string) {
	t.Helper()
	program, err := exec.LookPath("tshark")
	if err != nil {
		t.Skipf("tshark is not installed: %v", err)
	}
	path := filepath.Join(t.TempDir(), "told.pcap")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WritePcap(file, frames); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return func(args ...string) string {
		t.Helper()
		out, err := exec.Command(program, append([]string{"-r", path}, args...)...).Output()
		if err != nil {
			t.Fatalf("tshark %v: %v", args, err)
		}
		return strings.TrimSpace(string(out))
	}
}

// tshark, where it is installed, sees the conversation as it was told, and
// nothing malformed in it.
func TestTsharkAgrees(t *testing.T) {
	for name, setup := range map[string]Setup{
		"IPv4": {},
		"IPv6": {Client: Host{Addr: ClientIPv6}, Server: Host{Addr: ServerIPv6}, VLANs: []VLAN{{ID: 3}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := NewConversation(setup)
			c.Connect()
			c.Reply(c.Call(NFS3Null(1)), NFS3NullReply(1))
			c.Reply(c.Call(NFS3GetAttr(2, fh)), NFS3GetAttrReply(2, 3001))
			c.Wait(time.Millisecond)
			c.Reply(c.Call(NFS3Read(3, fh, 0, 900)), NFS3ReadReply(3, hexBytes(900)))
			write := NFS3Write(4, fh, 0, hexBytes(3001))
			c.Reply(c.Call(write, ReadChunk{{0xa, 3001, 0x1000}}), NFS3WriteReply(4, 3001))
			c.Disconnect()
			show := tshark(t, c.Frames)
			if bad := show("-Y", "_ws.malformed || ip.checksum.status == 0 || rpc.repframe == 0"); bad != "" {
				t.Errorf("malformed:\n%s", bad)
			}
			got := show("-Y", "rpc", "-T", "fields", "-E", "separator=,", "-e", "rpc.xid", "-e", "rpc.msgtyp", "-e", "nfs.procedure_v3", "-e", "nfs.status")
			want := strings.Join([]string{
				"0x00000001,0,0,", "0x00000001,1,0,", "0x00000002,0,1,", "0x00000002,1,1,0",
				"0x00000003,0,6,", "0x00000003,1,6,0", "0x00000004,0,7,", "0x00000004,1,7,0",
			}, "\n")
			if got != want {
				t.Errorf("tshark sees\n%s\nwant\n%s", got, want)
			}
			cm := show("-Y", "infiniband.mad.attributeid", "-T", "fields", "-e", "infiniband.mad.attributeid")
			if want := "0x0010\n0x0013\n0x0014\n0x0015\n0x0016"; cm != want {
				t.Errorf("tshark sees the management datagrams\n%s\nwant\n%s", cm, want)
			}
		})
	}
}
