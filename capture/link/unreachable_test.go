package link_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
)

// TestUnreachable decodes ICMP messages as RFC 792 and RFC 4443 lay them out, and each of them cut.
func TestUnreachable(t *testing.T) {
	const (
		ethernet4 = "020000000001 020000000002 0800"
		ethernet6 = "020000000001 020000000002 86dd"
		ip4       = "4500003800004000 40010000 c0000201 c0000202"
		quoted4   = "4500004000004000 40110000 c0000202 c0000201 c000 12b7 00280000"
		ip6       = "6000000000383a40 20010db8000000000000000000000001 20010db8000000000000000000000002"
		quoted6   = "6000000000081140 20010db8000000000000000000000002 20010db8000000000000000000000001 c000 12b7 00080000"
	)
	for name, x := range map[string]struct {
		frame string
		want  link.UnreachableReason
		ok    bool
	}{
		"port":                 {ethernet4 + ip4 + "0303000000000000" + quoted4, link.NobodyAtPort, true},
		"host":                 {ethernet4 + ip4 + "0301000000000000" + quoted4, link.NoHost, true},
		"network":              {ethernet4 + ip4 + "0300000000000000" + quoted4, link.NoRoute, true},
		"too long":             {ethernet4 + ip4 + "0304000000000000" + quoted4, link.TooBig, true},
		"prohibited":           {ethernet4 + ip4 + "030d000000000000" + quoted4, link.Prohibited, true},
		"a later fragment":     {ethernet4 + ip4 + "0303000000000000" + strings.Replace(quoted4, "00004000 4011", "00000005 4011", 1), 0, false},
		"no header length":     {ethernet4 + ip4 + "0303000000000000" + "44" + quoted4[2:], 0, false},
		"an echo":              {ethernet4 + ip4 + "0800000000000000" + quoted4, 0, false},
		"of ICMP":              {ethernet4 + ip4 + "0303000000000000" + strings.Replace(quoted4, "4011", "4001", 1), 0, false},
		"ICMPv6: port":         {ethernet6 + ip6 + "0104000000000000" + quoted6, link.NobodyAtPort, true},
		"ICMPv6: too long":     {ethernet6 + ip6 + "0200000000000500" + quoted6, link.TooBig, true},
		"ICMPv6: prohibited":   {ethernet6 + ip6 + "0101000000000000" + quoted6, link.Prohibited, true},
		"ICMPv6: neighbour":    {ethernet6 + ip6 + "8700000000000000" + quoted6, 0, false},
		"ICMPv6 of ICMP's 3/3": {ethernet6 + ip6 + "0303000000000000" + quoted6, 0, false},
	} {
		frame, err := hex.DecodeString(strings.ReplaceAll(x.frame, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(frame) + 1 {
			var p link.Packet
			p.Decode(link.TypeEthernet, frame[:n], len(frame), link.Options{})
			var h link.Headers
			h.Find(&p, link.TypeEthernet, frame[:n], len(frame))
			u, ok := h.Unreachable()
			// The ports are in the last 8 bytes but 4.
			if want := x.ok && n >= len(frame)-4; ok != want || ok && (u.Why != x.want || !u.UDP || u.Port != 4791 || u.Src != p.Dst() || u.Dst != p.Src()) {
				t.Errorf("%s, %d of %d bytes: %+v, %t", name, n, len(frame), u, ok)
			}
		}
	}
}
