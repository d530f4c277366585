package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/damage"
)

// TestBadCapturingBlamesNobody holds that the verdict on healthy work that was captured badly accuses neither the network nor
// a host: frames that the capture lacks, has twice or in another order were not lost, doubled or overtaken on the wire.
func TestBadCapturingBlamesNobody(t *testing.T) {
	blame := []string{"network lost", "was sent", "was retransmitted", "were retransmitted", "reordered", "overtaken", "corrupted in transit", "restarted", "path there and back", "in the server"}
	for _, name := range []string{"rxe-cb", "siw-cb", "rxe-thresh", "rxe-acl", "rxe-ipv6", "siw-basic", "faults/healthy-rxe-v3"} {
		file, err := capture.Open(sample(name), 0)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := damage.Record(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range damage.Variants() {
			if v.Name == "changed" {
				continue // bytes that were changed are the wire's, as far as anybody can know
			}
			path := filepath.Join(t.TempDir(), v.Name+".pcap")
			writeVariant(t, path, whole, v, damage.Random(name, v.Name, 7))
			got := strings.Join(strings.Fields(verdictOf(t, path)), " ")
			got = strings.ReplaceAll(got, "Nothing shows that the network lost any.", "")
			for _, text := range blame {
				if strings.Contains(got, text) {
					t.Errorf("%s, %s: it says %q: %s", name, v.Name, text, got)
				}
			}
		}
	}
}
