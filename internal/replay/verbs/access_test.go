//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestDenied holds what is reported of device files that may not be opened, in one line.
func TestDenied(t *testing.T) {
	t.Parallel()
	class := t.TempDir()
	for _, name := range []string{"abi_version", "uverbs7"} {
		if err := os.WriteFile(filepath.Join(class, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const cm, verbs = "/dev/there/rdma_cm", "/dev/there/uverbs7"
	for _, c := range []struct {
		name  string
		file  string // that may not be opened
		errno syscall.Errno
		mode  fs.FileMode
		group uint32
		stat  error
		want  []string // nothing if it is nothing to complain of
	}{
		{"all may be opened", "", 0, 0o666, 0, nil, nil},
		{"it is not there", cm, syscall.ENOENT, 0, 0, nil, nil},
		{"a group may", verbs, syscall.EACCES, 0o660, 4294967, nil, []string{verbs, "permission denied", "the group 4294967 may", "usermod -aG 4294967"}},
		{"only root may", verbs, syscall.EACCES, 0o600, 0, nil, []string{verbs, "udev", rule, "usermod -aG rdma"}},
		{"the group root may", cm, syscall.EACCES, 0o660, 0, nil, []string{cm, "udev", rule}},
		{"a group may only read", cm, syscall.EACCES, 0o640, 4294967, nil, []string{cm, "udev"}},
		{"the directory", cm, syscall.EACCES, 0, 0, fs.ErrPermission, []string{cm, "chmod a+rx /dev/there"}},
		{"a container", verbs, syscall.EPERM, 0o666, 0, nil, []string{verbs, "operation not permitted", "--device /dev/infiniband"}},
	} {
		d := deviceFiles{"/dev/there", class, func(file string) error {
			if file == c.file {
				return &fs.PathError{Op: "open", Path: file, Err: c.errno}
			}
			return nil
		}, func(string) (fs.FileMode, uint32, error) { return c.mode, c.group, c.stat }}
		err := d.denied()
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, want it to say %q", c.name, err, want)
			}
		}
	}
}

// TestAddressDenied holds that who may not open the device of a route is not asked whether the
// host is up, and that who may is.
func TestAddressDenied(t *testing.T) {
	t.Parallel()
	denied := deviceFiles{"/dev/there", t.TempDir(), func(file string) error {
		return &fs.PathError{Op: "open", Path: file, Err: syscall.EACCES}
	}, func(string) (fs.FileMode, uint32, error) { return 0o600, 0, nil }}
	for _, c := range []struct {
		status int
		want   string
	}{
		{-int(syscall.ENODEV), "may not use RDMA devices"}, {-1, "may not use RDMA devices"},
		{-int(syscall.ETIMEDOUT), "is the host up"}, {-int(syscall.EHOSTUNREACH), "is the host up"},
	} {
		if err := (event{kind: addressError, status: c.status}).addressError(denied); !strings.Contains(err.Error(), c.want) {
			t.Errorf("status %d: %v, want it to say %q", c.status, err, c.want)
		}
	}
	open := denied
	open.open = func(string) error { return nil }
	if err := (event{kind: addressError, status: -int(syscall.ENODEV)}).addressError(open); !strings.Contains(err.Error(), "is the host up") {
		t.Error(err)
	}
}
