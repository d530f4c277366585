package metrics

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// maxExposure is the most that `systemd-analyze security` may say of the unit, from 0 to
// 10: 0 is one that can do nothing. Of the rest, the network of the host, packet sockets,
// netlink and IP are what capturing and answering take.
const maxExposure = "1.5"

// TestUnit has systemd-analyze look at the unit: that all in it is understood, and how
// much it may do.
func TestUnit(t *testing.T) {
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed (Debian: apt install systemd): ", err)
	}
	if out, err := exec.Command(program, "security", "--help").CombinedOutput(); err != nil || !strings.Contains(string(out), "--offline") {
		t.Skipf("systemd-analyze security has no --offline (systemd 250): %v", err)
	}
	text, err := os.ReadFile(filepath.Join(monitoring, "rdmacap-live@.service"))
	if err != nil {
		t.Fatal(err)
	}
	// It must be there, for systemd-analyze verify.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const installed = "/usr/local/bin/rdmacap"
	if strings.Count(string(text), installed) != 1 {
		t.Errorf("%s is not once in the unit", installed)
	}
	path := filepath.Join(t.TempDir(), "rdmacap-live@mirror0.service")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), installed, self)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program, "verify", "--man=no", path).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("systemd-analyze verify: %v\n%s", err, out)
	}
	out, err := exec.Command(program, "security", "--offline=true", "--no-pager", "--json=short", path).Output()
	if err != nil {
		t.Fatalf("systemd-analyze security: %v\n%s", err, out)
	}
	var list []struct {
		Name     string
		Set      bool
		Exposure string
	}
	if err := json.Unmarshal(out, &list); err != nil || len(list) < 50 {
		t.Fatalf("%v, %d tests: %.200s", err, len(list), out)
	}
	for _, x := range list {
		if !x.Set && x.Exposure != "" {
			t.Logf("%s: %s", x.Name, x.Exposure)
		}
	}
	limit := strings.ReplaceAll(maxExposure, ".", "")
	whole, err := exec.Command(program, "security", "--offline=true", "--no-pager", "--threshold="+limit, path).CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(whole)), "\n")
		t.Errorf("more than %s: %v: %s", maxExposure, err, lines[len(lines)-1])
	}
}
