package layers

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/iwarp"
)

// A run of FPDUs is cut at every byte: those before the cut are as they were,
// the one that is cut is truncated, with what is there of it, and nothing comes
// after.
func TestCutRun(t *testing.T) {
	b, at := run(true)
	for n := 1; n < len(b); n++ {
		p := gopacket.NewPacket(b[:n:n], LayerTypeFPDU, gopacket.NoCopy)
		all := cursor(p.Layers())
		i := 0
		for ; at[i+1] <= n; i++ {
			if complaint := all.differs(b[at[i]:at[i+1]], at[i+1]-at[i], false); complaint != "" {
				t.Fatalf("%d bytes, FPDU %d: %s", n, i, complaint)
			}
		}
		part := b[at[i]:n]
		if p.Metadata().Truncated != (len(part) > 0) {
			t.Errorf("%d bytes: truncated %v", n, p.Metadata().Truncated)
		}
		if len(part) > 0 {
			cutFPDU(t, &all, p, part, at[i+1]-at[i])
		}
		if l := all.next(); l != nil {
			t.Errorf("%d bytes: one more layer, %v", n, l.LayerType())
		}
	}
}

// cutFPDU looks at the layers of the last, cut FPDU.
func cutFPDU(t *testing.T, all *cursor, p gopacket.Packet, part []byte, size int) {
	t.Helper()
	failed := func(why string) {
		t.Helper()
		if l := all.next(); l == nil || l.LayerType() != gopacket.LayerTypeDecodeFailure || p.ErrorLayer() == nil {
			t.Errorf("%d of %d bytes: %s, and no error", len(part), size, why)
		}
	}
	if len(part) < 2 {
		failed("no length")
		return
	}
	length := int(binary.BigEndian.Uint16(part))
	header := 18
	if len(part) > 2 && part[2]&0x80 != 0 {
		header = 14
	}
	if captured := min(len(part)-2, length); captured < header {
		if l, ok := all.next().(*FPDU); !ok || l.Whole || l.ULPDULength != length || len(l.Payload) != captured {
			t.Errorf("%d of %d bytes: FPDU %+v", len(part), size, l)
		}
		if captured > 0 {
			failed("a part of the DDP header")
		}
		return
	}
	// What RDMAP defines is there whole or is an error; of a Terminate, the
	// control field is enough.
	payload := part[2+header : min(len(part), 2+length)]
	op := iwarp.OpCode(part[3] & 15)
	least := map[iwarp.OpCode]int{iwarp.OpReadRequest: 28, iwarp.OpTerminate: 4, iwarp.OpImmediate: 8, iwarp.OpImmediateSE: 8,
		iwarp.OpAtomicRequest: 52, iwarp.OpAtomicResponse: 12}[op]
	if len(payload) == 0 || len(payload) >= least {
		if complaint := all.differs(part, size, false); complaint != "" {
			t.Errorf("%d of %d bytes: %s", len(part), size, complaint)
		}
		return
	}
	if l, ok := all.next().(*FPDU); !ok || l.Whole {
		t.Errorf("%d of %d bytes: FPDU %+v", len(part), size, l)
	}
	if l, ok := all.next().(*DDP); !ok || l.OpCode != op || !l.Fault.Bad() || l.Fault.Offset != header+len(payload) {
		t.Errorf("%d of %d bytes: DDP %+v", len(part), size, l)
	}
	failed("a part of a message")
}

// A frame that the snap length cut is decoded as far as it goes, from Ethernet
// or IP on, where it shows what it is.
func TestCutFrame(t *testing.T) {
	RegisterTCPPort()
	stream := build.MPAStream{}
	fpdu := stream.FPDU(examples()[2].ulpdu)
	frame := build.TCPFrame(build.IPv4{}, build.TCP{SrcPort: 50000, DstPort: iwarp.Port, Seq: 1, Flags: build.ACK}, build.Payload(fpdu))
	start := len(frame) - len(fpdu)
	if !bytes.Equal(frame[start:], fpdu) {
		t.Fatal("the frame does not end with the FPDU")
	}
	for n := start + 1; n < len(frame); n++ {
		p := gopacket.NewPacket(frame[:n], layers.LayerTypeEthernet, gopacket.DecodeOptions{DecodeStreamsAsDatagrams: true})
		here := n - start
		if !p.Metadata().Truncated || (p.Layer(LayerTypeFPDU) != nil) != (here >= 20) || (p.Layer(LayerTypeDDP) != nil) != (here >= 20) ||
			(p.Layer(LayerTypeReadRequest) != nil) != (here >= 48) || (p.ErrorLayer() != nil) != (here > 20 && here < 48) {
			t.Errorf("%d bytes of the FPDU: %v, error %v", here, typesOf(p), p.ErrorLayer())
		}
	}
}

// Each message that no DDP header announced is an error if it is cut, and else
// followed by payload; a Terminate says where it was cut.
func TestMessagesAlone(t *testing.T) {
	for _, test := range []struct {
		typ  gopacket.LayerType
		size int
	}{{LayerTypeReadRequest, 28}, {LayerTypeAtomicRequest, 52}, {LayerTypeAtomicResponse, 12}, {LayerTypeImmediate, 8}, {LayerTypeTerminate, 4}} {
		for n := 1; n <= test.size; n++ {
			p := gopacket.NewPacket(make([]byte, n), test.typ, gopacket.Default)
			if cut := n < test.size; cut != (p.ErrorLayer() != nil) || cut != p.Metadata().Truncated || cut == (p.Layer(test.typ) != nil) {
				t.Errorf("%v of %d bytes: %v", test.typ, n, p)
			}
		}
		if test.typ == LayerTypeTerminate {
			continue
		}
		p := gopacket.NewPacket(make([]byte, test.size+3), test.typ, gopacket.Default)
		if l := p.Layer(gopacket.LayerTypePayload); l == nil || len(l.LayerContents()) != 3 || p.ErrorLayer() != nil {
			t.Errorf("%v and three bytes: %v", test.typ, p)
		}
	}
	whole := examples()[10].ulpdu[18:]
	for n := iwarp.TerminateMin; n <= len(whole); n++ {
		l, ok := gopacket.NewPacket(whole[:n], LayerTypeTerminate, gopacket.Default).Layer(LayerTypeTerminate).(*Terminate)
		if cut := n < len(whole); !ok || l.Layer != 0 || l.EType != 1 || l.ECode != 1 || cut != l.Fault.Bad() || cut == (l.RDMAP != nil) ||
			l.Fault.Offset < 0 || l.Fault.Offset > n {
			t.Errorf("%d bytes of a Terminate: %+v", n, l)
		}
	}
}

// A start-up frame is cut at every byte, with and without enhanced setup.
func TestCutStart(t *testing.T) {
	for _, start := range []build.MPAStart{
		{Revision: 1, Private: []byte("private data")},
		{Revision: 1, Enhanced: false, Reserved: 1, Private: []byte("x")},
		{Revision: 2, Enhanced: true, Reply: true, Private: []byte("private data")},
	} {
		b := start.Bytes()
		if start.Enhanced {
			checkCutStart(t, b, 24)
		} else {
			checkCutStart(t, b, 20)
		}
	}
	// S means nothing in revision 1, so the private data begins at once.
	b := build.MPAStart{Revision: 1, Private: []byte("private data")}.Bytes()
	b[16] |= 0x10
	checkCutStart(t, b, 20)

	for _, b := range [][]byte{[]byte("MPA ID Rex Frame"), []byte("No key of MPA begins so"), {0}} {
		if p := gopacket.NewPacket(b, LayerTypeMPAStart, gopacket.Default); p.ErrorLayer() == nil || p.Metadata().Truncated {
			t.Errorf("%q: %v", b, p)
		}
	}
	long := append([]byte("MPA ID Req Frame\x00\x01\x02\x01"), make([]byte, 600)...)
	p := gopacket.NewPacket(long, LayerTypeMPAStart, gopacket.Default)
	if l := p.Layers()[0].(*MPAStart); !l.Fault.Bad() || l.Next != nil || len(l.Contents) != 20 || len(l.Payload) != 600 {
		t.Errorf("PD_Length of 513: %+v", l)
	}
}

// checkCutStart cuts a frame whose private data begins at that byte.
func checkCutStart(t *testing.T, b []byte, private int) {
	t.Helper()
	for n := 1; n <= len(b); n++ {
		p := gopacket.NewPacket(b[:n], LayerTypeMPAStart, gopacket.Default)
		l, ok := p.Layer(LayerTypeMPAStart).(*MPAStart)
		if cut := n < len(b); ok != (n >= 20) || ok == (p.ErrorLayer() != nil) || cut != p.Metadata().Truncated || ok && cut != l.Fault.Bad() {
			t.Fatalf("%d of %d bytes: %v", n, len(b), p)
		}
		if ok && (!bytes.Equal(l.Contents, b[:min(n, private)]) || !bytes.Equal(l.Payload, b[min(n, private):n])) {
			t.Errorf("%d of %d bytes: contents %x, payload %x", n, len(b), l.Contents, l.Payload)
		}
	}
}
