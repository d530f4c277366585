package words

import (
	"strings"

	"github.com/rdmacap/rdmacap/capture/device"
)

// A Remedy is a command that mends something.
type Remedy struct{ What, Command string }

// InterfaceRemedies are for what spoils a capture on an interface.
func InterfaceRemedies(x *device.Card) (list []Remedy) {
	switch {
	case x.Type == device.TypeInfiniBand:
		return []Remedy{{"RDMA traffic is not visible on IP over InfiniBand; capture on the device", "ibdump -w - | rdmacap live -r -"}}
	case !x.Capturable():
		return []Remedy{{"is not Ethernet and cannot be captured", ""}}
	}
	if !x.Up {
		list = append(list, Remedy{"is down", "ip link set " + x.Name + " up"})
	}
	if command := x.Remedy(x.Name); command != "" && x.Type != device.TypeLoopback {
		list = append(list, Remedy{strings.Join(x.Merging(), ", ") + " would merge TCP segments of iWARP before they are captured", command})
	}
	return list
}

// DeviceRemedies are for what RDMA devices lack.
func DeviceRemedies(m *device.Machine) (list []Remedy) {
	if len(m.Devices) == 0 {
		on := "IFACE"
		for i := range m.Interfaces {
			if x := &m.Interfaces[i]; x.Type == device.TypeEthernet && x.Up {
				on = x.Name
				break
			}
		}
		return []Remedy{{"there is none; to add one in software (rdma_rxe, or siw for iWARP)", "rdma link add rxe0 type rxe netdev " + on}}
	}
	for i := range m.Devices {
		d := &m.Devices[i]
		if d.Verbs == "" {
			list = append(list, Remedy{d.Name + " has no device file for programs", "modprobe ib_uverbs"})
		}
		for k := range d.Ports {
			p := &d.Ports[k]
			if names := p.Interfaces(); !p.Active() && p.Link == "Ethernet" && len(names) > 0 {
				list = append(list, Remedy{d.Name + " is not active", "ip link set " + names[0] + " up"})
			}
		}
	}
	return list
}

// An ability is something that this process may need.
type ability struct {
	Name   string
	Have   bool
	What   string
	Remedy Remedy
}

// Abilities are those that capturing may need, with what is missing of them.
func Abilities(m *device.Machine) []ability {
	program := m.Program
	if program == "" {
		program = "rdmacap"
	}
	list := []ability{
		{"CAP_NET_RAW", m.NetRaw, "to capture on interfaces", Remedy{"run it as root, or", "setcap cap_net_raw+ep " + program}},
		{"CAP_NET_ADMIN", m.NetAdmin, "to turn on the timestamps of an adapter (live --hardware-time)", Remedy{"run it as root, or", "setcap cap_net_raw,cap_net_admin+ep " + program}},
	}
	remedy := Remedy{"install it", "apt install libibverbs1 librdmacm1 ibverbs-providers, or dnf install libibverbs librdmacm"}
	if m.NoVerbs {
		remedy = Remedy{"this build of rdmacap cannot use it: it needs a build for Linux on amd64 or arm64 without the tag noverbs", ""}
	}
	for _, l := range m.Libraries {
		list = append(list, ability{l.Name, l.Found && !m.NoVerbs, "to use RDMA devices", remedy})
	}
	return list
}
