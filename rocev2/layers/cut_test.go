package layers

import (
	"encoding/binary"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/rocev2"
)

// A frame cut by the snap length has no ICRC to show, and no fault for it.
func TestCutFrame(t *testing.T) {
	RegisterUDPPort()
	b := hexBytes(t, writeOnly)
	const start = 28 // IPv4 and UDP
	for n := start + rocev2.BTHSize; n < len(b); n++ {
		p := gopacket.NewPacket(b[:n], layers.LayerTypeIPv4, gopacket.Default)
		bth, ok := p.Layer(LayerTypeBTH).(*BTH)
		if !ok || bth.ICRC != 0 || bth.Fault.Bad() || !p.Metadata().Truncated {
			t.Fatalf("%d bytes: BTH %+v", n, bth)
		}
		if cut := n < start+rocev2.BTHSize+16; cut != (p.Layer(LayerTypeRETH) == nil) || cut != (p.ErrorLayer() != nil) {
			t.Errorf("%d bytes: RETH %v, error %v", n, p.Layer(LayerTypeRETH), p.ErrorLayer())
		}
	}
	p := gopacket.NewPacket(b[start:start+rocev2.BTHSize-1], LayerTypeBTH, gopacket.Default)
	if p.ErrorLayer() == nil || !p.Metadata().Truncated {
		t.Error("no error from eleven bytes of BTH")
	}
}

// What is addressed as CM and is another class of MAD is payload; so is what
// is too short to have a class.
func TestOtherMADs(t *testing.T) {
	b := make([]byte, rocev2.BTHSize+8+rocev2.MADSize+rocev2.ICRCSize)
	b[0] = byte(rocev2.OpUDSendOnly)
	binary.BigEndian.PutUint32(b[4:], 1)
	binary.BigEndian.PutUint32(b[rocev2.BTHSize:], 0x80010000)
	class := &b[rocev2.BTHSize+8+1]
	for _, test := range []struct {
		class byte
		n     int
		want  gopacket.LayerType
	}{
		{rocev2.MgmtClassCM, len(b), LayerTypeCM},
		{rocev2.MgmtClassCM, rocev2.BTHSize + 8 + 4 + rocev2.ICRCSize, LayerTypeCM},
		{rocev2.MgmtClassCM, rocev2.BTHSize + 8 + rocev2.ICRCSize, gopacket.LayerTypeZero},
		{0x03, len(b), gopacket.LayerTypePayload},
	} {
		*class = test.class
		p := gopacket.NewPacket(b[:test.n], LayerTypeBTH, gopacket.Default)
		last := gopacket.LayerTypeZero
		if all := p.Layers(); len(all) > 2 {
			last = all[2].LayerType()
		}
		if last != test.want || p.ErrorLayer() != nil {
			t.Errorf("class %#x, %d bytes: %v after the DETH, want %v", test.class, test.n, p.Layers(), test.want)
		}
	}
	// Decoded by itself, what is no CM is an error.
	*class = 0x03
	if p := gopacket.NewPacket(b[rocev2.BTHSize+8:], LayerTypeCM, gopacket.Default); p.ErrorLayer() == nil {
		t.Error("a MAD of class SubnAdm is a CM layer")
	}
	if p := gopacket.NewPacket([]byte{1}, LayerTypeCM, gopacket.Default); p.ErrorLayer() == nil || !p.Metadata().Truncated {
		t.Error("one byte is a CM layer")
	}
}
