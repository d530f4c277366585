//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// A usage is what a process takes, as the kernel says.
type usage struct {
	resident, peak  int64 // KiB
	threads, opened int
}

func usageOf(pid int) (u usage) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // zeros tell that it is gone
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseInt(strings.Fields(value + " 0")[0], 10, 64)
		switch name {
		case "VmRSS":
			u.resident = n
		case "VmHWM":
			u.peak = n
		case "Threads":
			u.threads = int(n)
		}
	}
	fds, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	u.opened = len(fds)
	return u
}

func (u usage) String() string {
	return fmt.Sprintf("%.1f MiB resident, %.1f at most, %d threads, %d descriptors", float64(u.resident)/1024, float64(u.peak)/1024, u.threads, u.opened)
}

// goroutines are those of a process that SIGQUIT ended.
func goroutines(diag string) (n int) {
	for line := range strings.Lines(diag) {
		if strings.HasPrefix(line, "goroutine ") && strings.Contains(line, "[") && !strings.HasPrefix(line, "goroutine 0 ") {
			n++
		}
	}
	return n
}

// soak has connections come and go for long, with two receivers: at the end one is
// interrupted and reports what it saw, and of the other the goroutines are counted. A third one
// that ran for seconds only says how many there are at the begin.
func (b *bench) soak(during time.Duration) error {
	name := []string{"rxe-basic", "siw-basic"}
	var loads []*load
	for _, n := range name {
		l, err := sampleOf(filepath.Join("samples", n+".pcap.zst"), n)
		if err != nil {
			return err
		}
		loads = append(loads, l)
	}
	loads = append(loads, framesOf(1082))
	os.Setenv("GOTRACEBACK", "all")
	counter, err := b.start(b.live("live, for its goroutines"))
	if err != nil {
		return err
	}
	at := make([]int, len(loads))
	turn := func(d time.Duration) error {
		for i, l := range loads {
			if _, err := b.wire.send(l, &at[i], b.rate, d/time.Duration(len(loads)), b.ctx.Done()); err != nil {
				return err
			}
		}
		return b.ctx.Err()
	}
	if err := turn(3 * time.Second); err != nil {
		return err
	}
	if _, err := counter.stop(syscall.SIGQUIT); err != nil {
		return err
	}
	first := goroutines(counter.diag.String())
	told, err := b.start(b.live("live"))
	if err != nil {
		return err
	}
	if counter, err = b.start(b.live("live, for its goroutines")); err != nil {
		return err
	}
	came, err := b.wire.came()
	if err != nil {
		return err
	}
	began, every := time.Now(), max(during/20, 3*time.Second)
	var list []usage
	for time.Since(began) < during {
		if err := turn(min(every, during-time.Since(began)+time.Second)); err != nil {
			return err
		}
		u := usageOf(told.Process.Pid)
		list = append(list, u)
		fmt.Printf("after %v: %v\n", time.Since(began).Round(time.Second), u)
	}
	time.Sleep(200 * time.Millisecond)
	all, err := b.wire.came()
	if err != nil {
		return err
	}
	_, err = counter.stop(syscall.SIGQUIT)
	if err != nil {
		return err
	}
	c, err := told.stop(syscall.SIGINT)
	if err != nil {
		return err
	}
	last := goroutines(counter.diag.String())
	t := trial{came: all - came, counted: c}
	fmt.Printf("%d frames came, %d analysed, %d dropped, %d shed, %d not accounted for; goroutines: %d after seconds, %d at the end\n",
		t.came, t.taken, t.dropped, t.shed, t.uncounted(), first, last)
	warm, end := list[len(list)/4], list[len(list)-1]
	switch {
	case t.uncounted() != 0, last > first, end.opened > warm.opened:
		b.failed = true
	case float64(end.resident) > 1.1*float64(warm.resident)+4096:
		fmt.Println("memory grows")
		b.failed = true
	}
	return nil
}

// crowd has many connections open at once: setup, a call without reply, and then
// calls and replies in turns. What is analysed may be a part of them; the memory must not be
// more than --memory says.
func (b *bench) crowd(n int) error {
	m := build.NewMany(n, min(n, 4096), build.Setup{})
	p, err := b.start(b.live("live"))
	if err != nil {
		return err
	}
	before, err := b.wire.came()
	if err != nil {
		return err
	}
	handle := bytes.Repeat([]byte("h"), 32)
	for round := range uint32(12) {
		var frames [][]byte
		for _, f := range m.Turn(func(i int, c *build.Conversation) {
			xid := uint32(i)*0x10001 + round*0x1000003
			switch {
			case round == 0:
				c.Connect()
			case round == 1:
				c.Call(build.NFS3GetAttr(xid, handle)) // never answered
			default:
				c.Reply(c.Call(build.NFS3GetAttr(xid, handle)), build.NFS3GetAttrReply(xid, 3000))
			}
		}) {
			frames = append(frames, f.Data)
		}
		if err := b.wire.sendOnce(newLoad("", frames), b.rate, b.ctx.Done()); err != nil {
			return err
		}
		fmt.Printf("round %d, %d frames: %v\n", round, len(frames), usageOf(p.Process.Pid))
	}
	time.Sleep(300 * time.Millisecond)
	u := usageOf(p.Process.Pid)
	all, err := b.wire.came()
	if err != nil {
		return err
	}
	c, err := p.stop(syscall.SIGINT)
	if err != nil {
		return err
	}
	t := trial{came: all - before, counted: c}
	fmt.Printf("%d connections: %d frames came, %d analysed, %d dropped, %d shed, %d not accounted for; %d errors and warnings; %v\n%s",
		n, t.came, t.taken, t.dropped, t.shed, t.uncounted(), c.findings, u, p.diag)
	b.failed = t.uncounted() != 0
	return nil
}

// overload sends as much as can be, for a few seconds, and then so little that all
// is followed again.
func (b *bench) overload() error {
	for _, n := range []int{128, 1082, 4178} {
		l := framesOf(n)
		p, err := b.start(b.live("live"))
		if err != nil {
			return err
		}
		before, err := b.wire.came()
		if err != nil {
			return err
		}
		at := 0
		if _, err = b.wire.send(l, &at, 0, 2*b.seconds, b.ctx.Done()); err == nil {
			_, err = b.wire.send(l, &at, 2000, 20*time.Second, b.ctx.Done())
		}
		if err != nil {
			return err
		}
		time.Sleep(200 * time.Millisecond)
		all, err := b.wire.came()
		if err != nil {
			return err
		}
		u := usageOf(p.Process.Pid)
		c, err := p.stop(syscall.SIGINT)
		if err != nil {
			return err
		}
		t := trial{came: all - before, counted: c}
		fmt.Printf("%s: %d frames came, %d analysed, %d dropped, %d shed, %d not accounted for; %d errors and warnings; %v\n%s",
			l.name, t.came, t.taken, t.dropped, t.shed, t.uncounted(), c.findings, u, p.diag)
		b.failed = b.failed || t.uncounted() != 0
	}
	return nil
}
