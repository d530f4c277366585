package main

import (
	"context"
	"io/fs"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/capture/sniffer"
	"github.com/rdmacap/rdmacap/replay/verbs"
	"github.com/rdmacap/rdmacap/report/finding"
)

// rdmaDevice is the first RDMA device among the names of -i, with its port: mlx5_0, or
// mlx5_0:2.
func rdmaDevice(root fs.FS, names []string) (name string, port int, is bool) {
	for _, n := range names {
		name, port = n, 1
		if before, number, ok := strings.Cut(n, ":"); ok {
			if p, err := strconv.ParseUint(number, 10, 8); err == nil {
				name, port = before, int(p)
			}
		}
		if device.IsDevice(root, name) {
			return name, port, true
		}
	}
	return "", 0, false
}

// captureDevice captures on an RDMA device until it is interrupted, or the device fails.
func captureDevice(ctx context.Context, s streams, name string, port int, out *finding.Live, o pipelineOptions, capturing live.Options) error {
	from, err := verbs.OpenSniffer(verbs.Library, name, port, capturing.Buffer)
	if err != nil {
		return err
	}
	source := sniffer.New(from)
	stop := interruptible(ctx, s, o.asked)
	defer stop.release()
	stop.whenEnded(source.Stop)
	tell := func(what string) {
		if capturing.Tell != nil {
			capturing.Tell(name, what)
		}
	}
	tell("capturing; interrupt to end")
	defer o.relieve(out, nil, tell)()
	starved := false
	tick := func() {
		if !starved && source.Starved() > 0 {
			starved = true
			tell("the device had no room for frames, so some may be missing; no device counts how many: a larger --buffer may help")
		}
	}
	names := []string{name}
	links := newLinkWatch(names)
	return links.tell(s, followFeed(s, feed{
		source: source, waits: true, tick: tick, over: func() { tick(); source.Close() },
	}, out, o, links, stop))
}
