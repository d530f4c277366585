package query

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/iwarp"
)

// A unitFinder is a finder in an MPA frame or an FPDU.
type unitFinder func(u *flow.Unit, f *field.Field, to *filter.Values)

// units finds headers in the MPA frames and FPDUs that end in a frame, or that
// can be told only with it.
func units(find unitFinder) finder {
	return func(v *dissect.FrameView, f *field.Field, to *filter.Values) {
		for i := range v.Verdict.Units {
			find(&v.Verdict.Units[i], f, to)
		}
	}
}

// markerInterval is how many bytes of the stream lie between the first bytes
// of two markers, and markerSize how many a marker has (RFC 5044 section 4.3).
const (
	markerInterval = 512
	markerSize     = 4
)

// mpaHeader finds what is MPA's own.
func mpaHeader(t *field.Table) unitFinder {
	key := t.Key
	return func(u *flow.Unit, f *field.Field, to *filter.Values) {
		fpdu := &u.FPDU
		switch {
		case u.IsStart && key == "mpa":
			to.Header(f, u.Start.Bytes)
		case u.IsStart && key == "mpa.enhanced" && u.Start.HasDepths:
			to.Header(f, u.Start.Bytes[iwarp.StartSize:])
		case u.IsStart || fpdu.Lost:
		case key == "mpa.fpdu":
			to.Uint(uint64(fpdu.ULPDULength))
		case key == "mpa.crc" && fpdu.CRCState != iwarp.CRCUnchecked:
			to.Uint(uint64(fpdu.CRC))
		case key == "mpa.marker" && fpdu.FirstMarker >= 0:
			for at := fpdu.FirstMarker; at+markerSize <= len(fpdu.Raw); at += markerInterval {
				to.Header(f, fpdu.Raw[at:])
			}
		}
	}
}

// pduHeader finds the headers of DDP and RDMAP in the ULPDU.
func pduHeader(t *field.Table) unitFinder {
	key := t.Key
	return func(u *flow.Unit, f *field.Field, to *filter.Values) {
		if u.IsStart || u.FPDU.Lost {
			return
		}
		p := &u.PDU
		const ddp, rdmap = 1, 2 // bytes to the end of each one's control byte
		has, from := true, p.Bytes
		switch key {
		case "ddp":
		case "rdmap":
			from = from[min(ddp, len(from)):]
		case "ddp.tagged":
			has, from = p.Tagged, from[min(rdmap, len(from)):]
		case "ddp.untagged":
			has, from = !p.Tagged, from[min(rdmap, len(from)):]
		case "rdmap.read":
			_, has = p.ReadRequest()
			from = p.Payload()
		case "rdmap.immediate":
			_, has = p.Immediate()
			from = p.Payload()
		case "rdmap.atomicreq":
			_, has = p.AtomicRequest()
			from = p.Payload()
		case "rdmap.atomicresp":
			_, has = p.AtomicResponse()
			from = p.Payload()
		case "rdmap.term", "rdmap.term.length":
			terminate(p, f.Key, to)
			return
		default:
			has = false
		}
		if has {
			to.Header(f, from)
		}
	}
}

// terminate gives a field of a Terminate. Some senders lay out its bits as their
// compiler does, so the table does not do.
func terminate(p *iwarp.PDU, key string, to *filter.Values) {
	t, ok := p.Termination()
	if !ok {
		return
	}
	data := p.Payload()
	switch key {
	case "layer":
		to.Uint(uint64(t.Layer))
	case "etype":
		to.Uint(uint64(t.EType))
	case "ecode":
		to.Uint(uint64(t.ECode))
	case "m":
		to.Bool(t.HasLength)
	case "d":
		to.Bool(t.HasDDP)
	case "r":
		to.Bool(t.HasRDMAP)
	case "reserved":
		if t.LittleEndian { // then they are in two runs
			to.Uint(uint64(data[2] >> 3))
			to.Uint(uint64(data[3]))
		} else {
			to.Uint(uint64(binary.BigEndian.Uint16(data[2:]) & 0x1FFF))
		}
	case "ddp":
		// Of a message that is not as long as it says, Length is 0.
		if at := iwarp.TerminateMin; t.HasLength && len(data) >= at+2 && t.Length == binary.BigEndian.Uint16(data[at:]) {
			to.Uint(uint64(t.Length))
		}
	}
}
