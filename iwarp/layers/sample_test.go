package layers

import (
	"bytes"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
)

// TestSample holds the layers of every segment of real captures against the
// stream that the segments are of: where a segment begins a start-up frame or an
// FPDU, the layers are of all that begin in it; where it does not, or too few
// bytes are there to tell, there is payload.
func TestSample(t *testing.T) {
	RegisterTCPPort()
	seen := make(map[gopacket.LayerType]int)
	for _, sample := range samples {
		for _, port := range sample.ports {
			layers.RegisterTCPPortLayerType(port, LayerTypeMPA)
		}
		pieces := make(map[*direction]map[int]piece)
		found, total := 0, 0
		for _, s := range segments(t, sample.name, sample.ports) {
			if pieces[s.in] == nil {
				pieces[s.in] = make(map[int]piece)
				for _, p := range walk(t, s.in.bytes) {
					pieces[s.in][p.at] = p
					total++
				}
			}
			p := gopacket.NewPacket(s.data, layers.LayerTypeEthernet, gopacket.DecodeOptions{NoCopy: true, DecodeStreamsAsDatagrams: true})
			for _, l := range p.Layers() {
				seen[l.LayerType()]++
			}
			all := cursor(p.Layers())
			for l := all.next(); l != nil && l.LayerType() != layers.LayerTypeTCP; l = all.next() {
			}
			stream := s.in.bytes[:s.end]
			if at := s.at; !begins(stream[at:], pieces[s.in][at]) {
				if l := all.next(); l == nil || l.LayerType() != gopacket.LayerTypePayload || !bytes.Equal(l.LayerContents(), stream[at:]) {
					t.Errorf("%s frame %d: %v, want payload", sample.name, s.frame, p)
				}
			} else {
				for at < s.end {
					one := pieces[s.in][at]
					if complaint := all.differs(stream[at:min(at+one.size, s.end)], one.size, one.start); complaint != "" {
						t.Fatalf("%s frame %d: %s", sample.name, s.frame, complaint)
					}
					found++
					at += one.size
				}
				if p.ErrorLayer() != nil || p.Metadata().Truncated != (at > s.end) {
					t.Errorf("%s frame %d: error %v, truncated %v", sample.name, s.frame, p.ErrorLayer(), p.Metadata().Truncated)
				}
			}
			if l := all.next(); l != nil {
				t.Errorf("%s frame %d: one more layer, %v", sample.name, s.frame, l.LayerType())
			}
		}
		t.Logf("%s: %d start-up frames and FPDUs found in segments by themselves, retransmitted ones twice, of %d", sample.name, found, total)
	}
	for _, l := range []gopacket.LayerType{LayerTypeMPAStart, LayerTypeFPDU, LayerTypeDDP, LayerTypeReadRequest, LayerTypeTerminate} {
		if seen[l] == 0 {
			t.Errorf("no %v in the samples", l)
		}
	}
}

// begins reports whether b begins a piece, and shows as much of it as it takes
// to know that: the frame's key or the DDP header.
func begins(b []byte, p piece) bool {
	switch {
	case p.size == 0:
		return false
	case p.start:
		return len(b) >= 16
	case len(b) > 2 && b[2]&0x80 != 0:
		return len(b) >= 2+14
	}
	return len(b) >= 2+18
}
