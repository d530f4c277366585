package dissect_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/shed"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/long"
)

// orders are what a Shedder asks for batch by batch: the level goes up and down, and now and
// then what is idle is let go.
func orders(seed uint64) func(time.Time, *shed.Frames) shed.Order {
	chance := rand.New(rand.NewPCG(seed, 2))
	below := 0
	return func(time.Time, *shed.Frames) shed.Order {
		switch chance.IntN(20) {
		case 0:
			below = chance.IntN(shed.Buckets)
		case 1, 2:
			below = 0
		}
		return shed.Order{Below: below, Idle: chance.IntN(40) == 0}
	}
}

// whileShedding is what n shards tell, or with 0 one Dissector for itself, where connections
// are let go and taken in again, and how many frames were shed.
func whileShedding(t *testing.T, n int, seed uint64, list frames) (told []string, shedFrames int64, sum dissect.Summary) {
	t.Helper()
	opts := dissect.Options{Units: true, Shed: shed.New(orders(seed))}
	run := func(d interface {
		Run(capture.Source, func(bool) error) ([]error, error)
		Flush()
		Summary() dissect.Summary
	}) {
		if faults, err := d.Run(&oneByOne{list: list}, func(bool) error { return nil }); err != nil || len(faults) > 0 {
			t.Fatal(faults, err)
		}
		d.Flush()
		sum = d.Summary()
	}
	if n == 0 {
		b := &eventRecord{told: &told}
		opts.Accesses = b
		b.d = dissect.New(b, opts)
		run(b.d)
		q := b.Flush()
		for i := range q.Len() {
			q.Emit(i)
		}
	} else {
		run(dissect.NewShards(n, opts, func(d *dissect.Dissector) dissect.Part { return &eventRecord{d: d, told: &told} }))
	}
	return told, opts.Shed.Shed(), sum
}

// TestShardsShedTheSame holds several numbers of shards against one Dissector where
// connections are left out and taken in again, and frames were dropped: of samples, and of
// conversations of many clients, whose connections end side by side.
func TestShardsShedTheSame(t *testing.T) {
	whole := &damage.Capture{Link: link.TypeEthernet}
	captures := map[string]frames{"a crowd": asRead(whole, crowd())}
	for _, name := range long.Pick([]string{"rxe-cb"}, []string{"rxe-cb", "siw-cb", "rxe-loss", "rxe-perftest", "siw-perftest", "version2-roce"}) {
		file, err := capture.Open(filepath.Join("..", "samples", name+".pcap.zst"), 0)
		if err != nil {
			t.Fatal(err)
		}
		c, err := damage.Record(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		captures[name] = asRead(c, c.Frames)
	}
	for name, list := range captures {
		for i := 29; i < len(list); i += 97 {
			list[i].Extra = &capture.Extra{Dropped: true}
		}
		var all int64
		for seed := range uint64(long.Pick(4, 20)) {
			want, left, wantSum := whileShedding(t, 0, seed, list)
			all += left
			for _, n := range long.Pick([]int{3}, []int{1, 2, 3, 8, 16}) {
				got, gotLeft, sum := whileShedding(t, n, seed, list)
				if gotLeft != left || sum != wantSum {
					t.Errorf("%s, seed %d: %d shards leave out %d and count %+v, want %d, %+v", name, seed, n, gotLeft, sum, left, wantSum)
				}
				if !slices.Equal(got, want) {
					i := 0
					for i < min(len(got), len(want)) && got[i] == want[i] {
						i++
					}
					t.Errorf("%s", fmt.Sprintf("%s, seed %d: %d shards tell, as the %d-th of %d,\n%s\nwant, of %d,\n%s", name, seed, n, i+1, len(got), at(got, i), len(want), at(want, i)))
				}
			}
		}
		if all == 0 {
			t.Errorf("%s: nothing was shed: this shows nothing", name)
		}
	}
}

// crowd are the frames of many connections side by side, some of which become idle.
func crowd() (list build.Frames) {
	many := build.NewMany(24, 5, build.Setup{})
	for round := range uint32(15) {
		turn := many.Turn(func(i int, c *build.Conversation) {
			xid := uint32(i)<<16 + round
			switch {
			case round == 0:
				c.Connect()
			case round == 14 && i%2 == 0:
				c.Disconnect()
			case i%7 == 0 && round > 3: // it is idle
			default:
				e := c.Call(build.NFS3Null(xid))
				if (int(round)+i)%4 != 0 {
					c.Reply(e, build.NFS3NullReply(xid))
				}
			}
		})
		for _, f := range turn {
			f.Time = f.Time.Add(time.Duration(round) * 5 * time.Second)
			list = append(list, f)
		}
	}
	return list
}
