package device

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Survey asks for all that there is.
func Survey() (m Machine, err error) {
	k, err := Open()
	if err != nil {
		return m, err
	}
	defer k.Close()
	interfaces, err := k.All()
	if err != nil {
		return m, err
	}
	for _, x := range interfaces {
		m.Interfaces = append(m.Interfaces, Card{x, k.Speed(x.Name), k.Offloads(x.Name), k.TimeStamping(x.Name)})
	}
	if m.Devices, err = Devices(os.DirFS("/")); err != nil {
		return m, fmt.Errorf("RDMA devices: %w", err)
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	if err := unix.Capget(&head, &caps[0]); err != nil {
		return m, fmt.Errorf("capabilities: %w", err)
	}
	m.NetRaw = caps[0].Effective&(1<<unix.CAP_NET_RAW) != 0
	m.NetAdmin = caps[0].Effective&(1<<unix.CAP_NET_ADMIN) != 0
	m.Program, _ = os.Executable() // "" is reported otherwise
	for _, name := range []string{"libibverbs.so.1", "librdmacm.so.1"} {
		m.Libraries = append(m.Libraries, Library{name, installed(name)})
	}
	return m, nil
}

// installed reports whether a library is where distributions put them.
func installed(name string) bool {
	for _, pattern := range []string{"/usr/lib*/", "/lib*/", "/usr/lib*/*-linux-gnu*/", "/lib*/*-linux-gnu*/", "/usr/local/lib*/"} {
		if found, err := filepath.Glob(pattern + name); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}
