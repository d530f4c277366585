package keep

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// le is the byte order of what is written.
var le pcapng.Order = binary.LittleEndian

// nanoseconds is the unit of all times that are written: 10 to the power of minus 9.
const nanoseconds = 9

// An origin is what frames have in common that came by one interface.
type origin struct {
	file   int32
	number uint16
	link   link.Type
}

// interfaces gives each origin a number, which it has in every file.
type interfaces struct {
	ids    map[origin]uint32
	last   origin // that was asked for
	lastID uint32
	list   []*port
	// describe returns the name and the description of an interface, "" for none.
	describe func(f *capture.Frame) (name, description string)
	// drops returns how many frames were dropped before a file's next one, nil if nobody
	// knows.
	drops func(file int) (before, ring int64)
}

// A port is an interface.
type port struct {
	file  int
	block []byte // that describes it
	// delivered is how many frames came by it, dropped how many drops were told with them.
	delivered, dropped int64
}

// interfaceOf is the number of the interface by which a frame came.
func (t *interfaces) interfaceOf(f *capture.Frame) uint32 {
	o := origin{f.File, f.Interface, f.Link}
	if o == t.last && len(t.list) > 0 {
		return t.lastID
	}
	id, known := t.ids[o]
	if !known {
		id = uint32(len(t.list))
		t.ids[o] = id
		t.list = append(t.list, &port{file: int(f.File), block: t.block(f)})
	}
	t.last, t.lastID = o, id
	return id
}

// block describes the interface of a frame.
func (t *interfaces) block(f *capture.Frame) []byte {
	b := pcapng.BeginInterface(nil, le, uint16(f.Link), 0, nanoseconds)
	if t.describe != nil {
		name, description := t.describe(f)
		if name != "" {
			b = pcapng.AppendText(b, le, pcapng.Name, name)
		}
		if description != "" {
			b = pcapng.AppendText(b, le, pcapng.Description, description)
		}
	}
	return pcapng.End(pcapng.EndOptions(b, le), le, 0)
}

// newDrops is how many frames were dropped at an interface since it was called last.
func (t *interfaces) newDrops(id uint32) (n int64) {
	p := t.list[id]
	if t.drops != nil {
		_, ring := t.drops(p.file)
		n, p.dropped = ring-p.dropped, ring
	}
	return n
}

// statisticsSize is the length in bytes of what statistics appends for an interface.
const statisticsSize = 24 + 3*12 + 4

// statistics appends what came of the first n interfaces by a time.
func (t *interfaces) statistics(b []byte, n int, time int64) []byte {
	for id, p := range t.list[:n] {
		start := len(b)
		b = pcapng.BeginStatistics(b, le, uint32(id), uint64(time))
		if t.drops != nil {
			before, ring := t.drops(p.file)
			b = pcapng.AppendCount(b, le, pcapng.InterfaceDrops, uint64(before))
			b = pcapng.AppendCount(b, le, pcapng.SystemDrops, uint64(ring))
		}
		b = pcapng.AppendCount(b, le, pcapng.Delivered, uint64(p.delivered))
		b = pcapng.End(pcapng.EndOptions(b, le), le, start)
	}
	return b
}
