package layers

import (
	"errors"
	"io"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/rocev2"
)

// TestSample holds the layers of every RoCEv2 frame of real captures, which
// are from Ethernet on, against what rocev2.Packet makes of it.
func TestSample(t *testing.T) {
	RegisterUDPPort()
	seen := make(map[gopacket.LayerType]int)
	for _, name := range []string{"rxe-cb", "rxe-perftest"} {
		file, err := capture.Open("../../samples/"+name+".pcap.zst", 0)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		var f capture.Frame
		var lower link.Packet
		for {
			if err := file.Next(&f); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if lower.Decode(f.Link, f.Data, int(f.Length), link.Options{}); lower.Transport != link.RoCEv2 {
				continue
			}
			var want rocev2.Packet
			want.Decode(f.Data[lower.Start():min(lower.End(), len(f.Data))], lower.End()-lower.Start())
			p := gopacket.NewPacket(f.Data, layers.LayerTypeEthernet, gopacket.NoCopy)
			if p.ErrorLayer() != nil {
				t.Fatalf("%s frame %d: %v", name, f.Number, p.ErrorLayer().Error())
			}
			for _, l := range p.Layers() {
				seen[l.LayerType()]++
			}
			_, icrc, _ := rocev2.ICRC(f.Data, &lower)
			if complaint := differs(p, &want, icrc); complaint != "" {
				t.Errorf("%s frame %d: %s", name, f.Number, complaint)
			}
		}
	}
	for _, l := range []gopacket.LayerType{LayerTypeBTH, LayerTypeDETH, LayerTypeRETH, LayerTypeAETH, LayerTypeIETH, LayerTypeCM} {
		if seen[l] == 0 {
			t.Errorf("no %v in the samples", l)
		}
	}
}
