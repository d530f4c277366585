package main

import "testing"

// TestVersion2Goldens holds what a person sees of RPC-over-RDMA version 2.
func TestVersion2Goldens(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		rows []string // only these, with what is under them
	}{
		{name: "read-version2-roce.txt", args: []string{"read", "version2-roce"}},
		{name: "read-level-message-version2-roce.txt", args: []string{"read", "--level", "message", "version2-roce"}},
		{name: "read-level-frame-version2-iwarp.txt", args: []string{"read", "--level", "frame", "version2-iwarp"}},
		{name: "read-details-version2-roce.txt", args: []string{"read", "-V", "version2-roce"}, rows: []string{"3", "11"}},
		{name: "read-level-message-details-version2-iwarp.txt", args: []string{"read", "--level", "message", "-V", "-Y", "rdma.option or rdma.error", "version2-iwarp"}},
		{name: "read-level-message-hex-version2-roce.txt", args: []string{"read", "--level", "message", "-x", "-Y", "rdma.option == INIT_XCHAR", "version2-roce"}},
		{name: "read-format-ndjson-level-message-version2-roce.txt", args: []string{"read", "--level", "message", "--format", "ndjson", "version2-roce"}},
		{name: "read-level-message-fallback-roce.txt", args: []string{"read", "--level", "message", "fallback-roce"}},
		{name: "read-format-ndjson-fallback-iwarp.txt", args: []string{"read", "--format", "ndjson", "fallback-iwarp"}},
		{name: "stats-version2-roce.txt", args: []string{"stats", "version2-roce"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			last := len(c.args) - 1
			out := timeless(must(t, append(c.args[:last:last], sample(c.args[last]))...))
			if c.rows != nil {
				out = about(out, c.rows...)
			}
			golden(t, c.name, out)
		})
	}
}
