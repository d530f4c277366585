package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// TestTrees walks every field tree of some samples, in which nothing is
// malformed: no field has a fault, each lies within its header, headers follow
// one another, and each header's names are those of the layers that are there.
func TestTrees(t *testing.T) {
	rpc := []string{"rpcrdma", "rpcrdma.segment", "rpc", "rpc.cred", "rpc.verf"}
	roce := []string{"eth", "ip", "udp", "bth", "aeth", "reth", "mad"}
	iwarp := []string{"eth", "ip", "tcp", "mpa", "mpa.enhanced", "mpa.fpdu", "mpa.crc", "ddp"}
	for _, c := range []struct {
		name         string
		all, inFrame []string // headers that are there, in messages and in frames
	}{
		{"rxe-cb", rpc, roce},
		{"rxe-thresh", rpc, roce},
		{"siw-basic", rpc, iwarp},
		{"siw-perftest", nil, iwarp},
	} {
		if !long.Tests && (c.name == "rxe-thresh" || c.name == "siw-basic") {
			continue // the others have the same headers
		}
		for _, level := range []string{"frame", "message", "rpc"} {
			t.Run(level+"/"+c.name, func(t *testing.T) {
				layers := map[string]int{}
				for line := range strings.Lines(must(t, "read", "--format", "ndjson", "--level", level, "-x", sample(c.name))) {
					r := decode(t, line).(map[string]any)
					details, _ := r["details"].([]any)
					for _, e := range details {
						e := e.(map[string]any)
						data, _ := e["octets"].(string)
						if err := walk(e["fields"], 0, len(data)/2, layers); err != nil {
							t.Fatalf("%v: %v", e["title"], err)
						}
					}
				}
				want := c.all
				if level == "frame" {
					want = append(want[:len(want):len(want)], c.inFrame...)
				}
				for _, key := range want {
					if layers[key] == 0 {
						t.Errorf("no tree has a node %s, only %v", key, layers)
					}
				}
			})
		}
	}
}

// walk checks a list of nodes that is to lie in [start, end), and counts the
// keys of those that have children.
func walk(list any, start, end int, layers map[string]int) error {
	nodes, _ := list.([]any)
	for _, n := range nodes {
		n := n.(map[string]any)
		from, to := at(n["start"]), at(n["end"])
		switch {
		case n["fault"] != nil:
			return fmt.Errorf("%v: %v", n["name"], n["fault"])
		case from < start || to < from || to > end:
			return fmt.Errorf("%v has [%d, %d), within [%d, %d)", n["name"], from, to, start, end)
		}
		if n["fields"] != nil {
			key, _ := n["key"].(string)
			layers[key]++
			if err := walk(n["fields"], from, to, layers); err != nil {
				return fmt.Errorf("%v, %w", n["name"], err)
			}
		}
	}
	return nil
}

func at(v any) int {
	n, _ := v.(json.Number).Int64()
	return int(n)
}
