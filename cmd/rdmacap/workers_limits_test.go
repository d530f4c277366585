package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// TestWorkersKeepLimits has connections side by side which call more procedures than
// statistics have rows for: who gets the last rows does not depend on how many workers
// follow them.
func TestWorkersKeepLimits(t *testing.T) {
	const connections, procedures = 9, 250
	var list []build.Frames
	for n := range connections {
		c := build.NewConversation(build.Setup{
			Client: build.Host{QPN: uint32(100 + n), CommID: uint32(1 + 2*n)},
			Server: build.Host{QPN: uint32(200 + n), CommID: uint32(2 + 2*n)},
		})
		c.Connect()
		fh := []byte("handle")
		c.Reply(c.Call(build.NFS3GetAttr(1000, fh)), build.NFS3GetAttrReply(1000, 1))
		for i := range uint32(procedures - 1) {
			call := build.RPCCall{XID: i, Program: uint32(0x2000_0000 + n), Version: 1, Procedure: i}
			c.Reply(c.Call(build.Message{Bytes: call.Bytes()}), build.Message{Bytes: build.RPCReply{XID: i}.Bytes()})
		}
		list = append(list, c.Frames)
	}
	var mixed build.Frames
	for i := range list[0] {
		for _, frames := range list {
			if i < len(frames) {
				mixed = append(mixed, frames[i])
			}
		}
	}
	path := filepath.Join(t.TempDir(), "crowd.pcap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := build.WritePcap(f, mixed); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "ndjson"} {
		run := func(workers int) result {
			r := rdmacap("stats", "--format", format, "--workers", fmt.Sprint(workers), path)
			r.out = tookTime.removedFrom(r.out)
			return r
		}
		want := run(1)
		if want.status != exitDone || format == "text" && strings.Count(want.out, " more, in too many operations to list") != connections {
			t.Fatalf("one worker: %+v", want)
		}
		for _, workers := range []int{2, 3, 8} {
			if got := run(workers); got != want {
				t.Errorf("%s, %d workers: %s", format, workers, differing(got.out, want.out))
			}
		}
	}
}
