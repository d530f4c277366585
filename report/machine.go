package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/capture/device"
)

// WriteMachineText writes what there is to capture on, and what is missing with the
// command that mends it.
func WriteMachineText(w io.Writer, m *device.Machine) error {
	var b strings.Builder
	b.WriteString("network interfaces, for live -i\n")
	for i := range m.Interfaces {
		x := &m.Interfaces[i]
		fmt.Fprintf(&b, "  %-15s  %-16s  %-13s  MTU %-6d  %s\n", x.Name, stateOf(x), speedOf(x), x.MTU, stampsOf(x))
		for _, r := range interfaceRemedies(x) {
			r.write(&b)
		}
	}
	b.WriteString("\nRDMA devices\n")
	for i := range m.Devices {
		writeDevice(&b, &m.Devices[i])
	}
	for _, r := range deviceRemedies(m) {
		r.write(&b)
	}
	b.WriteString("\nthis process\n")
	for _, c := range abilities(m) {
		fmt.Fprintf(&b, "  %-15s  %-3s  %s\n", c.name, map[bool]string{true: "yes", false: "no"}[c.have], c.what)
		if !c.have {
			c.remedy.write(&b)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// A remedy is a command that mends something.
type remedy struct{ what, command string }

func (r remedy) write(b *strings.Builder) {
	b.WriteString("      " + r.what)
	if r.command != "" {
		b.WriteString(": " + r.command)
	}
	b.WriteByte('\n')
}

func stateOf(x *device.Card) string {
	switch {
	case !x.Up:
		return "down"
	case !x.Carrier:
		return "up, no link"
	}
	return "up"
}

func speedOf(x *device.Card) string {
	switch {
	case x.Speed == 0:
		return "-"
	case x.Speed%1000 == 0:
		return strconv.Itoa(x.Speed/1000) + " Gbit/s"
	}
	return strconv.Itoa(x.Speed) + " Mbit/s"
}

func stampsOf(x *device.Card) string {
	if x.All {
		return "time stamps by the card"
	}
	return "time stamps by the kernel"
}

// interfaceRemedies are for what spoils a capture on an interface.
func interfaceRemedies(x *device.Card) (list []remedy) {
	switch {
	case x.Type == device.TypeInfiniBand:
		return []remedy{{"RDMA does not pass IP over InfiniBand; capture on the device", "ibdump -w - | rdmacap live -r -"}}
	case !x.Capturable():
		return []remedy{{"is no Ethernet, and cannot be captured", ""}}
	}
	if !x.Up {
		list = append(list, remedy{"is down", "ip link set " + x.Name + " up"})
	}
	if command := x.Remedy(x.Name); command != "" && x.Type != device.TypeLoopback {
		list = append(list, remedy{strings.Join(x.Merging(), ", ") + " would put TCP segments of iWARP together before they are captured", command})
	}
	return list
}

func writeDevice(b *strings.Builder, d *device.Device) {
	for i := range d.Ports {
		p := &d.Ports[i]
		fmt.Fprintf(b, "  %-15s  %-16s  %-13s  %s  %s\n", d.Name+" port "+strconv.Itoa(p.Number), p.State, p.Link, p.Rate, strings.Join(p.Interfaces(), ", "))
		for _, g := range p.GIDs {
			fmt.Fprintf(b, "      GID %-3d  %s  %s  %s\n", g.Index, g.GID, g.Type, g.Interface)
		}
	}
}

// deviceRemedies are for what RDMA devices lack.
func deviceRemedies(m *device.Machine) (list []remedy) {
	if len(m.Devices) == 0 {
		on := "IFACE"
		for i := range m.Interfaces {
			if x := &m.Interfaces[i]; x.Type == device.TypeEthernet && x.Up {
				on = x.Name
				break
			}
		}
		return []remedy{{"there is none; one in software (rdma_rxe, or siw for iWARP)", "rdma link add rxe0 type rxe netdev " + on}}
	}
	for i := range m.Devices {
		d := &m.Devices[i]
		if d.Verbs == "" {
			list = append(list, remedy{d.Name + " has no device file for programs", "modprobe ib_uverbs"})
		}
		for k := range d.Ports {
			p := &d.Ports[k]
			if names := p.Interfaces(); !p.Active() && p.Link == "Ethernet" && len(names) > 0 {
				list = append(list, remedy{d.Name + " is not active", "ip link set " + names[0] + " up"})
			}
		}
	}
	return list
}

// An ability is something that this process may need.
type ability struct {
	name   string
	have   bool
	what   string
	remedy remedy
}

func abilities(m *device.Machine) []ability {
	program := m.Program
	if program == "" {
		program = "rdmacap"
	}
	list := []ability{
		{"CAP_NET_RAW", m.NetRaw, "to capture on interfaces", remedy{"run it as root, or", "setcap cap_net_raw+ep " + program}},
		{"CAP_NET_ADMIN", m.NetAdmin, "to turn on a card's time stamps (live --hardware-time)", remedy{"run it as root, or", "setcap cap_net_raw,cap_net_admin+ep " + program}},
	}
	for _, l := range m.Libraries {
		list = append(list, ability{l.Name, l.Found, "to use RDMA devices", remedy{"install it", "apt install libibverbs1 librdmacm1 ibverbs-providers, or dnf install libibverbs librdmacm"}})
	}
	return list
}

// WriteMachineJSON writes the same as records: one array, or one object a line.
func WriteMachineJSON(w io.Writer, array bool, m *device.Machine) error {
	j := NewJSON(w, array, Options{})
	for i := range m.Interfaces {
		x := &m.Interfaces[i]
		b := j.begin("interface")
		b.str("name", x.Name)
		b.bool("capturable", x.Capturable())
		b.bool("up", x.Up)
		b.bool("link", x.Carrier)
		if x.Speed == 0 {
			b.null("speed_mbps")
		} else {
			b.int("speed_mbps", int64(x.Speed))
		}
		b.int("mtu", int64(x.MTU))
		b.bool("hardware_time", x.All)
		b.list("merging")
		for _, word := range x.Merging() {
			b.str("", word)
		}
		b.close(']')
		b.remedies(interfaceRemedies(x))
		j.end()
	}
	for i := range m.Devices {
		j.device(&m.Devices[i])
	}
	b := j.begin("process")
	for _, c := range abilities(m) {
		b.object(strings.ToLower(c.name))
		b.bool("have", c.have)
		b.str("for", c.what)
		if c.have {
			b.null("remedy")
		} else {
			b.str("remedy", c.remedy.command)
		}
		b.close('}')
	}
	b.remedies(deviceRemedies(m))
	j.end()
	if array {
		b.b = append(b.b, "\n]\n"...)
	}
	return j.Flush()
}

// device writes the record of an RDMA device.
func (j *JSON) device(d *device.Device) {
	b := j.begin("rdma_device")
	b.str("name", d.Name)
	b.strOrNull("verbs", d.Verbs)
	b.list("ports")
	for i := range d.Ports {
		p := &d.Ports[i]
		b.object("")
		b.int("port", int64(p.Number))
		b.str("state", p.State)
		b.str("link_layer", p.Link)
		b.str("rate", p.Rate)
		b.list("gids")
		for _, g := range p.GIDs {
			b.object("")
			b.int("index", int64(g.Index))
			b.str("gid", g.GID)
			b.strOrNull("gid_type", g.Type)
			b.strOrNull("netdev", g.Interface)
			b.close('}')
		}
		b.close(']')
		b.close('}')
	}
	b.close(']')
	j.end()
}

// remedies appends what is missing, with the commands.
func (j *jsonBuffer) remedies(list []remedy) {
	j.list("remedies")
	for _, r := range list {
		j.object("")
		j.str("what", r.what)
		j.strOrNull("command", r.command)
		j.close('}')
	}
	j.close(']')
}
