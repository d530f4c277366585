package link

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// said is what the options that Decode reads say.
type said struct {
	HasTSval     bool
	TSval, TSecr uint32
	SACKs        int
	SACK         [MaxSACKBlocks]SACKBlock
}

func saidBy(p *Packet, frame []byte) said {
	s := said{HasTSval: p.TCP.HasTSval, TSval: p.TCP.TSval, TSecr: p.TCP.TSecr}
	s.SACKs = len(p.AppendSACK(s.SACK[:0], frame))
	return s
}

// withOptions is an IPv4 packet of 40 bytes with TCP options after the headers.
func withOptions(options []byte) []byte {
	total := ipv4Size + tcpSize + len(options)
	frame := hexBytes("4500", fmt.Sprintf("%04x", total), "c90440004006edb3c0000202c0000201",
		"90be08017cc78c0300000000", fmt.Sprintf("%x0", (tcpSize+len(options))/4), "02faf0db480000")
	return append(frame, options...)
}

const optionsAt = ipv4Size + tcpSize

// sketch is a line for each node below another: its bytes, counted in the
// options, its key or name, and its value.
func sketch(nodes []field.Node, depth int) string {
	var s strings.Builder
	for _, n := range nodes {
		name := n.Key
		if name == "" {
			name = n.Name
		}
		fmt.Fprintf(&s, "%s%d-%d %s", strings.Repeat(" ", depth), n.Start-optionsAt, n.End-optionsAt, strings.TrimPrefix(name, "tcp.options."))
		if n.Value != "" {
			s.WriteString(" = " + n.Value)
		}
		if n.Fault != "" {
			s.WriteString(" !" + n.Fault)
		}
		s.WriteString("\n" + sketch(n.Children, depth+1))
	}
	return s.String()
}

func TestTCPOptions(t *testing.T) {
	for _, test := range []struct {
		name, options string
		want          said // of what the options say
		fault, tree   string
	}{
		{"of a SYN", "020405b4 0402 080a56a6f59100000007 01 030307", said{HasTSval: true, TSval: 0x56a6f591, TSecr: 7}, "", `
0-4 mss = 1460
 0-1 mss.kind = 2
 1-2 mss.len = 4
 2-4 mss.mss_val = 1460
4-6 sack_perm
 4-5 sack_perm.kind = 4
 5-6 sack_perm.len = 2
6-16 timestamp = TSval 1453782417, TSecr 7
 6-7 timestamp.kind = 8
 7-8 timestamp.len = 10
 8-12 timestamp.tsval = 1453782417
 12-16 timestamp.tsecr = 7
16-17 nop
 16-17 nop.kind = 1
17-20 wscale = 7
 17-18 wscale.kind = 3
 18-19 wscale.len = 3
 19-20 wscale.shift = 7
`},
		{"of a segment", "0101 080affffffff80000000", said{HasTSval: true, TSval: 0xffffffff, TSecr: 1 << 31}, "", `
0-1 nop
 0-1 nop.kind = 1
1-2 nop
 1-2 nop.kind = 1
2-12 timestamp = TSval 4294967295, TSecr 2147483648
 2-3 timestamp.kind = 8
 3-4 timestamp.len = 10
 4-8 timestamp.tsval = 4294967295
 8-12 timestamp.tsecr = 2147483648
`},
		{"SACK of two", "0101 0512 0000000a00000014 fffffff000000004", said{SACKs: 2, SACK: [4]SACKBlock{{10, 20}, {0xfffffff0, 4}}}, "", `
0-1 nop
 0-1 nop.kind = 1
1-2 nop
 1-2 nop.kind = 1
2-20 sack = 2 blocks
 2-3 sack.kind = 5
 3-4 sack.len = 18
 4-12 sack.block
  4-8 sack.block.left = 10
  8-12 sack.block.right = 20
 12-20 sack.block
  12-16 sack.block.left = 4294967280
  16-20 sack.block.right = 4
`},
		{"end of the list", "0402 00 080a000000", said{}, "", `
0-2 sack_perm
 0-1 sack_perm.kind = 4
 1-2 sack_perm.len = 2
2-3 eol
 2-3 eol.kind = 0
3-8 Bytes = 080a000000
`},
		{"of other kinds", "fd04 f989 1e02 0101", said{}, "", `
0-4 unknown = kind 253
 0-1 unknown.kind = 253
 1-2 unknown.len = 4
 2-4 Bytes = f989
4-6 unknown = kind 30
 4-5 unknown.kind = 30
 5-6 unknown.len = 2
6-7 nop
 6-7 nop.kind = 1
7-8 nop
 7-8 nop.kind = 1
`},
		{"without a length", "010101 08", said{}, "TCP option has no length at byte 43", `
0-1 nop
 0-1 nop.kind = 1
1-2 nop
 1-2 nop.kind = 1
2-3 nop
 2-3 nop.kind = 1
3-4 Bytes = 08 !TCP option has no length
`},
		{"of length 1", "01 fd01 01", said{}, "TCP option length is less than 2 at byte 42", `
0-1 nop
 0-1 nop.kind = 1
1-4 Bytes = fd0101 !TCP option length is less than 2
`},
		{"of length 0", "0200 0101", said{}, "TCP option length is less than 2 at byte 41", `
0-4 Bytes = 02000101 !TCP option length is less than 2
`},
		{"past the header", "0101 080a 00000000", said{}, "TCP option runs past the header at byte 43", `
0-1 nop
 0-1 nop.kind = 1
1-2 nop
 1-2 nop.kind = 1
2-8 Bytes = 080a00000000 !TCP option runs past the header
`},
		{"time stamps of another length", "0101 080900000001 00000002", said{}, "TCP option length is not one that its kind has at byte 43", `
0-1 nop
 0-1 nop.kind = 1
1-2 nop
 1-2 nop.kind = 1
2-12 Bytes = 08090000000100000002 !TCP option length is not one that its kind has
`},
		{"SACK of half a block", "0506 00000001 0101", said{}, "TCP option length is not one that its kind has at byte 41", `
0-8 Bytes = 0506000000010101 !TCP option length is not one that its kind has
`},
		{"SACK of no block", "0502 0101", said{}, "TCP option length is not one that its kind has at byte 41", `
0-4 Bytes = 05020101 !TCP option length is not one that its kind has
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			frame := withOptions(hexBytes(test.options))
			var p Packet
			p.Decode(TypeIPv4, frame, len(frame), Options{})
			said := saidBy(&p, frame)
			if said != test.want {
				t.Errorf("they say %+v, want %+v", said, test.want)
			}
			if p.TCPData() != len(frame) {
				t.Errorf("the bytes begin at %d, want %d", p.TCPData(), len(frame))
			}
			if got := p.Fault().String(); got != test.fault {
				t.Errorf("fault %q, want %q", got, test.fault)
			}
			nodes := nodesOf(&p, TypeIPv4, frame, len(frame))
			checkNodes(t, nodes, 0, len(frame))
			if n := countFaults(nodes, p.Fault().Reason); p.Faulty() && n != 1 {
				t.Errorf("%d nodes have the fault", n)
			}
			if got := "\n" + sketch(nodes[len(nodes)-1].Children, 0); got != test.tree {
				t.Errorf("got%swant%s", got, test.tree)
			}
		})
	}
}

// Whatever part of a segment was captured, no option is made of bytes that were
// not, and what the snap length cut off is no fault of the sender's.
func TestTCPOptionsCut(t *testing.T) {
	whole := withOptions(hexBytes("020405b4 0402 080a56a6f59100000007 01 030307"))
	for n := optionsAt; n < len(whole); n++ {
		var p Packet
		p.Decode(TypeIPv4, whole[:n], len(whole), Options{})
		if want := n >= optionsAt+16; p.TCP.HasTSval != want {
			t.Errorf("%d bytes: time stamps %v, want %v", n, p.TCP.HasTSval, want)
		}
		if want := fmt.Sprintf("TCP options cut short by the snap length at byte %d", n); p.Fault().String() != want {
			t.Errorf("%d bytes: fault %q, want %q", n, p.Fault(), want)
		}
	}
}

// The time stamps and SACK blocks of real segments, and of options made up, are
// those that gopacket finds.
func TestTCPOptionsSecondOpinion(t *testing.T) {
	frames := shipped.Frames(t, "siw-loss", 1200)
	random := rand.New(rand.NewPCG(9293, 7323))
	pieces := []string{"01", "080a0000000100000002", "050a0000000300000009", "0512000000030000000900000010000000ff", "0402", "030307", "020405b4", "fd030a"}
	for range 2000 {
		var options []byte
		for len(options) < 20 {
			options = append(options, hexBytes(pieces[random.IntN(len(pieces))])...)
		}
		if len(options) > 40 {
			continue
		}
		for len(options)%4 != 0 {
			options = append(options, 1)
		}
		frames = append(frames, append(hexBytes(macs, "0800"), withOptions(options)...))
	}
	stamps, sacks := 0, 0
	var p Packet
	for _, frame := range frames {
		p.Decode(TypeEthernet, frame, len(frame), Options{})
		packet := gopacket.NewPacket(frame, layers.LayerTypeEthernet, gopacket.DecodeOptions{Lazy: true, NoCopy: true})
		tcp, ok := packet.Layer(layers.LayerTypeTCP).(*layers.TCP)
		if !ok {
			continue
		}
		var want said
		for _, o := range tcp.Options {
			word := func(at int) uint32 { // network byte order
				b := o.OptionData[at:]
				return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
			}
			switch o.OptionType {
			case layers.TCPOptionKindTimestamps:
				want.HasTSval, want.TSval, want.TSecr = true, word(0), word(4)
				stamps++
			case layers.TCPOptionKindSACK:
				want.SACKs, want.SACK = len(o.OptionData)/8, [4]SACKBlock{}
				for i := range want.SACKs {
					want.SACK[i] = SACKBlock{word(int(8 * i)), word(int(8*i + 4))}
				}
				sacks++
			}
		}
		got := saidBy(&p, frame)
		if got != want || p.Faulty() {
			t.Fatalf("%x: %+v, %s; want %+v", frame, got, p.Fault(), want)
		}
	}
	if stamps < 2000 || sacks < 500 {
		t.Errorf("only %d time stamps and %d SACKs were compared", stamps, sacks)
	}
}
