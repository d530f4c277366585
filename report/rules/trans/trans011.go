package trans

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/iwarp"
	"github.com/rdmacap/rdmacap/report/rules"
)

func trans011() *rules.Rule {
	return &rules.Rule{
		ID: "TRANS-011", Title: "MPA start-up or framing error",
		Severity: rules.Error,
		Since:    "0.5",
		Meaning: "The stream below iWARP is not as MPA wants it: a start frame that is wrong or refuses the connection, an FPDU with a wrong " +
			"CRC or marker, or a length that leads to no other FPDU.",
		Why: "A receiver that finds it ends the connection with a Terminate. Once it is not known where an FPDU begins, nothing behind can " +
			"be read.",
		Advice: "Look at the adapter that sent it. A wrong CRC alone may be damage that TCP's checksum did not find, on the host rather " +
			"than on the wire.",
		Reference: "RFC 5044, sections 4.2 to 4.5, 7.1 and 8; RFC 6581, sections 6 and 9",
		Gates:     rules.Gates{rules.SilentIf(rules.LostSince).In("bc").Since("the FPDU began"), rules.SilentIf(rules.Lossy).In("d")},
		Limits: "A Request with a wrong key makes no connection of iWARP, so only a Reply's key is judged. Whether markers are missing " +
			"or uncalled for shows as a wrong marker (c) or as lost framing (d). Case b is silent where the set-up, which says " +
			"whether there are CRCs, was not captured and nothing shows them. The reserved flag 0x08, which a Linux siw can be " +
			"built to send, is a note.",
		Cases: []rules.Case{
			{Letter: "a", Title: "start frame", Severity: rules.Error},
			{Letter: "b", Title: "CRC", Severity: rules.Error},
			{Letter: "c", Title: "marker", Severity: rules.Error},
			{Letter: "d", Title: "framing", Severity: rules.Error},
			{Letter: "e", Title: "both ends do without CRC", Severity: rules.Note,
				Advice: "TCP's checksum alone protects the data. Where the network or the hosts are not to be trusted, switch the CRC on in one " +
					"of the adapters."},
		},
		On: []rules.Event{rules.OnBegin(begin011), rules.OnFrame(rules.Starting|rules.Damaged|rules.Awaited, frame011)},
		Fires: []rules.Sample{
			{Name: "the Reply has another key", Over: rules.IWARP, Scene: `
				connect
				    mpa crc badkey=server
				    want TRANS-011a frame 6
				call 1 NFS3 NULL`},
			{Name: "revision 7", Over: rules.IWARP, Scene: `
				connect
				    mpa crc revision=7
				    want TRANS-011a frame 4
				    want TRANS-011a frame 6
				call 1 NFS3 NULL
				reply 1
				disconnect`},
			{Name: "reserved flags of the Request", Over: rules.IWARP, Scene: `
				connect
				    mpa crc reserved=client
				    want TRANS-011a frame 4
				call 1 NFS3 NULL
				reply 1
				disconnect`},
			{Name: "more private data than there may be", Over: rules.IWARP, Scene: `
				connect
				    mpa crc pdlength=[600 0]
				    want TRANS-011a frame 4
				call 1 NFS3 NULL`},
			{Name: "the server speaks first", Over: rules.IWARP, Scene: `
				connect client=none server=none
				    mpa crc
				send server bytes(64)
				    want TRANS-011a frame
				call 1 NFS3 NULL
				reply 1
				disconnect`},
			{Name: "the server refuses", Over: rules.IWARP, Scene: `
				reject
				    mpa crc
				    want TRANS-011a frame 6`},
			{Name: "a CRC is wrong", Over: rules.IWARP, Scene: `
				connect
				    mpa crc
				call 1 NFS3 NULL
				reply 1
				fpdu client untagged opcode=3 qn=0 payload=bytes(64) wrongcrc
				    want TRANS-011b frame
				disconnect`},
			{Name: "a marker points elsewhere", Over: rules.IWARP, Scene: `
				connect
				    mpa crc markers
				call 1 NFS3 NULL
				reply 1
				fpdu client untagged opcode=3 qn=0 payload=bytes(600) wrongmarker=0x40
				    want TRANS-011c frame
				disconnect`},
			{Name: "a length that is too large", Over: rules.IWARP, Scene: `
				connect client=none server=none
				    mpa crc
				fpdu client untagged opcode=3 qn=0 payload=bytes(64) length=70
				repeat 4
				send client bytes(64)
				end
				want TRANS-011b
				want TRANS-011d
				disconnect`},
			{Name: "nobody wants CRCs", Over: rules.IWARP, Scene: `
				connect
				    want TRANS-011e frame 6
				call 1 NFS3 NULL
				reply 1
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "CRCs and markers as they should be", Over: rules.IWARP, Scene: `
				connect
				    mpa crc markers
				call 1 NFS3 WRITE data=bytes(3000)
				reply 1
				disconnect`},
			{Name: "the server speaks first, as peers may", Over: rules.IWARP, Scene: `
				connect client=none server=none
				    mpa crc rtr=write
				send server bytes(64)
				call 1 NFS3 NULL
				reply 1
				disconnect`},
			{Name: "revision 1", Over: rules.IWARP, Scene: `
				connect
				    mpa crc revision=1 plain
				call 1 NFS3 NULL
				reply 1
				disconnect`},
			{Name: "the first FPDU of the client is missing from the capture", Over: rules.IWARP, Scene: `
				connect
				    mpa crc
				call 1 NFS3 NULL
				    drop frame 1
				reply 1
				disconnect`},
		},
	}
}

// framing looks at the start frames and the FPDUs of a connection.
type framing struct {
	crc [2]bool // an end asked for CRCs
	has [2]bool // its start frame was seen
	// spoke says that an end sent FPDUs.
	spoke [2]bool
	// request is the sequence number behind the initiator's start frame, reply that
	// of the responder's first octet; asked says that the Request was seen, and
	// answered that the first octets of the Reply were.
	request, reply  uint32
	asked, answered bool
	badCRC          int64
	// holes are those of the connection that were seen, missing those of them that
	// frames are missing for, rather than damaged.
	holes, missing int64
	settled        bool // nothing is to be learned of the start any more
}

// begin011 waits for the start of the stream.
func begin011(c *rules.Conn, _ rules.Say) {
	if c.IWARP() {
		of(c).await(c)
	}
}

func frame011(c *rules.Conn, v *dissect.FrameView, say rules.Say) {
	if !c.IWARP() {
		return
	}
	f := rules.Some(&of(c).framing)
	healthy := !v.Verdict.Faulty && c.BadCRC == f.badCRC
	if healthy {
		f.missing += c.Holes - f.holes
	}
	f.holes = c.Holes
	if f.settled && healthy {
		return
	}
	f.badCRC = c.BadCRC
	f.key(c, v, say)
	for i := range v.Verdict.Units {
		u := &v.Verdict.Units[i]
		if u.IsStart {
			f.start(c, v, u, say)
			continue
		}
		f.turn(c, v, u, say)
		f.fpdu(c, v, u, say)
	}
	if f.spoke[0] && f.spoke[1] || c.Setup != flow.SetupMPA {
		f.settled = true
		of(c).await(c)
	}
}

// turn looks whether the responder waits for the initiator's first FPDU (RFC 5044,
// section 7.1.2): it does not if it has not even received one.
func (f *framing) turn(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, say rules.Say) {
	end := v.Verdict.From & 1
	if u.Last != rules.Ref(v) {
		end ^= 1 // it waited for this frame of its peer
	}
	f.spoke[end] = true
	if end == 0 || f.spoke[0] || !f.asked || u.Last != rules.Ref(v) || u.First != u.Last || v.Verdict.Note != flow.InOrder {
		return
	}
	if v.Link.TCP.Ack != f.request {
		return
	}
	if x := say.Key("turn").Frame("a", v, ""); x != nil {
		x.Sayf("the %s sends an FPDU and has not received one: the initiator must be the first", c.Sender(end))
	}
}

// fpdu looks at an FPDU.
func (f *framing) fpdu(c *rules.Conn, v *dissect.FrameView, u *flow.Unit, say rules.Say) {
	p := &u.FPDU
	switch {
	case p.Lost:
		if f.missing > 0 || c.Gap() {
			return
		}
		if x := say.Frame("d", v, ""); x != nil {
			x.Sayf("no FPDU of the %s begins where the one before it ends", c.Sender(v.Verdict.From))
			x.See("ULPDU_Length there", p.ULPDULength, nil).See("position in the stream", p.At, nil).With(u.First)
		}
	case p.Fault.Bad():
		if lost(c, v, u.First) {
			return
		}
		if x := say.Frame("c", v, ""); x != nil {
			x.Sayf("a marker of the %s is wrong: %s", c.Sender(v.Verdict.From), p.Fault)
			x.See("position in the stream", p.At+uint64(max(p.Fault.Offset, 0)), nil).With(u.First)
			if u.At >= 0 {
				x.At(flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + u.At + p.Fault.Offset, Length: 1})
			}
		}
	}
	if p.CRCState == iwarp.CRCWrong && !lost(c, v, u.First) {
		if x := say.Frame("b", v, ""); x != nil {
			x.Sayf("an FPDU of the %s has the CRC 0x%08x, and its octets give 0x%08x", c.Sender(v.Verdict.From), p.CRC, p.Computed)
			x.See("CRC", rules.Handle(p.CRC), rules.Handle(p.Computed)).See("position in the stream", p.At, nil).With(u.First)
			if u.At >= 0 {
				x.At(flow.Place{Ref: rules.Ref(v), Offset: v.Link.TCPData() + u.At + len(p.Raw) - 4, Length: 4})
			}
		}
	}
}
