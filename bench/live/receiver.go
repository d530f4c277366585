//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A receiver is a program that captures on the wire.
type receiver struct {
	name   string
	args   []string
	ready  string // what it says on standard error when it captures
	counts func(out *os.File, diag string) (counted, error)
	clean  string // a file or folder that it writes, made before if it is a folder
	inDir  bool   // it is a folder
	// lag is how long frames may be on their way to it.
	lag time.Duration
}

// counted is what a receiver says of the frames that came.
type counted struct{ taken, dropped, shed, findings int64 }

// ringSize is that of all receivers.
const ringSize = 64 << 20

func (b *bench) tcpdump(name, file string) receiver {
	return receiver{
		name: name, args: []string{"tcpdump", "-i", far, "-n", "-Z", "root", "-B", fmt.Sprint(ringSize >> 10), "-w", file},
		ready: "listening on", counts: tcpdumpCounts, clean: file, lag: 1300 * time.Millisecond, // libpcap waits for a second
	}
}

// live is `live` with all rules, a record an RPC, its output into a file.
func (b *bench) live(name string, args ...string) receiver {
	return receiver{
		name: name, args: append([]string{b.program, "live", "-i", far, "--format", "ndjson"}, append(args, b.flags...)...),
		ready: "capturing; interrupt to end", counts: liveCounts, lag: 200 * time.Millisecond,
	}
}

// receivers are all that this machine has.
func (b *bench) receivers() (list []receiver) {
	file := filepath.Join(b.folder, "x.pcap")
	list = append(list, b.tcpdump("tcpdump -w /dev/null", "/dev/null"), b.live("live --brief", "--brief"), b.tcpdump("tcpdump -w FILE", file), b.live("live"))
	help, err := exec.Command(b.program, "live", "--help").CombinedOutput()
	if err == nil && bytes.Contains(help, []byte("--write")) {
		dir := filepath.Join(b.folder, "ring")
		x := b.live("live --write DIR", "--write", dir)
		x.clean, x.inDir = dir, true
		list = append(list, b.tcpdump("tcpdump -w FILE", file), x)
	}
	return list
}

func tcpdumpCounts(_ *os.File, diag string) (c counted, err error) {
	for line := range strings.Lines(diag) {
		var n int64
		var what string
		if k, _ := fmt.Sscanf(line, "%d packet", &n); k != 1 {
			continue
		}
		what = strings.TrimSpace(line)
		switch {
		case strings.HasSuffix(what, "captured"):
			c.taken = n
		case strings.HasSuffix(what, "dropped by kernel"):
			c.dropped = n
		}
	}
	return c, nil
}

func liveCounts(out *os.File, _ string) (c counted, err error) {
	if _, err := out.Seek(0, io.SeekStart); err != nil {
		return c, err
	}
	ended := false
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		line := lines.Bytes()
		if !bytes.HasPrefix(line, []byte(`{"type":"summary"`)) && !bytes.HasPrefix(line, []byte(`{"type":"drops"`)) {
			continue
		}
		var r struct {
			Type                       string
			Frames, Kernel, Ring, Shed int64
			Findings                   struct{ Error, Warning int64 }
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return c, err
		}
		if r.Type == "summary" {
			c.taken, c.findings, ended = r.Frames, r.Findings.Error+r.Findings.Warning, true
		} else {
			c.dropped, c.shed = r.Kernel+r.Ring, r.Shed
		}
	}
	if !ended {
		return c, errors.New("there is no summary")
	}
	return c, lines.Err()
}

// A process is a receiver that runs.
type process struct {
	*exec.Cmd
	of   receiver
	out  *os.File
	diag *bytes.Buffer
	over chan struct{} // standard error has ended
}

// start starts a receiver, and returns when it captures.
func (b *bench) start(r receiver) (*process, error) {
	if r.inDir {
		if err := os.Mkdir(r.clean, 0o755); err != nil {
			return nil, err
		}
	}
	out, err := os.CreateTemp(b.folder, "out")
	if err != nil {
		return nil, err
	}
	os.Remove(out.Name()) // it goes when it is closed
	p := &process{Cmd: exec.CommandContext(b.ctx, r.args[0], r.args[1:]...), of: r, out: out, diag: new(bytes.Buffer), over: make(chan struct{})}
	p.Stdout = out
	stderr, err := p.StderrPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		out.Close()
		return nil, err
	}
	ready := make(chan bool, 1)
	go func() {
		lines := bufio.NewReader(stderr)
		for {
			line, err := lines.ReadString('\n')
			p.diag.WriteString(line)
			if strings.Contains(line, r.ready) {
				ready <- true
			}
			if err != nil {
				close(p.over)
				return
			}
		}
	}()
	select {
	case <-ready:
		time.Sleep(50 * time.Millisecond)
		return p, nil
	case <-p.over:
	case <-time.After(20 * time.Second):
		_ = p.Process.Kill() // it is this command's own
		<-p.over
	}
	_ = p.Wait() // what it reported tells more
	out.Close()
	return nil, fmt.Errorf("%s does not begin: %s", r.name, p.diag)
}

// stop ends it by a signal, and returns what it says.
func (p *process) stop(by syscall.Signal) (c counted, err error) {
	defer p.out.Close()
	if p.of.clean != "/dev/null" && p.of.clean != "" {
		defer os.RemoveAll(p.of.clean)
	}
	if err := p.Process.Signal(by); err != nil {
		return c, err
	}
	<-p.over
	_ = p.Wait() // the status of an interruption
	if by != syscall.SIGINT {
		return c, nil
	}
	if c, err = p.of.counts(p.out, p.diag.String()); err != nil {
		return c, fmt.Errorf("%s: %w: %s", p.of.name, err, p.diag)
	}
	return c, nil
}
