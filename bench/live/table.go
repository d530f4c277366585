//go:build linux

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A trial is one rate that was tried.
type trial struct {
	rate float64 // frames that came a second
	came int64
	counted
}

// lost are frames that the receiver says it dropped, and uncounted those that nobody knows of.
func (t *trial) lost() int64      { return t.dropped + t.shed }
func (t *trial) uncounted() int64 { return t.came - t.taken - t.dropped - t.shed }

// try sends at a rate to a receiver, which is started for that.
func (b *bench) try(r receiver, l *load, rate float64, during time.Duration) (t trial, err error) {
	p, err := b.start(r)
	if err != nil {
		return t, err
	}
	before, err := b.wire.came()
	if err != nil {
		return t, err
	}
	at, began := 0, time.Now()
	_, sending := b.wire.send(l, &at, rate, during, b.ctx.Done())
	took := time.Since(began)
	time.Sleep(r.lag)
	after, err := b.wire.came()
	if err != nil {
		return t, err
	}
	t.came = after - before
	t.rate = float64(t.came) / took.Seconds()
	if t.counted, err = p.stop(syscall.SIGINT); err == nil {
		err = sending
	}
	if err == nil {
		err = b.ctx.Err()
	}
	// What tcpdump counts is not exact where it is late.
	if n := t.uncounted(); err == nil && n != 0 && r.args[0] == b.program {
		b.failed = true
		fmt.Printf("%s, %s, %.0f frames/s: of %d frames %d were analysed, %d dropped, %d shed; %d are not accounted for\n",
			r.name, l.name, t.rate, t.came, t.taken, t.dropped, t.shed, n)
	}
	return t, err
}

// step is by how much a rate is more than the one before.
const step = 1.15

// limit looks for the highest rate of which nothing is lost; top is how fast the sender is.
// Above says that the receiver takes even that.
func (b *bench) limit(r receiver, l *load, top float64) (rate float64, above bool, err error) {
	t, err := b.try(r, l, 0, b.seconds)
	if err != nil || t.lost() == 0 {
		return t.rate, true, err
	}
	low, high := 0, int(math.Log(top/5000)/math.Log(step))+1 // the first is lossless, the second is not
	for high-low > 1 {
		middle := (low + high) / 2
		t, err := b.try(r, l, 5000*math.Pow(step, float64(middle)), b.seconds)
		if err != nil {
			return 0, false, err
		}
		if t.lost() == 0 {
			low, rate = middle, t.rate
		} else {
			high = middle
		}
	}
	return rate, false, nil
}

// tables prints up to which rate nothing is lost.
func (b *bench) tables(lengths []int) error {
	var loads []*load
	for _, n := range lengths {
		loads = append(loads, framesOf(n))
	}
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		l, err := sampleOf("samples/"+name+".pcap.zst", name)
		if err != nil {
			return err
		}
		loads = append(loads, l)
	}
	list := b.receivers()
	fmt.Printf("Frames a second up to which nothing is lost, tried for %v each, the highest of %d rounds; rings of %d MiB. In brackets: divided by "+
		"the tcpdump before it. ≥: as many as the sender can send beside it.\n\n| frames of |", b.seconds, b.rounds, ringSize>>20)
	for _, r := range list {
		fmt.Printf(" `%s` |", r.name)
	}
	fmt.Print("\n| --- |", strings.Repeat(" --- |", len(list)), "\n")
	for _, l := range loads {
		at := 0
		sent, err := b.wire.send(l, &at, 0, b.seconds, b.ctx.Done())
		if err != nil {
			return err
		}
		top := float64(sent) / b.seconds.Seconds()
		rates, above := make([][]float64, len(list)), make([]bool, len(list))
		for range b.rounds {
			for i, r := range list {
				rate, over, err := b.limit(r, l, top)
				if err != nil {
					return err
				}
				rates[i] = append(rates[i], rate)
				above[i] = above[i] || over
			}
		}
		fmt.Printf("| %s |", l.name)
		for i := range list {
			fmt.Print(" " + cell(rates, above, i, l.mean()) + " |")
		}
		fmt.Println()
	}
	return nil
}

// cell is the highest rate of a receiver in any round, since other work only lowers it, with its
// ratio to the tcpdump before it.
func cell(rates [][]float64, above []bool, i, mean int) string {
	m := slices.Max(rates[i])
	text := fmt.Sprintf("%.0f (%.1f Gbit/s)", m, m*float64(mean)*8/1e9)
	if above[i] {
		text = "≥ " + text
	}
	if i%2 == 1 {
		text += fmt.Sprintf(" [%.2f]", m/slices.Max(rates[i-1]))
	}
	return text
}
