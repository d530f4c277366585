package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/follow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// followLive follows what another tool writes, until that ends or is interrupted.
func (o *liveOptions) followLive(ctx context.Context, s streams, out *finding.Live, input pipelineOptions) error {
	names := []string{o.from}
	tell := func(what string) {
		if !o.quiet {
			complain(s, "%s: %s", o.from, what)
		}
	}
	defer input.relieve(out, nil, tell)()
	info, err := os.Stat(o.from)
	switch {
	case o.from == "-", err != nil, info.Mode().IsRegular() && !o.follow:
		return dissectFiles(ctx, s, names, out, input)
	case info.IsDir() && !o.follow:
		return fmt.Errorf("%s: is a directory; --follow reads one file after the other", o.from)
	}
	stop := interruptible(ctx, s, input.asked)
	defer stop.release()
	source, end, err := o.open(info, stop)
	if err != nil {
		return stop.status(err)
	}
	links := newLinkWatch(names)
	return links.tell(s, followFeed(s, feed{source: source, waits: true, tick: func() {}, over: end}, out, input, links, stop))
}

// open opens a folder, a file that grows, or a FIFO.
func (o *liveOptions) open(info os.FileInfo, stop *interruption) (source capture.Source, end func(), err error) {
	until := follow.Until{Done: stop.ended, Err: errInterrupted}
	if info.IsDir() {
		return follow.NewFolder(o.from, 0, until), func() {}, nil
	}
	opening := os.Open
	if info.Mode()&os.ModeNamedPipe != 0 {
		opening = openFIFO
	}
	f, err := opening(o.from)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: cannot be opened: %w", o.from, plainError(err))
	}
	var in io.Reader = follow.NewReader(f, until)
	if !info.Mode().IsRegular() {
		in = stop.reader(f)
	}
	file, err := capture.NewReader(in, o.from, 0)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return file, func() { file.Close(); f.Close() }, nil
}
