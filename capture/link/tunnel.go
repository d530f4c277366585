package link

import (
	"errors"
	"strings"
)

// Tunnels is a set of the headers with which switches, mirrors and overlays wrap a
// frame or a packet. Decode looks into all of them.
type Tunnels uint16

// The tunnels. ERSPAN is a set of its own although it comes in GRE: a mirror's
// copies can be left while a tunnel of the network itself is looked into.
const (
	ERSPAN     Tunnels = 1 << iota // types I, II and III
	GRE                            // with IP, Ethernet, MPLS or NSH
	VXLAN                          // UDP port 4789
	Geneve                         // UDP port 6081
	MPLS                           // with IP, or a pseudowire with Ethernet
	IPInIP                         // IPv4 or IPv6 in either
	PPPoE                          // a session's packets with IP
	AristaTime                     // a time stamp before the EtherType
	VNTag                          // 802.1BR's predecessor
	FabricPath                     // Cisco's, MAC in MAC
	NSH                            // service function chaining
	PBB                            // 802.1ah, MAC in MAC
	SRv6                           // Ethernet in IPv6 or IPv4, after a segment routing header or without one

	// AllTunnels is every one of them, NoTunnels none.
	AllTunnels = SRv6<<1 - 1
	NoTunnels  = Tunnels(0)
)

// maxTunnels is how many of them are looked into, one within the other. A mirrored
// frame of an overlay has two; what lies deeper is not decoded.
const maxTunnels = 8

// tunnelNames are the tunnels as ParseTunnels takes them, by bit.
var tunnelNames = [...]string{"erspan", "gre", "vxlan", "geneve", "mpls", "ipip", "pppoe", "arista", "vntag", "fabricpath", "nsh", "802.1ah", "srv6"}

// TunnelNames lists what ParseTunnels takes.
func TunnelNames() string { return strings.Join(tunnelNames[:], ", ") }

// ParseTunnels reads a list with commas: "all"; "none"; only these, as in
// "vxlan,geneve"; or all without these, as in "-mpls,-nsh". An error names the first word
// that is no tunnel.
func ParseTunnels(list string) (Tunnels, error) {
	only, without := NoTunnels, NoTunnels
	named := false
	for word := range strings.SplitSeq(list, ",") {
		word = strings.ToLower(strings.TrimSpace(word))
		name, off := strings.CutPrefix(word, "-")
		t, ok := tunnelNamed(name)
		switch {
		case !ok || off && (name == "all" || name == "none"):
			return 0, errors.New("there is no " + word + ": it is all, none, or of " + TunnelNames())
		case off:
			without |= t
		default:
			only |= t
			named = true
		}
	}
	if !named {
		only = AllTunnels
	}
	return only &^ without, nil
}

func tunnelNamed(name string) (Tunnels, bool) {
	switch name {
	case "all":
		return AllTunnels, true
	case "none":
		return NoTunnels, true
	}
	for bit, n := range tunnelNames {
		if n == name {
			return 1 << bit, true
		}
	}
	return 0, false
}

// opens reports whether to look into a tunnel whose header is next.
func (d *decoder) opens(t Tunnels) bool {
	if d.left&t != 0 || d.tunnels() >= d.limit {
		return false
	}
	d.flags += firstTunnel
	return true
}

// within goes on to what a tunnel carries, which ends at end at the latest. What was
// said of the outer packet is not said of the inner one: outer addresses and ports
// name the ends of the tunnel.
func (d *decoder) within(end int) {
	d.between(Addr{}, Addr{})
	d.SrcPort, d.DstPort, d.IPID, d.ECN = 0, 0, 0, 0
	d.unsized = false
	d.wire = min(d.wire, end)
	d.data = d.data[:min(len(d.data), end)]
}

// tunnels is how many tunnels the frame was found in.
func (p *Packet) tunnels() int { return int(p.flags / firstTunnel) }

// Tunneled reports whether the transport, or what else the frame carries, lies in a
// tunnel.
func (p *Packet) Tunneled() bool { return p.flags >= firstTunnel }
