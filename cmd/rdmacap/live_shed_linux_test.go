package main

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/veth"
)

// drops and summary are what live says of the frames.
type counts struct {
	Type                       string
	Frames, Kernel, Ring, Shed int64
	Findings                   struct{ Error, Warning, Note int }
	IncompleteRPCs             int `json:"incomplete_rpcs"`
}

// countsOf are the last drops and the summary.
func countsOf(t *testing.T, out string) (c counts) {
	t.Helper()
	for line := range strings.Lines(out) {
		if !strings.HasPrefix(line, `{"type":"drops"`) && !strings.HasPrefix(line, `{"type":"summary"`) {
			continue
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
	}
	if c.Type != "summary" {
		t.Fatalf("there is no summary: %.300s", out)
	}
	return c
}

// A crowd are conversations of clients with a server, which go on in turns.
type crowd struct {
	*build.Many
	take  func(frame []byte) // what becomes of their frames
	round uint32             // of calls
}

func newCrowd(conns int, take func(frame []byte)) *crowd {
	x := &crowd{build.NewMany(conns, min(conns, 250), build.Setup{}), take, 0}
	x.turn(func(_ int, c *build.Conversation) { c.Connect() })
	return x
}

// turn has every conversation go on.
func (x *crowd) turn(goOn func(i int, c *build.Conversation)) {
	for _, f := range x.Turn(goOn) {
		x.take(f.Data)
	}
}

// call has the first few conversations make a call each, which is replied to.
func (x *crowd) call(few int) {
	x.turn(func(i int, c *build.Conversation) {
		if i < few {
			xid := uint32(i)*0x10001 + x.round*0x1000003
			c.Reply(c.Call(build.NFS3GetAttr(xid, []byte("a file handle"))), build.NFS3GetAttrReply(xid, 3000))
		}
	})
	x.round++
}

// TestLiveSheds has more frames come than can be followed: whole connections are shed, every
// frame is accounted for, and nothing is found nor missing because of that. When there is room
// again all are followed.
func TestLiveSheds(t *testing.T) {
	p := veth.New(t)
	const conns, ring, overhead = 64, 2 << 20, 96 // bytes of the ring, and of each frame there about
	var sent, size int64
	var diag, out watched
	goOn := make(chan struct{}) // lets one write pass, or all when it is closed
	whileRunning(t, streams{out: held{&out, goOn}, err: &diag}, &out, &diag, func(*watched) {
		shedding := false
		x := newCrowd(conns, func(frame []byte) {
			if err := p.Send(frame); err != nil {
				t.Error(err)
			}
			sent++
			if size += int64(len(frame)) + overhead; size < ring*3/4 || sent%256 > 0 || shedding {
				return
			}
			goOn <- struct{}{} // but less is taken than comes
			if shedding = diag.has("analysis cannot keep up"); shedding {
				close(goOn)
			}
		})
		for ; !shedding && x.round < 5000; x.call(conns) {
		}
		for ; !diag.has("all connections are followed again") && x.round < 50_000; x.call(1) {
			time.Sleep(2 * time.Millisecond)
		}
		x.call(conns)
		x.turn(func(_ int, c *build.Conversation) { c.Disconnect() })
	}, "-i", p.Far, "--format", "ndjson", "--buffer", "2MiB", "--level", "frame")
	c := countsOf(t, out.String())
	t.Logf("%d frames sent, %d followed, %d shed, %d dropped", sent, c.Frames, c.Shed, c.Ring)
	if c.Frames+c.Shed+c.Ring != sent {
		t.Errorf("%d frames are not accounted for", sent-c.Frames-c.Shed-c.Ring)
	}
	if c.Shed == 0 || !diag.has("all connections are followed again") {
		t.Errorf("nothing was shed, or that goes on: %s", &diag.Buffer)
	}
	if c.Findings.Error+c.Findings.Warning > 0 || c.Ring == 0 && c.IncompleteRPCs > 0 {
		t.Errorf("because of shedding: %+v", c)
	}
}

// TestLiveMemory follows more connections than there is memory for, in a process of its
// own: it takes no more than --memory says, and says what it does not follow.
func TestLiveMemory(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage takes memory too")
	}
	if raced {
		t.Skip("the race detector takes several times the memory")
	}
	const most = 136 << 10 // KiB: the code of the tests is larger than that of rdmacap
	cmd := exec.Command(os.Args[0], "-test.run=^TestFollowsWithLittleMemory$")
	cmd.Env = append(os.Environ(), "FOLLOWS_WITH_LITTLE_MEMORY=1")
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var frames int64
	w := bufio.NewWriter(in)
	header := []byte("\x4d\x3c\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x01\x00\x00\x00") // pcap, with nanoseconds
	put := func(data []byte) {
		if _, err := w.Write(data); err != nil {
			t.Fatalf("%v: %s", err, &diag)
		}
	}
	put(header)
	x := newCrowd(long.Pick(7000, 20_000), func(f []byte) {
		le, at := binary.LittleEndian, frames*1000
		record := le.AppendUint32(le.AppendUint32(nil, uint32(at/1e9)), uint32(at%1e9))
		put(le.AppendUint32(le.AppendUint32(record, uint32(len(f))), uint32(len(f))))
		put(f)
		frames++
	})
	for range long.Pick(1, 8) {
		x.call(math.MaxInt)
	}
	if err := errors.Join(w.Flush(), in.Close(), cmd.Wait()); err != nil {
		t.Fatalf("%v: %s", err, &diag)
	}
	_, after, _ := strings.Cut(diag.String(), "VmHWM:")
	var peak int64 // KiB
	if _, err := fmt.Sscan(after, &peak); err != nil {
		t.Fatalf("%v: %s", err, &diag)
	}
	c := countsOf(t, out.String())
	t.Logf("%d frames sent, %d followed, %d shed; %d KiB at most", frames, c.Frames, c.Shed, peak)
	if c.Frames+c.Shed != frames {
		t.Errorf("%d frames are not accounted for", frames-c.Frames-c.Shed)
	}
	if peak == 0 || peak > most {
		t.Errorf("it took %d KiB", peak)
	}
	if c.Shed == 0 || !strings.Contains(diag.String(), "memory is short (--memory)") {
		t.Errorf("nothing was shed, this shows nothing: %s", &diag)
	}
	if c.Findings.Error+c.Findings.Warning > 0 {
		t.Errorf("because of shedding: %+v: %s", c, countsOfRules(t, out.String()))
	}
}

// TestFollowsWithLittleMemory is what TestLiveMemory runs. It says how much memory it took at
// most.
func TestFollowsWithLittleMemory(t *testing.T) {
	if os.Getenv("FOLLOWS_WITH_LITTLE_MEMORY") == "" {
		t.Skip("TestLiveMemory runs it")
	}
	status := runProcess([]string{"live", "-r", "-", "--format", "ndjson", "--memory", "128MiB", "--rules", "-SYM,-RPC-007"})
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	os.Stderr.Write(text)
	os.Exit(status)
}

// TestLiveMemoryIsDivided holds what is reported of memory that cannot be divided.
func TestLiveMemoryIsDivided(t *testing.T) {
	for _, c := range []struct {
		memory, buffer string
		interfaces     int
		given          bool
		kept           int64
		err            string
	}{
		{"256MiB", "64MiB", 4, true, 0, "--memory: 256MiB leaves less than 64 MiB for tracking connections after 4 rings of 64 MiB (--buffer) and 0 MiB for --write"},
		{"256MiB", "64MiB", 2, false, 64 << 20, "--memory: 256MiB leaves less than 64 MiB for tracking connections after 2 rings of 64 MiB (--buffer) and 64 MiB for --write"},
		{"64MiB", "16MiB", 1, true, 0, "--memory must be from 128MiB to 1TiB"},
		{"much", "16MiB", 1, true, 0, "--memory: it is a number of bytes, as in 20MB or 64MiB"},
		{"256MiB", "3GiB", 1, true, 0, "--buffer must be from 1MiB to 2GiB"},
	} {
		o := memoryOptions{memory: c.memory, buffer: c.buffer}
		if d, err := o.divide(c.interfaces, c.given, c.kept, 1); err == nil || err.Error() != c.err {
			t.Errorf("%+v: %+v, %v", c, d, err)
		}
	}
}
