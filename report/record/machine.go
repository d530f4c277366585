package record

import (
	"io"
	"strings"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// WriteMachine writes the same as records: one array, or one object a line.
func WriteMachine(w io.Writer, array bool, m *device.Machine) error {
	j := NewJSON(w, array, listing.Options{})
	for i := range m.Interfaces {
		x := &m.Interfaces[i]
		b := j.beginRecord("interface")
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
		b.Close(']')
		b.remedies(words.InterfaceRemedies(x))
		j.endRecord()
	}
	for i := range m.Devices {
		j.device(&m.Devices[i])
	}
	b := j.beginRecord("process")
	for _, c := range words.Abilities(m) {
		b.object(strings.ToLower(c.Name))
		b.bool("have", c.Have)
		b.str("for", c.What)
		if c.Have {
			b.null("remedy")
		} else {
			b.strOrNull("remedy", c.Remedy.Command)
		}
		b.Close('}')
	}
	b.remedies(words.DeviceRemedies(m))
	j.endRecord()
	if array {
		b.B = append(b.B, "\n]\n"...)
	}
	return j.Flush()
}

// device writes the record of an RDMA device.
func (j *JSON) device(d *device.Device) {
	b := j.beginRecord("rdma_device")
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
			b.Close('}')
		}
		b.Close(']')
		b.Close('}')
	}
	b.Close(']')
	j.endRecord()
}

// remedies appends what is missing, with the commands.
func (j *buffer) remedies(list []words.Remedy) {
	j.list("remedies")
	for _, r := range list {
		j.object("")
		j.str("what", r.What)
		j.strOrNull("command", r.Command)
		j.Close('}')
	}
	j.Close(']')
}
