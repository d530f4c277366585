package dissect_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// parted notes where the time of RPCs went.
type parted struct {
	dissect.Sink
	t    *testing.T
	seen map[uint32]dissect.Parts
}

func (*parted) Connection(*dissect.Connection, bool) {}
func (*parted) Frame(*dissect.FrameView)             {}
func (*parted) Message(*dissect.Message)             {}

// RPC holds the sum of the parts against the latency.
func (p *parted) RPC(r *dissect.RPC) {
	parts, ok := r.Parts()
	latency, known := r.Latency()
	if ok != known {
		p.t.Errorf("XID %#x: parts %v, latency %v", r.XID, ok, known)
	}
	if !ok {
		return
	}
	sum := int64(0)
	for x := range dissect.NumPhases {
		ns, known := parts.Of(x)
		if ns < 0 || !known && ns != 0 {
			p.t.Errorf("XID %#x: %v is %d ns, %v", r.XID, x, ns, known)
		}
		if x.OfLatency() {
			sum += ns
		}
	}
	if sum != latency {
		p.t.Errorf("XID %#x: the parts make %d ns, of %d", r.XID, sum, latency)
	}
	p.seen[r.XID] = parts
}

// partsOf are those of all RPCs.
func partsOf(t *testing.T, list frames) map[uint32]dissect.Parts {
	t.Helper()
	p := &parted{t: t, seen: make(map[uint32]dissect.Parts)}
	d := dissect.New(p, dissect.Options{})
	for i := range list {
		d.Frame(&list[i])
	}
	d.Flush()
	return p.seen
}

// play are the frames of a scene.
func play(t *testing.T, text string, over scene.Transport) (list frames) {
	t.Helper()
	played, err := scene.Play(strings.ReplaceAll(strings.TrimSpace(text), "\n\t\t\t", "\n"), over)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range played.Frames {
		list = append(list, capture.Frame{Number: int64(i + 1), Time: f.Time.UnixNano(), Link: link.TypeEthernet, Data: f.Data, Length: int32(f.Length)})
	}
	return list
}

// millis are the parts of at least a millisecond, and what is not known.
func millis(p dissect.Parts) string {
	var words []string
	for x := range dissect.NumPhases {
		if ns, ok := p.Of(x); !ok {
			words = append(words, x.String()+" ?")
		} else if ns >= int64(time.Millisecond) {
			words = append(words, fmt.Sprint(x, " ", ns/int64(time.Millisecond)))
		}
	}
	if p.OrLostReply {
		words = append(words, "or a lost reply")
	}
	return strings.Join(words, ", ")
}

func TestParts(t *testing.T) {
	both := []scene.Transport{scene.RoCE, scene.IWARP}
	for _, x := range []struct {
		name, scene, want string
		over              []scene.Transport
	}{
		{"the server takes its time", `
			connect
			call 1 NFS3 GETATTR object="fh"
			wait 50ms
			reply 1`, "credit_wait ?, server 50", both},
		{"longer than an acknowledgement is waited for", `
			connect acktimeout=14
			call 1 NFS3 GETATTR object="fh"
			wait 300ms
			reply 1`, "credit_wait ?, server 300, or a lost reply", both},
		{"but not with a Local ACK Timeout of 2.1 s", `
			connect acktimeout=19
			call 1 NFS3 GETATTR object="fh"
			wait 300ms
			reply 1`, "credit_wait ?, server 300", both[:1]},
		{"nor where the server sent something in the meantime", `
			connect acktimeout=14
			call 1 NFS3 GETATTR object="fh"
			call 2 NFS3 GETATTR object="fh"
			wait 55ms
			reply 2
			wait 55ms
			reply 1`, "credit_wait ?, server 110", both},
		{"nobody acknowledged the call", `
			connect
			call 1 NFS3 GETATTR object="fh"
			    noack
			wait 50ms
			reply 1`, "credit_wait ?, call ?, server ?, unattributed 50", both},
		{"the call was sent again", `
			connect
			call 1 NFS3 GETATTR object="fh"
			    noack
			wait 2s
			resend 1
			ack server
			wait 5ms
			reply 1`, "credit_wait ?, server 5, retransmission 2000", both},
		{"the call was sent again, and answered without an acknowledgement", `
			connect
			call 1 NFS3 GETATTR object="fh"
			    noack
			wait 2s
			resend 1
			wait 5ms
			reply 1`, "credit_wait ?, call ?, server ?, retransmission 2000, unattributed 5", both},
		{"the server reads the data late, and works on them", `
			connect
			call 1 NFS3 WRITE file="fh" data=bytes(3000)
			    read 0x1 3000; nopull
			wait 10ms
			rdma read server 0x1 3000
			wait 20ms
			reply 1`, "credit_wait ?, server 30", both},
		{"the server reads the data in two goes", `
			connect
			call 1 NFS3 WRITE file="fh" data=bytes(3000)
			    read 0x1 3000; nopull
			rdma read server 0x1 2000
			wait 10ms
			rdma read server 0x1 1000@0x1007d0
			reply 1`, "credit_wait ?, read_chunks 10", both},
		{"the server writes the data in two goes, and then waits", `
			connect
			call 1 NFS3 READ file="fh" count=3000
			    write 0x1 3000
			wait 5ms
			rdma write server 0x1 2000
			wait 10ms
			rdma write server 0x1 1000@0x1007d0
			wait 20ms
			reply 1 data=bytes(3000)
			    place none`, "credit_wait ?, server 5, write_chunks 30", both},
		{"it takes all credits", `
			connect servercredits=2
			call 5 NFS3 GETATTR object="fh"
			reply 5
			call 2 NFS3 GETATTR object="fh"
			call 3 NFS3 GETATTR object="fh"
			wait 70ms
			reply 2
			call 1 NFS3 GETATTR object="fh"
			reply 1`, "credit_wait 70", both},
	} {
		for _, over := range x.over {
			p, ok := partsOf(t, play(t, x.scene, over))[0x1001]
			if got := millis(p); !ok || got != x.want {
				t.Errorf("%s, over %v: %q, want %q", x.name, over, got, x.want)
			}
		}
	}
}

// TestPartsOfLoss has what the lossy samples were made with: no time of the network's is the server's.
func TestPartsOfLoss(t *testing.T) {
	const slow = 0x03cdea83
	p := partsOf(t, load(t, "rxe-loss"))[slow]
	resent, _ := p.Of(dissect.PhaseRetransmission)
	server, _ := p.Of(dissect.PhaseServer)
	if x, _ := p.Longest(); x != dissect.PhaseRetransmission || resent < 4_500_000_000 || server > 1_000_000 {
		t.Errorf("the READ that waited for two time-outs: %s", millis(p))
	}
}

// TestPartsSumUp goes through all samples.
func TestPartsSumUp(t *testing.T) {
	list, err := os.ReadDir("../samples")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if name, ok := strings.CutSuffix(e.Name(), ".pcap.zst"); ok {
			t.Run(name, func(t *testing.T) {
				all := load(t, name)
				if len(partsOf(t, all)) == 0 && !strings.Contains(name, "perftest") {
					t.Error("nothing is known of any RPC")
				}
				// Without some of the frames, less is known.
				for _, every := range []int{7, 50} {
					n := 0
					partsOf(t, slices.DeleteFunc(slices.Clone(all), func(capture.Frame) bool { n++; return n%every == 0 }))
				}
			})
		}
	}
}
