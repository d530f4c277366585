package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestPlan holds that a seed always chooses the same, that another one chooses something else, and that no kind is left
// out.
func TestPlan(t *testing.T) {
	lines := func(seed uint64) (list []string) {
		for _, p := range plan(seed) {
			list = append(list, p.line)
		}
		return list
	}
	if !slices.Equal(lines(1), lines(1)) || slices.Equal(lines(1), lines(2)) {
		t.Error("a plan does not follow from its seed")
	}
	for seed := range uint64(50) {
		names, counts := make(map[string]bool), make(map[string]int)
		for _, p := range plan(seed) {
			if p.kind == "" {
				continue // it makes the devices
			}
			if names[p.name] {
				t.Errorf("seed %d: %s is there twice", seed, p.name)
			}
			names[p.name] = true
			counts[p.kind]++
			if strings.Contains(p.line, "%!") {
				t.Errorf("seed %d: %s", seed, p.line)
			}
		}
		want := map[string]bool{healthy: true}
		for _, k := range kinds() {
			want[k.name] = true
		}
		if len(names) != howMany+howHealthy || counts[healthy] != howHealthy || len(counts) != len(want) {
			t.Errorf("seed %d: %d faults of %v", seed, len(names), slices.Sorted(maps.Keys(counts)))
		}
	}
}

// TestOpinion holds what is made of the words of a verdict.
func TestOpinion(t *testing.T) {
	const (
		before  = "── verdict\nThe network lost at least 7 frames from the server 192.0.2.1 to the client\n192.0.2.2 before they reached the capture point (2 connections).\n── overview\n"
		both    = "── verdict\nThe network between the client 192.0.2.2 and the server 192.0.2.1 lost frames in both directions before they reached the capture point: at least 14 to the server and 9 to the client; 4,938 frames were captured.\n── overview\n"
		behind  = "── verdict\nThe network lost frames from the client 192.0.2.2 to the server 192.0.2.1 beyond the capture point, which saw them: the server requested retransmission 6 times. All of them carry 1,024 bytes, the path MTU in use.\n── overview\n"
		outage  = "── verdict\nA frame from the client 192.0.2.2 to the server 192.0.2.1 was sent 7 times in 6.67 s before anything answered it: it was lost beyond the capture point, which saw it.\n── overview\n"
		nothing = "── verdict\nNothing wrong was found in 90 RPCs.\n── overview\nWRITE failed with NFS3ERR_NOSPC\n"
	)
	for _, tt := range []struct {
		out, kind string
		named     bool
		wrong     int
	}{
		{before, "loss-before/to-client", true, 0},
		{before, "loss-before/to-server", false, 1},
		{before, "loss-behind/to-client", false, 1},
		{both, "loss-before/to-client", true, 1},
		{behind, "mtu/to-server", true, 0},
		{behind, "loss-behind/to-server", true, 1},
		{outage, "link-down", true, 0},
		{outage, "loss-before/to-client", false, 0}, // its acknowledgement was
		{outage, "frozen", false, 1},
		{nothing, "healthy", true, 0},
		{nothing, "full", false, 0},
		{before, "healthy", false, 1},
	} {
		if o := opinionOf(tt.out, tt.kind); o.named != tt.named || len(o.wrong) != tt.wrong {
			t.Errorf("%s: %v, %v", tt.kind, o, tt.out)
		}
	}
}
