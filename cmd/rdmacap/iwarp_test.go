package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// getattrs is a conversation over iWARP on a port: so many RPCs.
func getattrs(port uint16, rpcs int) (c *build.IWARP, start build.Span) {
	c = build.NewIWARP(build.IWARPSetup{Service: port})
	start = c.Connect()
	for xid := range uint32(rpcs) {
		e := c.Call(build.NFS3GetAttr(xid+1, []byte("handle")))
		c.Reply(e, build.NFS3GetAttrReply(xid+1, 42))
	}
	c.Disconnect()
	return c, start
}

func pcapOf(t *testing.T, frames build.Frames) string {
	t.Helper()
	var file bytes.Buffer
	if err := build.WritePcap(&file, frames); err != nil {
		t.Fatal(err)
	}
	return write(t, "built.pcap", file.Bytes())
}

// TestIWARPPort holds what finds iWARP: on any port the MPA frames; without
// them the port, or so many FPDUs that it cannot be anything else.
func TestIWARPPort(t *testing.T) {
	const few, many = 3, 40
	for _, c := range []struct {
		name  string
		port  uint16
		rpcs  int
		late  bool
		flags string
		found bool
	}{
		{"with its setup", 7777, few, false, "", true},
		{"begun late on NFS/RDMA's port", 20049, few, true, "", true},
		{"begun late, few FPDUs", 7777, few, true, "", false},
		{"begun late, few FPDUs, port named", 7777, few, true, "--iwarp-port 7777", true},
		{"begun late, another port named", 7777, few, true, "--iwarp-port 7778", false},
		{"begun late, many FPDUs", 7777, many, true, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			conversation, start := getattrs(c.port, c.rpcs)
			frames := conversation.Frames
			if c.late {
				frames = frames[start.End:]
			}
			args := append([]string{"read"}, strings.Fields(c.flags)...)
			out := must(t, append(args, pcapOf(t, frames))...)
			want := fmt.Sprintf("0 RPCs on 0 connections, %d frames of", len(frames))
			if c.found {
				want = fmt.Sprintf("%d RPCs on 1 connection, %d frames of", c.rpcs, len(frames))
			}
			if !strings.HasPrefix(last(out), want) || strings.Contains(last(out), "incomplete") {
				t.Errorf("summary %q, want %q", last(out), want)
			}
			if !c.found && !strings.Contains(last(out), fmt.Sprintf(" %d frames not RDMA", len(frames))) {
				t.Errorf("summary %q: no frame is of a connection", last(out))
			}
			if known := !strings.Contains(out, "its setup is not in the capture"); c.found && known == c.late {
				t.Errorf("the connection's lines are\n%s", out)
			}
		})
	}
}

// TestTerminateIsTold holds that a person and a script are told why a connection
// ended.
func TestTerminateIsTold(t *testing.T) {
	const words = "DDP, Tagged Buffer Error: Base or bounds violation"
	out := must(t, "read", sample("siw-perftest"))
	if !strings.Contains(out, "── #1 terminated by the server: "+words) {
		t.Errorf("no line says %q:\n%s", words, out)
	}
	told := 0
	for line := range strings.Lines(must(t, "read", "--format", "ndjson", sample("siw-perftest"))) {
		r := decode(t, line).(map[string]any)
		if r["end"] != "terminate" {
			continue
		}
		told++
		if text, _ := r["terminate"].(string); !strings.HasPrefix(text, words) || r["terminated_by"] != "server" {
			t.Errorf("the record says %v by %v", r["terminate"], r["terminated_by"])
		}
	}
	if told != 1 {
		t.Errorf("%d records tell of a Terminate, want 1", told)
	}
}

// TestRejectedIWARP holds that an MPA Reply which rejects is told as such.
func TestRejectedIWARP(t *testing.T) {
	c := build.NewIWARP(build.IWARPSetup{})
	c.Handshake()
	c.Request()
	c.Reject(nil)
	c.Disconnect()
	path := pcapOf(t, c.Frames)
	out := must(t, "read", path)
	if !strings.Contains(out, "── #1 rejected") || !strings.Contains(out, "0 RPCs on 1 connection") {
		t.Errorf("it is told as\n%s", out)
	}
	if out := must(t, "read", "--level", "frame", path); !strings.Contains(out, "MPA Reply") || !strings.Contains(out, "reject") {
		t.Errorf("its frames are told as\n%s", out)
	}
}

// TestCutIWARP is TestSnapLength over iWARP: what the snap length cut is no
// fault of whoever sent it, and the streams stay in step.
func TestCutIWARP(t *testing.T) {
	path := write(t, "snap.pcap", snapped(unpacked(t, "siw-basic"), 232))
	r := rdmacap("read", path)
	if r.status != exitDone || r.err != "" {
		t.Errorf("status %d, standard error %q", r.status, r.err)
	}
	summary := last(r.out)
	if !strings.HasPrefix(summary, "529 RPCs on 4 connections") || strings.Contains(summary, "malformed") || strings.Contains(summary, "missing") {
		t.Errorf("summary %q", summary)
	}
	if !strings.Contains(r.out, "the snap length cut its frames") {
		t.Error("no RPC is said to be cut by the snap length")
	}
}

// TestGarbledIWARP is TestGarbledFrames over iWARP, where one byte may take a
// whole stream out of step.
func TestGarbledIWARP(t *testing.T) {
	t.Parallel()
	whole := unpacked(t, "siw-perftest")
	seed := uint32(1)
	for round := range 3 {
		garbled := bytes.Clone(whole)
		for at := 24; at+16 < len(garbled); {
			length := int(binary.LittleEndian.Uint32(garbled[at+8:]))
			seed = seed*1664525 + 1013904223
			if seed>>27 == 0 { // one frame of 32
				garbled[at+16+int(seed>>4)%length] ^= byte(seed | 1)
			}
			at += 16 + length
		}
		for _, level := range []string{"rpc", "message", "frame"} {
			text := rdmacapReading(bytes.NewReader(garbled), "read", "-V", "-x", "--level", level, "-")
			lines := rdmacapReading(bytes.NewReader(garbled), "read", "--format", "ndjson", "-x", "--level", level, "-")
			if text.status != exitDone || lines.status != exitDone || text.err+lines.err != "" {
				t.Fatalf("round %d: status %d and %d, %q", round, text.status, lines.status, text.err+lines.err)
			}
			for line := range strings.Lines(lines.out) {
				r := decode(t, line).(map[string]any)
				checkRecord(t, r)
				if r["type"] == "summary" && fmt.Sprint(r["rpcs"])+fmt.Sprint(r["messages"]) != "00" {
					t.Errorf("round %d: %v RPCs and %v messages were invented", round, r["rpcs"], r["messages"])
				}
			}
		}
	}
}

// TestToldLate drops a segment, so that those after it wait until it is settled
// that it will not come, which any frame may do. What a row says that its frame
// completes must be what that frame brought; the others are counted, and their
// records name their frames.
func TestToldLate(t *testing.T) {
	const call, reply = 108, 140 // bytes of the Sends
	c, start := getattrs(20049, 40)
	frames := c.Frames.Drop(start.End + 4) // the second call
	sender := func(number int) build.Direction { return frames[number-1].Dir }
	path := pcapOf(t, frames)
	late := 0
	for line := range strings.Lines(must(t, "read", "--level", "frame", "--format", "ndjson", path)) {
		r := decode(t, line).(map[string]any)
		checkRecord(t, r)
		units, _ := r["units"].([]any)
		for _, u := range units {
			u := u.(map[string]any)
			brought := at(r["frame"])
			if u["frame"] != nil {
				late++
				if number := at(u["frame"]); number < brought {
					brought = number
				} else {
					t.Errorf("frame %d has a unit of frame %d", brought, number)
				}
			}
			want := call
			if sender(brought) == build.ToClient {
				want = reply
			}
			if u["kind"] == "fpdu" && at(u["payload_length"]) != want {
				t.Errorf("frame %v: a Send of %v bytes is said to come with frame %d", r["frame"], u["payload_length"], brought)
			}
		}
	}
	if late == 0 {
		t.Error("nothing was told late")
	}
	told := 0
	for line := range strings.Lines(must(t, "read", "--level", "frame", path)) {
		var n int
		if _, words, ok := strings.Cut(line, "  ["); ok && strings.Contains(words, "earlier frames can be shown now]") {
			if _, err := fmt.Sscan(words, &n); err != nil {
				t.Errorf("%v in %q", err, line)
			}
			told += n
		}
	}
	if told != late {
		t.Errorf("rows tell of %d FPDUs of earlier frames, records of %d", told, late)
	}
}
