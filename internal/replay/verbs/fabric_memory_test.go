//go:build linux && (amd64 || arm64) && !noverbs

package verbs_test

import (
	"net/netip"
	"testing"

	inmemory "github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// TestFabricInMemory holds that the provider that other packages test with is like this one:
// what is held of the library's connections, in tests and in the lab, is held of its.
func TestFabricInMemory(t *testing.T) {
	hca := inmemory.SoftRoCE()
	hca.Name, hca.Offsets = "mlx5_0", false
	for _, d := range []transport.Device{inmemory.SoftRoCE(), inmemory.SoftIWARP(), hca} {
		t.Run(d.Name, func(t *testing.T) {
			tests := map[string]func(*testing.T, transport.Provider, netip.AddrPort){
				"messages": messages, "send all": sendAll, "read and write": readAndWrite, "broken": allBroken, "close": closing, "reject": reject, "no windows": noWindows,
			}
			if d.Windows {
				delete(tests, "no windows")
				tests["windows"] = func(t *testing.T, p transport.Provider, to netip.AddrPort) { windows(t, p, to, 600) }
			}
			for name, run := range tests {
				t.Run(name, func(t *testing.T) {
					f := inmemory.New(d)
					t.Cleanup(func() {
						if n := f.Left(); n != 0 {
							t.Errorf("%d connections and listeners were not closed", n)
						}

					})
					run(t, f, here)
				})
			}
		})
	}
}
