package capture_test

import (
	"fmt"
	"io"
	"time"

	"github.com/rdmacap/rdmacap/capture"
)

// Open recognizes pcap and pcapng, gzip and zstd by a file's first bytes.
func ExampleOpen() {
	file, err := capture.Open("../samples/rxe-basic.pcap.zst", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	var frame capture.Frame
	var frames, bytes int64
	for err = file.Next(&frame); err == nil; err = file.Next(&frame) {
		if frame.Number == 1 {
			fmt.Println(time.Unix(0, frame.Time).UTC(), frame.Link)
		}
		frames++
		bytes += int64(frame.Length)
	}
	if err != io.EOF {
		fmt.Println(err)
	}
	fmt.Println(frames, "frames,", bytes, "bytes")
	// Output:
	// 2026-11-21 01:38:30.074399 +0000 UTC LINKTYPE_ETHERNET
	// 5340 frames, 3029769 bytes
}

// Two files of a ring, read as one capture in the order of its frames' times.
func ExampleMerge() {
	var sources []capture.Source
	for i, path := range []string{"../samples/cases/ring-2.pcap", "../samples/cases/ring-1.pcap"} {
		file, err := capture.Open(path, i)
		if err != nil {
			fmt.Println(err)
			return
		}
		defer file.Close()
		sources = append(sources, file)
	}
	merged := capture.Merge(sources)
	var frame capture.Frame
	var err error
	last := int32(-1)
	for err = merged.Next(&frame); err == nil; err = merged.Next(&frame) {
		if frame.File != last {
			fmt.Printf("file %d from frame %d on\n", frame.File, frame.Number)
			last = frame.File
		}
	}
	if err != io.EOF {
		fmt.Println(err)
	}
	// Output:
	// file 1 from frame 1 on
	// file 0 from frame 1 on
}
