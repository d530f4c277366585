// Command late writes what is left of a capture that begins late: the frames after frame N.
//
//	late FILE N OUT.pcap
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"
	"github.com/google/gopacket/pcapgo"

	"github.com/rdmacap/rdmacap/capture"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "late:", err)
		os.Exit(1)
	}
}

func run(args []string) (err error) {
	if len(args) != 3 {
		return errors.New("usage: late FILE N OUT.pcap")
	}
	n, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return err
	}
	in, err := capture.Open(args[0], 0)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(args[2])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	w := pcapgo.NewWriterNanos(out)
	if err := w.WriteFileHeader(1<<18, layers.LinkTypeEthernet); err != nil {
		return err
	}
	for {
		var f capture.Frame
		if err := in.Next(&f); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if f.Number <= n {
			continue
		}
		info := gopacket.CaptureInfo{Timestamp: time.Unix(0, f.Time).UTC(), CaptureLength: len(f.Data), Length: int(f.Length)}
		if err := w.WritePacket(info, f.Data); err != nil {
			return err
		}
	}
}
