package anonymize

import (
	"encoding/binary"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
)

// A Sealer computes the CRCs of FPDUs of what a Plan makes of them. It is a dissect.Sink that wants
// the units of frames, and receives the captures after the Planner.
type Sealer struct{ Plan *Plan }

// Frame implements dissect.Sink.
func (x Sealer) Frame(v *dissect.FrameView) {
	for i := range v.Verdict.Units {
		if u := &v.Verdict.Units[i]; !u.IsStart && !u.FPDU.Lost {
			x.unit(u)
		}
	}
}

const crcSize = 4

// unit computes the CRC of an FPDU that was captured whole.
func (x Sealer) unit(u *flow.Unit) {
	was := u.FPDU.Raw
	if len(was) != u.FPDU.Length || len(was) <= crcSize {
		return
	}
	is := make([]byte, len(was))
	for _, p := range u.Pieces {
		if f := x.Plan.frames[p.Ref]; f != nil && f.group != nil && p.Offset >= f.payload && p.Start+p.Length <= len(is) {
			copy(is[p.Start:], f.payloadAt(p.Offset, p.Length))
		}
	}
	at := len(was) - crcSize
	carried := was[at:]
	crc := binary.BigEndian.AppendUint32(nil, iwarp.CRC(is[:at]))
	crc = x.Plan.check(carried, binary.BigEndian.AppendUint32(nil, iwarp.CRC(was[:at])), crc)
	within(u.Pieces, at, crcSize, func(at int, p flow.Place) {
		if f := x.Plan.frames[p.Ref]; f != nil {
			f.place(p.Offset, crc[at:at+p.Length])
		}
	})
}

// Connection implements dissect.Sink.
func (Sealer) Connection(*dissect.Connection, bool) {}

// Message implements dissect.Sink.
func (Sealer) Message(*dissect.Message) {}

// RPC implements dissect.Sink.
func (Sealer) RPC(*dissect.RPC) {}

// Err is that of a renderer.
func (Sealer) Err() error { return nil }

// Flush is that of a renderer.
func (Sealer) Flush() error { return nil }

// Finish is that of a renderer.
func (Sealer) Finish(dissect.Summary, time.Duration) error { return nil }
