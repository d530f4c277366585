//go:build linux && (amd64 || arm64) && !noverbs

package verbs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// A deviceFiles is where the kernel has the files of RDMA devices, and how they are looked at.
type deviceFiles struct {
	dev   string // has rdma_cm and the uverbs
	class string // has the name of each uverbs, to whomever
	open  func(file string) error
	stat  func(file string) (mode fs.FileMode, group uint32, err error)
}

// ofMachine are those of this machine.
func ofMachine() deviceFiles {
	return deviceFiles{"/dev/infiniband", "/sys/class/infiniband_verbs", mayOpen, func(file string) (fs.FileMode, uint32, error) {
		info, err := os.Stat(file)
		if err != nil {
			return 0, 0, err
		}
		return info.Mode(), info.Sys().(*syscall.Stat_t).Gid, nil
	}}
}

// mayOpen says why a device's file cannot be opened, if that is so.
func mayOpen(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// denied says which file of a device this process may not open, and what lets it; nil if there
// is none such. The libraries report no device then, or of none that leads to an address.
func (d deviceFiles) denied() error {
	names := []string{"rdma_cm"}
	list, _ := os.ReadDir(d.class) // without it the kernel has no device
	for _, entry := range list {
		if strings.HasPrefix(entry.Name(), "uverbs") {
			names = append(names, entry.Name())
		}
	}
	for _, name := range names {
		file := filepath.Join(d.dev, name)
		if err := d.open(file); errors.Is(err, fs.ErrPermission) {
			return d.noAccess(file, err)
		}
	}
	return nil
}

// rule is a rule of udev that gives a group access to all RDMA devices.
const rule = `KERNEL=="uverbs*|rdma_cm", GROUP="rdma", MODE="0660"`

// noAccess says of a file that may not be opened what lets this process do so.
func (d deviceFiles) noAccess(file string, err error) error {
	if errors.Is(err, syscall.EPERM) {
		return fmt.Errorf("this process may not use RDMA devices: %w: give a container or service access with 'docker run --device /dev/infiniband', or with DeviceAllow= of systemd", err)
	}
	mode, group, statErr := d.stat(file)
	const groupMay = 0o060
	switch {
	case errors.Is(statErr, fs.ErrPermission):
		return fmt.Errorf("this process may not use RDMA devices: %w: it has no access to the directory ('chmod a+rx %s' grants it)", err, d.dev)
	case statErr == nil && mode.Perm()&groupMay == groupMay && group != 0:
		name := groupName(group)
		return fmt.Errorf("this process may not use RDMA devices: %w: the group %s may ('usermod -aG %s USER' adds a user to it, who must log in again)", err, name, name)
	}
	return fmt.Errorf("this process may not use RDMA devices: %w: run it as root, or give a group access with the udev rule %s in /etc/udev/rules.d/99-rdma.rules, then 'udevadm control --reload && udevadm trigger', and 'groupadd -f rdma; usermod -aG rdma USER'", err, rule)
}

// groupName is the name of a group, or its number.
func groupName(id uint32) string {
	number := strconv.FormatUint(uint64(id), 10)
	if g, err := user.LookupGroupId(number); err == nil {
		return g.Name
	}
	return number
}
