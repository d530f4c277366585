// Package machine writes as text for people what a machine has to capture on.
package machine

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// Write writes what there is to capture on, and what is missing with the
// command that mends it. It has so many columns, 0 where nobody looks at it on a terminal.
func Write(w io.Writer, m *device.Machine, columns int) error {
	var b strings.Builder
	b.WriteString("network interfaces, for live -i\n")
	for i := range m.Interfaces {
		x := &m.Interfaces[i]
		fmt.Fprintf(&b, "  %-15s  %-16s  %-13s  MTU %-6d  %s\n", x.Name, stateOf(x), speedOf(x), x.MTU, stampsOf(x))
		for _, r := range words.InterfaceRemedies(x) {
			writeRemedy(&b, r)
		}
	}
	b.WriteString("\nRDMA devices\n")
	for i := range m.Devices {
		writeDevice(&b, &m.Devices[i])
	}
	for _, r := range words.DeviceRemedies(m) {
		writeRemedy(&b, r)
	}
	b.WriteString("\nthis process\n")
	for _, c := range words.Abilities(m) {
		fmt.Fprintf(&b, "  %-15s  %-3s  %s\n", c.Name, map[bool]string{true: "yes", false: "no"}[c.Have], c.What)
		if !c.Have {
			writeRemedy(&b, c.Remedy)
		}
	}
	t := lines.New(w, false, columns)
	for line := range strings.Lines(b.String()) {
		t.B = append(t.B, strings.TrimSuffix(line, "\n")...)
		t.Fit("          ")
		t.End()
	}
	return t.Flush()
}

func writeRemedy(b *strings.Builder, r words.Remedy) {
	b.WriteString("      " + r.What)
	if r.Command != "" {
		b.WriteString(": " + r.Command)
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
		return "timestamps by the adapter"
	}
	return "timestamps by the kernel"
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
