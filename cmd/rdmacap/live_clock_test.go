package main

import (
	"encoding/binary"
	"regexp"
	"strings"
	"testing"
)

// atMidnight shifts a little-endian pcap file so that its n-th frame is captured at midnight, UTC, to the second.
func atMidnight(file []byte, n int) []byte {
	const day = 24 * 60 * 60
	file = append([]byte(nil), file...)
	each := func(do func(record []byte)) {
		for at := 24; at < len(file); at += 16 + int(binary.LittleEndian.Uint32(file[at+8:])) {
			do(file[at:])
		}
	}
	var shift uint32
	each(func(record []byte) {
		if n--; n == 0 {
			shift = day - binary.LittleEndian.Uint32(record)%day
		}
	})
	each(func(record []byte) { binary.LittleEndian.PutUint32(record, binary.LittleEndian.Uint32(record)+shift) })
	return file
}

// liveShows runs live on a capture that is called x.pcap, with one worker and with several, which say the same.
func liveShows(t *testing.T, file []byte, args ...string) string {
	t.Helper()
	path := write(t, "x.pcap", file)
	var first string
	for _, workers := range []string{"1", "3"} {
		out := must(t, append([]string{"live", "--workers", workers, "-r", path}, args...)...)
		out = strings.ReplaceAll(timeless(out), path, "x.pcap")
		if first == "" {
			first = out
		}
		if out != first {
			t.Errorf("%q: with %s workers it is not what it is with 1", args, workers)
		}
	}
	return first
}

// TestLiveHasTheTimeOfDay holds what live looks like: the capture's times, with the date at the beginning and at
// midnight, a connection that is over and one that is open when the capture ends.
func TestLiveHasTheTimeOfDay(t *testing.T) {
	t.Parallel()
	rxe, siw := unpacked(t, "rxe-cb"), unpacked(t, "siw-loss")
	golden(t, "live-rxe-cb.txt", liveShows(t, rxe))
	golden(t, "live-midnight-siw-loss.txt", ends(liveShows(t, atMidnight(siw, 500)), 60))
	golden(t, "live-level-frame-open-rxe-cb.txt", liveShows(t, front(rxe, 60), "--level", "frame"))
	golden(t, "live-level-message-rxe-cb.txt", ends(liveShows(t, rxe, "--level", "message"), 20))
}

// timeOfDay is a line that begins with a time of day.
var timeOfDay = regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d\.\d{3} `)

// TestOnlyTextHasTheTimeOfDay holds that neither --brief, records, --top nor other commands begin lines with it; that
// each line of text does but headings, what is indented and the report in the end; and that rows are no wider for it.
func TestOnlyTextHasTheTimeOfDay(t *testing.T) {
	t.Parallel()
	path := sample("siw-loss")
	for _, args := range [][]string{
		{"live", "--brief", "-r", path}, {"live", "--format", "ndjson", "-r", path}, {"live", "--top", "-r", path},
		{"read", path}, {"check", path}, {"stats", path},
	} {
		if line := timeOfDay.FindString(must(t, args...)); line != "" {
			t.Errorf("%q begins a line with %q", args, line)
		}
	}
	contract := regexp.MustCompile(`^` + regexp.QuoteMeta(path) + `(:\d+)?: (error|warning|note): [A-Z0-9]+-\d+[a-z]?: `)
	brief, _, _ := strings.Cut(must(t, "live", "--brief", "-r", path), "\n0 errors")
	if lines := strings.Split(brief, "\n"); len(lines) < 2 || !contract.MatchString(lines[0]) {
		t.Errorf("--brief: %q", lines)
	}
	live, _, found := strings.Cut(must(t, "live", "-r", path), " ── verdict\n")
	if !found {
		t.Fatal("no report in the end")
	}
	live = live[:strings.LastIndexByte(live, '\n')+1] // its time
	var seconds []string
	for line := range strings.Lines(must(t, "read", path)) {
		if _, rest, is := strings.Cut(line, "  #"); is && !strings.HasPrefix(line, "── ") {
			seconds = append(seconds, rest)
		}
	}
	rows := 0
	for line := range strings.Lines(live) {
		rest, is := strings.CutPrefix(line, timeOfDay.FindString(line))
		switch {
		case strings.HasPrefix(line, "   ") || strings.HasPrefix(line, "Time [UTC] "):
		case !timeOfDay.MatchString(line):
			t.Errorf("no time of day: %q", line)
		case is && strings.HasPrefix(rest, " "):
			if _, rest, _ = strings.Cut(line, "  #"); rows >= len(seconds) || rest != seconds[rows] || strings.Index(line, "  #") != 20 {
				t.Fatalf("row %d is %q", rows, line)
			}
			rows++
		}
	}
	if rows == 0 || rows != len(seconds) {
		t.Errorf("%d rows, read has %d", rows, len(seconds))
	}
}
