package link

import (
	"fmt"
	"strings"
	"testing"
)

// headersEnd is where the last header that Decode read ends.
func headersEnd(h *Headers) int {
	end := 0
	for _, l := range h.list[:h.n] {
		end = max(end, int(l.offset)+int(l.size))
	}
	return end
}

// TestSnapped cuts every vector at every byte, as a snap length does. Where a
// header is cut that is a fault, and nothing is reported of a transport that was
// not reached; where only what is behind the headers is cut, all is found as in
// the whole frame.
func TestSnapped(t *testing.T) {
	for _, v := range vectors() {
		t.Run(v.name, func(t *testing.T) {
			var p Packet
			p.Decode(v.link, v.data, len(v.data), Options{})
			headers := headersEnd(headersOf(&p, v.link, v.data, len(v.data)))
			if v.want.protocol == "PFC pause" || v.want.protocol == "PAUSE" {
				headers += 2 // the opcode
			}
			for n := range v.data {
				p.Decode(v.link, v.data[:n], len(v.data), Options{})
				got := find(&p)
				switch {
				case n >= headers:
					if got != v.want {
						t.Errorf("cut at %d:\n got %+v\nwant %+v", n, got, v.want)
					}
				case v.want.protocol == got.protocol+" pause" || got.protocol == "MAC control":
				case !strings.HasSuffix(got.fault, fmt.Sprintf(" cut short by the snap length at byte %d", n)):
					t.Errorf("cut at %d in the headers: fault %q", n, got.fault)
				case got.transport != NotRDMA && (got.transport != TCP || n < got.start+tcpSize):
					t.Errorf("cut at %d in the headers: %v", n, got.transport)
				}
			}
		})
	}
}

// TestTruncated cuts every vector at every byte and says that this is all the
// frame there was. Every cut before the end of the transport packet is a fault or, where
// IP or a GRH says that there was more, seen as a cut.
func TestTruncated(t *testing.T) {
	for _, v := range vectors() {
		t.Run(v.name, func(t *testing.T) {
			var p Packet
			p.Decode(v.link, v.data, len(v.data), Options{})
			headers, end := headersEnd(headersOf(&p, v.link, v.data, len(v.data))), p.End()
			switch {
			case p.Transport == InfiniBand:
				end -= icrcSize // may be handed up without it
			case v.name == tsoVector:
				end = headers // nothing else says where it ends
			}
			for n := range v.data {
				p.Decode(v.link, v.data[:n], n, Options{})
				if bad := p.Faulty() || p.Cut(); n < headers && !p.Faulty() {
					t.Errorf("cut at %d in the headers: no fault", n)
				} else if n < end && !bad && v.link != TypeERF { // wlen reports the rest
					t.Errorf("cut at %d in the packet: no fault", n)
				} else if v.link != TypeERF && strings.Contains(p.Fault().Reason, "snap length") {
					t.Errorf("cut at %d: fault %q without a snap length", n, p.Fault())
				}
				if p.Transport != NotRDMA && p.Transport != v.want.transport {
					t.Errorf("cut at %d: %v", n, p.Transport)
				}
			}
		})
	}
}
