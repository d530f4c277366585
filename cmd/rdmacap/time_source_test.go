package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/wrap"
)

// stamped is a capture of what a switch mirrors: each frame with the time at which it was
// seen, by what header has that, and captured up to 300 µs later, the first at once.
func stamped(t *testing.T, pcap []byte, header func(ns int64) string, around func(header string, frame []byte) []byte) []byte {
	t.Helper()
	file, err := capture.NewReader(bytes.NewReader(pcap), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	var times []int64
	for {
		var f capture.Frame
		if err := file.Next(&f); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		times = append(times, f.Time)
	}
	n := 0
	made, err := wrap.Capture(pcap, func(frame []byte) []byte {
		n++
		return around(header(times[n-1]), frame)
	})
	if err != nil {
		t.Fatal(err)
	}
	late := rand.New(rand.NewPCG(1, 2))
	for i, at := 0, 24; at < len(made); i++ {
		ns := times[i]
		if i > 0 {
			ns += late.Int64N(300_000)
		}
		binary.LittleEndian.PutUint32(made[at:], uint32(ns/1e9))
		binary.LittleEndian.PutUint32(made[at+4:], uint32(ns%1e9))
		at += 16 + int(binary.LittleEndian.Uint32(made[at+8:]))
	}
	return made
}

// What a switch mirrors has with --time-source switch the times at which the switch saw
// it, to the nanosecond where the header has them, whenever it was captured.
func TestSwitchTime(t *testing.T) {
	pcap := unpacked(t, "siw-basic")
	plain := captureFile(t, pcap)
	read := func(args ...string) string {
		return inTunnel(t, append([]string{"read", "--format", "ndjson"}, args...)...)
	}
	want := read(plain)
	for _, c := range []struct {
		name   string
		header func(ns int64) string
		around func(header string, frame []byte) []byte
	}{
		{"ERSPAN III, 100 ns", func(ns int64) string {
			return fmt.Sprintf("2000 6123 %08x 0009 8052", uint32(ns/100))
		}, wrap.ERSPAN3},
		{"ERSPAN III, IEEE 1588", func(ns int64) string {
			return fmt.Sprintf("2000 6123 %08x 0009 8054", ns%1e9)
		}, wrap.ERSPAN3},
		{"ERSPAN III, IEEE 1588, with seconds of its own", func(ns int64) string {
			return fmt.Sprintf("2000 6123 %08x 0009 8055 14010002 %08x", ns%1e9, ns/1e9-1_700_000_000)
		}, wrap.ERSPAN3},
		{"Arista, UTC, 64 bits", func(ns int64) string {
			return fmt.Sprintf("d28b 0001 0110 %08x %08x", ns/1e9, ns%1e9)
		}, wrap.Arista},
		{"Arista, TAI, 48 bits", func(ns int64) string {
			return fmt.Sprintf("d28b 0001 0020 %04x %08x", uint16(ns/1e9+37), ns%1e9)
		}, wrap.Arista},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := captureFile(t, stamped(t, pcap, c.header, c.around))
			if got := read("--time-source", "switch", path); got != want {
				t.Errorf("differs at %s", differing(got, want))
			}
			if read(path) == want {
				t.Error("the times of the capture are the same: nothing is tested")
			}
		})
	}
	t.Run("without a stamp", func(t *testing.T) {
		if got := read("--time-source", "switch", plain); got != want {
			t.Errorf("differs at %s", differing(got, want))
		}
	})
}

// A stamp of 100 µs is as exact as that.
func TestSwitchTimeCoarse(t *testing.T) {
	pcap := unpacked(t, "rxe-cb")
	path := captureFile(t, stamped(t, pcap, func(ns int64) string {
		return fmt.Sprintf("2000 6123 %08x 0009 8050", uint32(ns/100_000))
	}, wrap.ERSPAN3))
	times := func(path string) (ns []int64) {
		for line := range strings.Lines(must(t, "read", "--level", "frame", "--format", "ndjson", "--time-source", "switch", path)) {
			if r := decode(t, line).(map[string]any); r["type"] == "frame" {
				at, err := time.Parse(time.RFC3339Nano, r["time"].(string))
				if err != nil {
					t.Fatal(err)
				}
				ns = append(ns, at.UnixNano())
			}
		}
		return ns
	}
	got, want := times(path), times(captureFile(t, pcap))
	if len(got) != len(want) || len(got) < 500 {
		t.Fatalf("%d frames, want %d", len(got), len(want))
	}
	for i := range got {
		if off := got[i] - want[i]; off < -200_000 || off > 200_000 {
			t.Errorf("frame %d is %d ns off", i+1, off)
		}
	}
}
