//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// TestWorkersLive holds that what `live` prints does not depend on how many workers follow
// the connections: of samples and of damaged variants.
func TestWorkersLive(t *testing.T) {
	t.Parallel()
	for _, name := range long.Pick([]string{"rxe-cb", "siw-cb", "version2-roce"}, []string{
		"fallback-iwarp", "fallback-roce", "rxe-acl", "rxe-basic", "rxe-cb", "rxe-ipv6", "rxe-krb", "rxe-loss", "rxe-perftest", "rxe-thresh",
		"siw-basic", "siw-cb", "siw-loss", "siw-perftest", "version2-iwarp", "version2-roce",
	}) {
		t.Run(name, func(t *testing.T) {
			for _, path := range append(damaged(t, name), sample(name)) {
				for _, args := range []string{
					"", "--brief", "--format ndjson", "--format ndjson --brief", "--level frame --format ndjson", "--level message",
					"-Y rpc.latency>100us", "-Y rpc.complete==false --format ndjson", "-Y connection==2", "--rules -CM --severity warning",
				} {
					run := func(workers int) result {
						r := rdmacap(append(strings.Fields("live "+args), "--workers", fmt.Sprint(workers), "-r", path)...)
						r.out = tookTime.removedFrom(r.out)
						return r
					}
					want := run(1)
					if want.status != exitDone {
						t.Fatalf("%s %s: %+v", args, path, want)
					}
					for _, workers := range long.Pick([]int{3}, []int{2, 3, 8, 16}) {
						if got := run(workers); got != want {
							t.Errorf("%s --workers %d %s: status %d, %q; one worker: %d, %q; %s", args, workers, path, got.status, got.err, want.status, want.err, differing(got.out, want.out))
						}
					}
				}
			}
		})
	}
}

// TestWorkersLivePromptly feeds several workers by a pipe, a frame at a time: what is reported of
// it comes before anything else is in the pipe.
func TestWorkersLivePromptly(t *testing.T) {
	data := unpacked(t, "rxe-cb")
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out, diag watched
	done := make(chan int)
	go func() {
		done <- run(t.Context(), []string{"live", "--workers", "4", "--level", "frame", "--format", "ndjson", "-r", "-"}, streams{in: in, out: &out, err: &diag})
	}()
	at := 0
	write := func(n int) {
		if _, err := feed.Write(data[at : at+n]); err != nil {
			t.Fatal(err)
		}
		at += n
	}
	write(24)
	for n := 1; n <= 50; n++ {
		write(16 + int(data[at+8]) + int(data[at+9])<<8)
		if !out.until(fmt.Sprintf(`"frame":%d,`, n)) {
			t.Fatalf("frame %d is not there: %s", n, out.String())
		}
	}
	feed.Close()
	if status := <-done; status != exitDone {
		t.Errorf("status %d, %s", status, diag.String())
	}
}
