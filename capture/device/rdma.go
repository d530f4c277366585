package device

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Device is an RDMA device.
type Device struct {
	Name  string
	Ports []Port
	// Verbs is the device file by which programs use it (/dev/infiniband/uverbs0), "" if
	// the kernel offers none.
	Verbs string
}

// A Port is one of a device.
type Port struct {
	Number int
	// State is "ACTIVE", "DOWN" and others, Link "Ethernet" or "InfiniBand", Rate as in
	// "100 Gb/sec (4X EDR)".
	State, Link, Rate string
	// GIDs are the addresses that are set.
	GIDs []GID
}

// A GID is an address of a port.
type GID struct {
	Index int
	GID   string
	// Type is "RoCE v2", "IB/RoCE v1" or "", Interface the network interface that it
	// belongs to, "" if none.
	Type, Interface string
}

// Active reports whether the port can be used.
func (p *Port) Active() bool { return p.State == "ACTIVE" }

// Interfaces are the network interfaces that the GIDs of the port belong to.
func (p *Port) Interfaces() (names []string) {
	for i := range p.GIDs {
		if name := p.GIDs[i].Interface; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// mostGIDs is how many addresses of a port are looked at: cards have up to 256.
const mostGIDs = 1024

// Devices are the RDMA devices that sysfs, which is root's folder "sys", reports.
func Devices(root fs.FS) (list []Device, err error) {
	const class = "sys/class/infiniband"
	names, err := fs.ReadDir(root, class)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // no driver is loaded
	}
	for _, name := range names {
		d := Device{Name: name.Name(), Verbs: verbsOf(root, name.Name())}
		folder := path.Join(class, d.Name)
		ports, _ := fs.ReadDir(root, path.Join(folder, "ports"))
		for _, port := range ports {
			if number, err := strconv.Atoi(port.Name()); err == nil {
				d.Ports = append(d.Ports, portOf(root, path.Join(folder, "ports", port.Name()), number))
			}
		}
		list = append(list, d)
	}
	return list, err
}

// IsDevice reports whether a name is that of an RDMA device, and of no network interface.
func IsDevice(root fs.FS, name string) bool {
	if !fs.ValidPath(name) || path.Base(name) != name || name == "." {
		return false
	}
	_, is := fs.Stat(root, "sys/class/infiniband/"+name)
	_, other := fs.Stat(root, "sys/class/net/"+name)
	return is == nil && other != nil
}

// portOf reads a port's folder.
func portOf(root fs.FS, folder string, number int) Port {
	p := Port{Number: number, Link: line(root, folder, "link_layer"), Rate: line(root, folder, "rate")}
	_, p.State, _ = strings.Cut(line(root, folder, "state"), ": ")
	for i := range mostGIDs {
		n := strconv.Itoa(i)
		text, err := fs.ReadFile(root, path.Join(folder, "gids", n))
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		gid := strings.TrimSpace(string(text))
		if strings.Trim(gid, "0:") == "" || gid == "fe80:0000:0000:0000:0000:0000:0000:0000" {
			continue
		}
		p.GIDs = append(p.GIDs, GID{
			Index: i, GID: gid, Type: line(root, folder, "gid_attrs", "types", n), Interface: line(root, folder, "gid_attrs", "ndevs", n),
		})
	}
	return p
}

// verbsOf is the device file of a device.
func verbsOf(root fs.FS, device string) string {
	const class = "sys/class/infiniband_verbs"
	files, _ := fs.ReadDir(root, class)
	for _, f := range files {
		if line(root, class, f.Name(), "ibdev") == device {
			return "/dev/infiniband/" + f.Name()
		}
	}
	return ""
}

// line is what a file of sysfs says, "" if it is not there.
func line(root fs.FS, names ...string) string {
	text, err := fs.ReadFile(root, path.Join(names...))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
