//go:build long

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// installedInChroot installs the Debian package in a system that has nothing of ours, and uses
// it there: the program, its manual, its completion, its service.
func installedInChroot(t *testing.T, dist string) {
	root := filepath.Join(t.TempDir(), "root")
	do(t, "/", "cp", "-a", "--reflink=auto", pristine(t), root)
	// /proc is there for the process only, so that no mount is left whatever becomes of the test.
	const enter = `mount -t proc proc "$0/proc" && exec chroot "$0" "$@"`
	in := func(command ...string) string {
		t.Helper()
		return do(t, "/", append([]string{"env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "HOME=/root", "MANPAGER=cat", "MANWIDTH=100", "unshare", "--mount", "sh", "-c", enter, root}, command...)...)
	}
	if out, err := exec.Command("unshare", "--mount", "sh", "-c", enter, root, "true").CombinedOutput(); err != nil {
		t.Skipf("this machine does not let root mount /proc: %v: %s", err, lastLine(out))
	}
	deb := theOnly(t, dist, "*.deb")
	do(t, "/", "cp", deb, filepath.Join(root, "root", "rdmacap.deb"))
	in("dpkg", "--install", "/root/rdmacap.deb")

	const sample = "rxe-loss.pcap.zst"
	capture, err := os.ReadFile(filepath.Join("../../samples", sample))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "root", sample), capture, 0o600); err != nil {
		t.Fatal(err)
	}
	// The sample has no error, so this ends with status 0; as soon as warnings count, with 1.
	if out := in("rdmacap", "check", "/root/"+sample); !strings.HasPrefix(out, "── verdict\n") {
		t.Errorf("check begins with %.100q", out)
	}
	if out := in("sh", "-c", "rdmacap check --fail-on warning /root/"+sample+" >/dev/null; echo $?"); out != "1\n" {
		t.Errorf("check --fail-on warning ends with %q", out)
	}
	if out := in("man", "rdmacap-check"); !strings.HasPrefix(out, "RDMACAP-CHECK(1)") || !strings.Contains(out, "--fail-on SEVERITY") {
		t.Errorf("the manual page begins with %.100q", out)
	}
	if out := in("man", "--whatis", "rdmacap"); !strings.Contains(out, does) {
		t.Errorf("whatis says %q", out)
	}
	// As when a person has typed "rdmacap ch" and Tab: bash-completion finds the file by the name of
	// the command.
	const typed = `. /usr/share/bash-completion/bash_completion
_completion_loader rdmacap
function=$(complete -p rdmacap | sed 's/.*-F \([^ ]*\) .*/\1/')
COMP_WORDS=(rdmacap ch) COMP_CWORD=1 COMP_LINE="rdmacap ch" COMP_POINT=10 COMP_TYPE=9 COMP_KEY=9
compopt() { :; } # bash has it only while a person types
"$function" rdmacap ch rdmacap
printf '%s\n' "${COMPREPLY[@]}"`
	if out := strings.TrimSpace(in("bash", "-c", typed)); out != "check" {
		t.Errorf("rdmacap ch<TAB> is completed to %q", out)
	}
	if out := in("systemd-analyze", "verify", "--man=no", "rdmacap-live@mirror0.service"); strings.Contains(out, "rdmacap") {
		t.Errorf("of the service, systemd says: %s", out)
	}
	in("dpkg", "--purge", "rdmacap")
	if left := strings.TrimSpace(do(t, root, "find", "usr", "etc", "-name", "*rdmacap*")); left != "" {
		t.Errorf("these are left after a purge:\n%s", left)
	}
}

// pristine is the folder of a small Debian system, made by debootstrap when it is first needed and
// kept in the user's cache.
func pristine(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can install a package in a chroot")
	}
	debootstrap, err := exec.LookPath("debootstrap")
	if err != nil {
		t.Skip("debootstrap is not installed (Debian: apt install debootstrap): the package is not installed anywhere")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("there is no folder to keep a Debian system in: ", err)
	}
	root := filepath.Join(cache, "rdmacap-test", "bookworm")
	if _, err := os.Stat(filepath.Join(root, "usr/share/bash-completion/bash_completion")); err == nil {
		return root
	}
	if err := os.MkdirAll(filepath.Dir(root), 0o755); err != nil {
		t.Fatal(err)
	}
	// What stopped half-way is not taken for whole: only the name says that it is.
	partly := root + ".partly"
	if err := os.RemoveAll(partly); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(debootstrap, "--variant=minbase", "--include=man-db,bash-completion,systemd", "bookworm", partly, mirror()).CombinedOutput()
	if err != nil {
		t.Skipf("debootstrap cannot make a Debian system here: %v: %s", err, lastLine(out))
	}
	if err := os.Rename(partly, root); err != nil {
		t.Fatal(err)
	}
	return root
}

// mirror is the first that apt has for packages of Debian itself.
func mirror() string {
	out, err := exec.Command("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Origin: Debian").Output()
	if site, _, _ := strings.Cut(string(out), "\n"); err == nil && site != "" {
		return site
	}
	return "http://deb.debian.org/debian"
}

// lastLine is the last line of what a command printed.
func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
