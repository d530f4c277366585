package query

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
)

// TestEndsMeanTheSameAtEveryLevel: an address or a port that all rows of a level have
// is that of all rows of the others, of which there are some.
func TestEndsMeanTheSameAtEveryLevel(t *testing.T) {
	s := newSets(t)
	for sample, exprs := range map[string][]string{
		"rxe-cb": {"client == 192.0.2.2", "server == 192.0.2.1", "ip.addr == 192.0.2.1", "port == 20049",
			"ip.src == 192.0.2.0/24 and ip.dst in {192.0.2.1, 192.0.2.2}"},
		"rxe-ipv6": {"client == fd00::2", "server == fd00::1", "ip.addr == fd00::1", "port == 20049",
			"ip.src == fd00::/64 and ip.dst in {fd00::1, fd00::2}"},
		"siw-cb": {"client == 192.0.2.2", "server == 192.0.2.1", "ip.addr == 192.0.2.1", "port == 20049", "tcp.port == 20049",
			"ip.src == 192.0.2.0/24 and ip.dst in {192.0.2.1, 192.0.2.2}"},
	} {
		for _, expr := range exprs {
			var q [levels]*Query
			for l := range levels {
				q[l] = compile(t, s, l, expr)
			}
			var all, kept [levels]int
			count := func(l Level, pass bool) {
				all[l]++
				if pass {
					kept[l]++
				}
			}
			read(t, "../../samples/"+sample+".pcap.zst", &told{
				frame: func(v *dissect.FrameView) {
					if v.Connection != nil {
						count(Frames, q[Frames].Frame(v))
					}
				},
				message: func(m *dissect.Message) { count(Messages, q[Messages].Message(m)) },
				rpc:     func(r *dissect.RPC) { count(RPCs, q[RPCs].RPC(r)) },
			})
			for l := range levels {
				if all[l] == 0 || kept[l] != all[l] {
					t.Errorf("%s: %s: %d of %d %s", sample, expr, kept[l], all[l], words[l].rows)
				}
			}
		}
	}
}
