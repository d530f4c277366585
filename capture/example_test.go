package capture_test

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rdmacap/rdmacap/capture"
)

// A capture of two frames, of which the second is cut: whoever wrote it was
// stopped. All that is whole is read.
func ExampleFile() {
	const file = "\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x04\x00\x01\x00\x00\x00" +
		"\xf0\xfb\x00\x6b\x3f\x63\x0e\x00\x06\x00\x00\x00\x5a\x00\x00\x00\x33\x33\x00\x00\x00\x16" +
		"\xf0\xfb\x00\x6b\x42\x63\x0e\x00\x06\x00\x00\x00\x5a\x00\x00\x00\x33\x33"

	f, err := capture.NewReader(strings.NewReader(file), "mirror.pcap", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	var frame capture.Frame
	for err == nil {
		if err = f.Next(&frame); err == nil {
			fmt.Printf("frame %d: %d of %d bytes\n", frame.Number, len(frame.Data), frame.Length)
		}
	}
	if err != io.EOF {
		fmt.Println(err)
		fmt.Println("only cut:", errors.Is(err, io.ErrUnexpectedEOF))
	}
	// Output:
	// frame 1: 6 of 90 bytes
	// mirror.pcap: byte 46: the file ends in the middle of the record that starts here, after 1 whole frame
	// only cut: true
}
