package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
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

// A holdUp holds up whoever writes to it, as long as it is told to.
type holdUp struct {
	*watched
	each time.Duration
}

func (w *holdUp) Write(p []byte) (int, error) {
	time.Sleep(w.each)
	return w.watched.Write(p)
}

// crowdOf are conversations of clients with a server, in turns: set-ups, rounds of calls and
// replies, and if they end disconnects.
func crowdOf(conns, rounds int, ends bool, take func(frame []byte)) {
	m := build.NewMany(conns, min(conns, 250), build.Setup{})
	turn := func(goOn func(i int, c *build.Conversation)) {
		for _, f := range m.Turn(goOn) {
			take(f.Data)
		}
	}
	turn(func(_ int, c *build.Conversation) { c.Connect() })
	for round := range uint32(rounds) {
		turn(func(i int, c *build.Conversation) {
			xid := uint32(i)*0x10001 + round*0x1000003
			c.Reply(c.Call(build.NFS3GetAttr(xid, []byte("a file handle"))), build.NFS3GetAttrReply(xid, 3000))
		})
	}
	if ends {
		turn(func(_ int, c *build.Conversation) { c.Disconnect() })
	}
}

// TestLiveSheds has more frames come than can be followed, for long: whole connections are
// shed before the ring drops any, every frame is accounted for, and nothing is found nor
// missing because of that. When there is room again all are followed.
func TestLiveSheds(t *testing.T) {
	p := veth.New(t)
	var frames [][]byte
	rounds := long.Pick(60, 150)
	crowdOf(64, rounds, true, func(f []byte) { frames = append(frames, f) })
	var diag, out watched
	sent := make(chan bool)
	go func() {
		defer close(sent)
		diag.until("capturing; interrupt to end")
		began := time.Now()
		for i, f := range frames {
			if err := p.Send(f); err != nil {
				t.Error(err)
			}
			for i%16 == 0 && time.Since(began) < time.Duration(i)*100*time.Microsecond {
				time.Sleep(time.Millisecond)
			}
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT) // this process exists
	}()
	run([]string{"live", "-i", p.Far, "--format", "ndjson", "--buffer", "8MiB", "--level", "frame"}, streams{nil, &holdUp{&out, 40 * time.Millisecond}, &diag})
	<-sent
	c := countsOf(t, out.String())
	t.Logf("%d frames sent, %d followed, %d shed, %d dropped", len(frames), c.Frames, c.Shed, c.Ring)
	if c.Frames+c.Shed+c.Ring != int64(len(frames)) {
		t.Errorf("%d frames are not accounted for", int64(len(frames))-c.Frames-c.Shed-c.Ring)
	}
	if c.Shed == 0 {
		t.Fatal("nothing was shed: this shows nothing")
	}
	if !strings.Contains(diag.String(), "analysis cannot keep up: some connections are not followed until there is room again") {
		t.Errorf("standard error: %s", &diag.Buffer)
	}
	if c.Findings.Error+c.Findings.Warning > 0 || c.Ring == 0 && c.IncompleteRPCs > 0 {
		t.Errorf("because of shedding: %+v", c)
	}
}

// TestLiveMemory follows more connections than there is memory for, in a process of its
// own: it takes no more than --memory says, and says what it does not follow. On a busy
// machine frames may be lost, or shed, because there is no time for them: then too few
// connections are open, and it is done again, with more time.
func TestLiveMemory(t *testing.T) {
	if testing.CoverMode() != "" {
		t.Skip("coverage takes memory too")
	}
	if raced {
		t.Skip("the race detector takes several times the memory")
	}
	p := veth.New(t)
	var diag string
	for pause := 4 * time.Millisecond; pause <= longestPause; pause *= 4 {
		if diag = liveMemory(t, p, pause); strings.Contains(diag, "memory is short (--memory)") {
			return
		}
	}
	t.Errorf("nothing was shed, this shows nothing: %s", diag)
}

// longestPause is the last that TestLiveMemory tries.
const longestPause = 256 * time.Millisecond

// liveMemory does it once, with a pause after every 256 frames that are sent, and returns
// what was said.
func liveMemory(t *testing.T, p *veth.Pair, pause time.Duration) string {
	const most = 136 << 10 // KiB: the code of the tests is larger than that of rdmacap
	cmd := exec.Command(os.Args[0], "-test.run=^TestCapturesWithLittleMemory$")
	cmd.Env = append(os.Environ(), "CAPTURES="+p.Far)
	var out bytes.Buffer
	cmd.Stdout = &out
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var diag strings.Builder
	said := bufio.NewReader(stderr)
	for !strings.Contains(diag.String(), "capturing; ") {
		line, err := said.ReadString('\n')
		if diag.WriteString(line); err != nil {
			t.Fatalf("%v: %s", err, &diag)
		}
	}
	var frames int64
	crowdOf(long.Pick(7000, 20_000), long.Pick(1, 8), false, func(f []byte) {
		if frames++; frames%256 == 0 {
			time.Sleep(pause)
		}
		if err := p.Send(f); err != nil {
			t.Error(err)
		}
	})
	time.Sleep(300 * time.Millisecond)
	var peak int64
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if text, is := strings.CutPrefix(line, "VmHWM:"); is {
			if _, err := fmt.Sscan(text, &peak); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		var line string
		line, err = said.ReadString('\n')
		diag.WriteString(line)
	}
	_ = cmd.Wait() // its status is that of a test, or of an interruption
	c := countsOf(t, out.String())
	t.Logf("%d frames sent, %d followed, %d shed, %d dropped; %d KiB at most", frames, c.Frames, c.Shed, c.Ring, peak)
	if c.Frames+c.Shed+c.Ring != frames {
		t.Errorf("%d frames are not accounted for", frames-c.Frames-c.Shed-c.Ring)
	}
	if peak > most && c.Ring > 0 && pause < longestPause {
		return "the collector had no time either: frames were dropped"
	}
	if peak == 0 || peak > most {
		t.Errorf("it took %d KiB", peak)
	}
	if c.Findings.Error+c.Findings.Warning > 0 {
		t.Errorf("because of shedding: %+v: %s", c, countsOfRules(t, out.String()))
	}
	return diag.String()
}

// TestCapturesWithLittleMemory is what TestLiveMemory runs.
func TestCapturesWithLittleMemory(t *testing.T) {
	name := os.Getenv("CAPTURES")
	if name == "" {
		t.Skip("TestLiveMemory runs it")
	}
	// Slow calls and silences are not looked for: they are there, where the sender has to wait for a processor.
	os.Exit(run([]string{"live", "-i", name, "--format", "ndjson", "--memory", "128MiB", "--buffer", "16MiB", "--rules", "-SYM,-RPC-007"}, streams{nil, os.Stdout, os.Stderr}))
}

// TestLiveMemoryIsDivided has what the rings take of the memory.
func TestLiveMemoryIsDivided(t *testing.T) {
	for _, c := range []struct {
		memory, buffer string
		interfaces     int
		given          bool
		kept           int64
		ring           int
		following      int64
		err            string
	}{
		{"256MiB", "64MiB", 1, false, 0, 64 << 20, 176 << 20, ""},
		{"256MiB", "64MiB", 4, false, 0, 32 << 20, 112 << 20, ""},
		{"1GiB", "64MiB", 4, false, 0, 64 << 20, 752 << 20, ""},
		{"256MiB", "64MiB", 0, false, 0, 64 << 20, 240 << 20, ""},
		{"256MiB", "16MiB", 2, true, 0, 16 << 20, 208 << 20, ""},
		{"256MiB", "64MiB", 4, true, 0, 0, 0, "--memory: of 256MiB less than 64 MiB is left for following connections beside 4 rings of 64 MiB (--buffer) and 0 MiB for --write"},
		{"256MiB", "64MiB", 1, false, 64 << 20, 64 << 20, 112 << 20, ""},
		{"256MiB", "64MiB", 2, false, 64 << 20, 0, 0, "--memory: of 256MiB less than 64 MiB is left for following connections beside 2 rings of 64 MiB (--buffer) and 64 MiB for --write"},
		{"64MiB", "16MiB", 1, true, 0, 0, 0, "--memory: it is from 128MiB to 1TiB"},
		{"much", "16MiB", 1, true, 0, 0, 0, "--memory: it is a number of bytes, as in 20MB or 64MiB"},
		{"256MiB", "3GiB", 1, true, 0, 0, 0, "--buffer: it is from 1MiB to 2GiB"},
	} {
		o := memoryOptions{memory: c.memory, buffer: c.buffer}
		err := o.divide(c.interfaces, c.given, c.kept)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%+v: %v", c, err)
			}
		} else if err != nil || o.ringSize != c.ring || o.following != c.following {
			t.Errorf("%+v: rings of %d, %d for following, %v", c, o.ringSize, o.following, err)
		}
	}
}

// TestLiveWorkersHaveRoom holds that there are no more workers than --memory has room for.
func TestLiveWorkersHaveRoom(t *testing.T) {
	for _, c := range []struct {
		following   int64 // MiB
		asked, want int
		left        int64 // MiB
	}{
		{96, 1, 1, 96}, {96, 2, 2, 64}, {96, 16, 2, 64}, {64, 4, 1, 64}, {176, 4, 4, 80}, {176, 64, 4, 80},
	} {
		o := memoryOptions{following: c.following << 20}
		if got := o.forWorkers(c.asked); got != c.want || o.following != c.left<<20 {
			t.Errorf("%d MiB, %d workers: %d, %d MiB left; want %d, %d", c.following, c.asked, got, o.following>>20, c.want, c.left)
		}
	}
}
