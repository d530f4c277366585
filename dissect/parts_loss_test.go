package dissect_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// atOpcode is the place of the OpCode after Ethernet, IPv4 and UDP.
const atOpcode = 14 + 20 + 8

// opcodes of the BTH.
const (
	sendOnly     = 0x04
	readRequest  = 0x0c
	readResponse = 0x10 // the only one
)

// having are the indexes of the frames with an opcode.
func having(list frames, opcode byte) (at []int) {
	for i, f := range list {
		if len(f.Data) > atOpcode && f.Data[atOpcode] == opcode {
			at = append(at, i)
		}
	}
	return at
}

// numbered gives frames their numbers by time.
func numbered(list frames) frames {
	slices.SortStableFunc(list, func(a, b capture.Frame) int { return int(a.Time - b.Time) })
	for i := range list {
		list[i].Number = int64(i + 1)
	}
	return list
}

// later are frames once more, after a time.
func later(list frames, at []int, after time.Duration) (copies frames) {
	for _, i := range at {
		f := list[i]
		f.Time += int64(after)
		copies = append(copies, f)
	}
	return copies
}

// TestPartsOfReadAskedAgain loses the data that the server reads after the capture: what it
// waits for them is not its own time.
func TestPartsOfReadAskedAgain(t *testing.T) {
	list := play(t, `
			connect
			call 1 NFS3 WRITE file="fh" data=bytes(800)
			    read 0x1 800
			wait 600ms
			reply 1`, scene.RoCE)
	at := append(having(list, readRequest), having(list, readResponse)...)
	if len(at) != 2 {
		t.Fatalf("%d frames of RDMA Reads", len(at))
	}
	list = numbered(append(list, later(list, at, 500*time.Millisecond)...))
	p := partsOf(t, list)[0x1001]
	if got, want := millis(p), "credit_wait ?, server 100, retransmission 500"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPartsOfLostReply loses a reply before the capture. Until a later one shows that, nobody knows
// whose the time was; then it is the network's, and of what was captured at once it is the server's.
func TestPartsOfLostReply(t *testing.T) {
	list := play(t, `
			connect
			call 1 NFS3 GETATTR object="fh"
			call 2 NFS3 GETATTR object="fh"
			wait 5ms
			reply 1
			    noack
			reply 2
			    noack
			nak client sequence
			wait 150ms
			ack client`, scene.RoCE)
	at := having(list, sendOnly)
	if len(at) != 4 {
		t.Fatalf("%d Sends", len(at))
	}
	list[at[2]].Time += int64(100 * time.Millisecond)
	all := partsOf(t, numbered(list))
	if got, want := millis(all[0x1001]), "credit_wait ?, retransmission 99, unattributed 5"; got != want {
		t.Errorf("the reply that was lost: %q, want %q", got, want)
	}
	if got, want := millis(all[0x1002]), "credit_wait ?, server 5"; got != want {
		t.Errorf("the one behind it: %q, want %q", got, want)
	}
}

// TestPartsBehindOneSentAgain has the responder send an earlier reply again while it has another call: what it sends
// for that may wait after, so that nobody knows whose the time after that was.
func TestPartsBehindOneSentAgain(t *testing.T) {
	list := play(t, `
			connect
			call 1 NFS3 GETATTR object="fh"
			reply 1
			    noack
			call 2 NFS3 GETATTR object="fh"
			wait 600ms
			reply 2`, scene.RoCE)
	at := having(list, sendOnly)
	if len(at) != 4 {
		t.Fatalf("%d Sends", len(at))
	}
	list = numbered(append(list, later(list, at[1:2], 400*time.Millisecond)...))
	if got := millis(partsOf(t, list)[0x1002]); !strings.Contains(got, "unattributed 200") || strings.Contains(got, "server") {
		t.Errorf("%q", got)
	}
}

// TestPartsWithoutReadData holds that no time is the server's where the capture lacks the end of what
// the server read of the call: that may have come late. What is missing before the end came earlier.
func TestPartsWithoutReadData(t *testing.T) {
	const text = `
			connect
			call 9 NFS3 NULL
			reply 9
			call 1 NFS3 WRITE data=bytes(4000) count=4000
			    read 0x1001 4000
			wait 3s
			reply 1`
	whole := play(t, text, scene.RoCE)
	const request, middle, last = 10, 12, 14 // frames of the RDMA Read
	for _, x := range []struct {
		missing int64
		want    string
	}{
		{0, "server 3000"}, {middle, "server 3000"}, {last, "unattributed 3000"}, {request, "unattributed 3000"},
	} {
		var list frames
		for _, f := range whole {
			if f.Number != x.missing {
				list = append(list, f)
			}
		}
		if got := millis(partsOf(t, list)[0x1001]); !strings.HasPrefix(got, x.want) {
			t.Errorf("without frame %d: %s, want %s", x.missing, got, x.want)
		}
	}
}
