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
	// What is retransmitted after the reply belongs to it, too: here until the capture ends.
	if !strings.Contains(after, "RC RDMA WRITE Middle [retransmission]") || frames != len(table(t, "--level frame --columns no --connection 1 -Y frame.number>="+first, "rxe-loss")) {
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

// TestFollowWrong holds what is reported of what cannot be followed.
func TestFollowWrong(t *testing.T) {
	for args, want := range map[string]string{
		"CAP 0x12345":          "no RPC has the XID 0x00012345",
		"CAP frame 999999":     "there is no frame 999999 in the captures",
		"CAP frame 1":          "frame 1 does not belong to an RDMA connection",
		"CAP frame 40":         "frame 40 carries no part of an RPC; it belongs to connection 1",
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

// TestFollowHidesNoFrames holds of many RPCs, over both transports, that between two rows of a story
// nothing was captured of the connection but what is counted there, and that a story which ends with
// an acknowledgement ends with the first for the whole of the reply.
func TestFollowHidesNoFrames(t *testing.T) {
	t.Parallel()
	row := regexp.MustCompile(`^ *-?\d+\.\d{6} +-?\d+\.\d{6} +(\d+)  (?:server|client) `)
	counted := regexp.MustCompile(`^ +… (\d+) (?:more|other) frames?\b`)
	for _, capture := range []string{"siw-loss", "rxe-thresh", "siw-basic"} {
		xids := table(t, "--columns xid,conn", capture)
		for i := 0; i < len(xids); i += len(xids) / 12 {
			place := make(map[string]int) // of the frames of the connection, by their numbers
			for at, frame := range table(t, "--level frame --columns no --connection "+xids[i][1], capture) {
				place[frame[0]] = at
			}
			story, _, _ := strings.Cut(must(t, "follow", sample(capture), xids[i][0]), "── decoded\n")
			before, between, rows := -1, 0, 0
			for line := range strings.Lines(story) {
				if m := counted.FindStringSubmatch(line); m != nil {
					n, _ := strconv.Atoi(m[1])
					between += n
				} else if m := row.FindStringSubmatch(line); m != nil {
					at, is := place[m[1]]
					if !is || before >= 0 && at != before+between+1 {
						t.Errorf("%s, %s: %d frames are told between rows of which the second is frame %s:\n%s", capture, xids[i][0], between, m[1], story)
					}
					before, between = at, 0
					rows++
				}
			}
			if rows < 2 || between != 0 {
				t.Errorf("%s, %s: %d rows, and %d frames at the end:\n%s", capture, xids[i][0], rows, between, story)
			}
		}
	}
}
