package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/words"
)

// TestFollowGoldens holds the stories of a few RPCs and connections.
func TestFollowGoldens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		target string
		file   string
		keep   int
	}{
		{"follow-rxe-loss.txt", "0x03cdea83", "rxe-loss", 70},
		{"follow-siw-basic.txt", "frame 108", "siw-basic", 60},
		{"follow-connection-rxe-thresh.txt", "connection 2", "rxe-thresh", 40},
	} {
		args := append([]string{"follow", sample(c.file)}, strings.Fields(c.target)...)
		golden(t, c.name, ends(must(t, args...), c.keep))
	}
}

// TestFollowTellsAllFrames holds that the frames that have rows, and those that are counted, are
// all frames of the connection from the call to the end of the reply; and that no pause is hidden.
func TestFollowTellsAllFrames(t *testing.T) {
	t.Parallel()
	out := must(t, "follow", sample("rxe-loss"), "0x03cdea83")
	_, story, ok := strings.Cut(out, "── frames\n")
	story, _, more := strings.Cut(story, "── decoded\n")
	if !ok || !more {
		t.Fatalf("%s", ends(out, 20))
	}
	row := regexp.MustCompile(`(?m)^ +\d+\.\d{6} +-?\d+\.\d{6} +(\d+)  (server|client) `)
	counted := regexp.MustCompile(`(?m)^ +… (\d+) (?:more|other) frames?\b`)
	shown := row.FindAllStringSubmatch(story, -1)
	const first, reply = "4053", "4916"
	upTo, after, _ := strings.Cut(story, "  "+reply+"  client")
	rows := len(row.FindAllString(upTo, -1)) + 1
	frames := rows
	for _, m := range counted.FindAllStringSubmatch(upTo, -1) {
		n, _ := strconv.Atoi(m[1])
		frames += n
	}
	all := len(table(t, "--level frame --columns no --connection 1 -Y frame.number>="+first+"&&frame.number<="+reply, "rxe-loss"))
	if frames != all || shown[0][1] != first {
		t.Errorf("%d frames from %s to %s, want %d from %s", frames, shown[0][1], reply, all, first)
	}
	frames += len(row.FindAllString(after, -1))
	for _, m := range counted.FindAllStringSubmatch(after, -1) {
		n, _ := strconv.Atoi(m[1])
		frames += n
	}
	if n := strings.Count(story, "nothing of the connection was captured for 2."); n != 2 {
		t.Errorf("%d pauses of two seconds, want 2", n)
	}
	if !strings.Contains(story, "NAK: PSN sequence error") || !strings.Contains(story, "[retransmission]") || rows > frames/2 {
		t.Errorf("%d rows of %d frames:\n%s", rows, frames, story)
	}
	// What is sent again after the reply belongs to it, too: here until the capture ends.
	if !strings.Contains(after, "RC RDMA WRITE Middle [retransmission]") || frames != all+len(table(t, "--level frame --columns no --connection 1 -Y frame.number>=4951&&direction==to_client", "rxe-loss")) {
		t.Errorf("%d frames in all", frames)
	}
	every := must(t, "follow", "--all", sample("rxe-loss"), "0x03cdea83")
	if n := len(row.FindAllString(every, -1)); n != frames || strings.Contains(every, " … ") {
		t.Errorf("with --all there are %d rows, want %d", n, frames)
	}
	if again := must(t, "follow", sample("rxe-loss"), "frame", "4916"); again != out {
		t.Errorf("frame 4916 tells another story:\n%s", ends(again, 10))
	}
}

// TestFollowFits holds that nothing but decoded fields is wider than a terminal.
func TestFollowFits(t *testing.T) {
	for _, columns := range []int{80, 120} {
		story, _, _ := strings.Cut(on(t, columns, "follow", sample("rxe-loss"), "0x03cdea83"), "── decoded\n")
		for line := range strings.Lines(story) {
			if n := words.Columns(strings.TrimSuffix(line, "\n")); n > columns {
				t.Errorf("%d columns of %d: %s", n, columns, line)
			}
		}
	}
}

// TestFollowWrong holds what is said of what cannot be followed.
func TestFollowWrong(t *testing.T) {
	for args, want := range map[string]string{
		"CAP 0x12345":          "no RPC has the XID 0x00012345",
		"CAP frame 999999":     "there is no frame 999999 in the captures",
		"CAP frame 1":          "frame 1 is of no RDMA connection",
		"CAP frame 40":         "frame 40 carries no part of an RPC; it is of connection 1",
		"CAP connection 9":     "there is no connection 9",
		"- 0x12345":            "cannot be a pipe",
		"nonesuch.pcap 0x1":    "nonesuch.pcap",
		"CAP":                  "what to follow",
		"CAP 0x1 --color pink": "--color",
	} {
		words := strings.Fields(strings.ReplaceAll(args, "CAP", sample("rxe-cb")))
		r := rdmacap(append([]string{"follow"}, words...)...)
		if r.status != exitUnusable || r.out != "" || !strings.Contains(r.err, want) {
			t.Errorf("follow %s: status %d, %q, standard error %q, want %q", args, r.status, r.out, r.err, want)
		}
	}
}
