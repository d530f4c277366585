package front

import "github.com/rdmacap/rdmacap/capture/link"

// MaxTrusted is how many addresses are trusted, or suspected.
const MaxTrusted = 1 << 14

// trust knows which addresses send right ICRCs: then a wrong one means that the
// frame was damaged, and not that the capture lies before the place where the
// sender's adapter computes it.
type trust struct {
	trusted map[link.Addr]bool // addresses that sent a frame with a right ICRC
	suspect map[link.Addr]bool // addresses of which one frame with a wrong ICRC was seen
	last    [2]link.Addr       // trusted ones, tried before the map: traffic runs to and fro
}

func newTrust() trust {
	return trust{trusted: make(map[link.Addr]bool), suspect: make(map[link.Addr]bool)}
}

// believe notes that an address sent a right ICRC.
func (t *trust) believe(src link.Addr) {
	if src == t.last[0] || src == t.last[1] {
		return
	}
	t.last[0], t.last[1] = src, t.last[0]
	if len(t.trusted) < MaxTrusted {
		t.trusted[src] = true
	}
}

// damaged reports whether a frame with a wrong ICRC was damaged on its way. What
// comes to an address that sends right ones may have a damaged source address: it
// takes a second frame to believe in a host whose adapter computes the ICRC after
// the capture.
func (t *trust) damaged(src, dst link.Addr) bool {
	if t.trusted[src] {
		return true
	}
	if !t.trusted[dst] || t.suspect[src] {
		return false
	}
	if len(t.suspect) < MaxTrusted {
		t.suspect[src] = true
	}
	return true
}
