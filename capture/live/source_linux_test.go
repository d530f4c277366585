package live

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/veth"
)

// open captures everything on Far of a pair, and closes that with the test.
func open(t testing.TB, o Options, names ...string) *Source {
	t.Helper()
	s, err := Open(names, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// all are copies of the frames of a source up to io.EOF, as one that keeps none.
func all(t testing.TB, s capture.Source) (list []capture.Frame) {
	t.Helper()
	for {
		var f capture.Frame
		if err := s.Next(&f); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		f.Data = bytes.Clone(f.Data)
		list = append(list, f)
	}
}

// ours are frames of the EtherType that testFrame makes, which nobody else sends. A mark on
// a frame of somebody else, as IPv6 sends some on each link, stands on the next of ours.
func ours(list []capture.Frame) (kept []capture.Frame) {
	var mark *capture.Extra
	for _, f := range list {
		if f.Dropped() {
			mark = f.Extra
		}
		if len(f.Data) >= 18 && bytes.Contains(f.Data[12:min(len(f.Data), 26)], []byte{0x88, 0xB5}) {
			if mark != nil {
				f.Extra, mark = mark, nil
			}
			kept = append(kept, f)
		}
	}
	return kept
}

// testFrame is a frame of the EtherType for local experiments (IEEE 802, section 9.2.4), with tags
// before it, that says a number.
func testFrame(number uint32, size int, tags ...uint32) []byte {
	b := []byte("\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01")
	for _, tag := range tags {
		b = binary.BigEndian.AppendUint32(b, tag)
	}
	b = append(b, 0x88, 0xB5)
	b = binary.BigEndian.AppendUint32(b, number)
	return append(b, make([]byte, max(0, size-len(b)))...)
}

func TestFramesComeAsTheyWereSent(t *testing.T) {
	p := veth.New(t)
	s := open(t, Options{Filter: Filter{All: true}, Buffer: 8 << 20}, p.Far)
	var sent [][]byte
	began := time.Now()
	for i, tags := range [][]uint32{
		nil,
		{0x8100_0007},              // 802.1Q, VID 7
		{0x8100_6FFF},              // with a priority
		{0x88A8_0064, 0x8100_0007}, // 802.1ad, and one that stays in place
		{0x8100_0001, 0x8100_0002, 0x8100_0003},
		{0x8100_0000}, // priority only
	} {
		for _, size := range []int{60, 61, 1082, 4178, 60_000} {
			sent = append(sent, testFrame(uint32(i), size, tags...))
		}
	}
	for _, frame := range sent {
		if err := p.Send(frame); err != nil {
			t.Fatal(err)
		}
	}
	s.Stop()
	got := ours(all(t, s))
	if len(got) != len(sent) {
		t.Fatalf("%d frames, want %d", len(got), len(sent))
	}
	for i, f := range got {
		if !bytes.Equal(f.Data, sent[i]) || int(f.Length) != len(sent[i]) {
			t.Errorf("frame %d: % x... of %d bytes, %d on the wire; want % x... of %d", i, f.Data[:30], len(f.Data), f.Length, sent[i][:30], len(sent[i]))
		}
		if f.Link != link.TypeEthernet || f.Dropped() {
			t.Errorf("frame %d: %v, dropped %v", i, f.Link, f.Dropped())
		}
		if at := time.Unix(0, f.Time); at.Before(began.Add(-time.Second)) || at.After(time.Now()) {
			t.Errorf("frame %d: captured at %v", i, at)
		}
	}
	if d := s.Drops(); d != (Drops{}) {
		t.Errorf("%+v", d)
	}
}

// TestFramesAreKept reads as a pipeline does that keeps frames, and holds what it kept
// against what was sent, at the last moment at which that must be there.
func TestFramesAreKept(t *testing.T) {
	p := veth.New(t)
	const keep = 3
	s := open(t, Options{Filter: Filter{All: true}, Buffer: 8 << 20}, p.Far)
	if s.Keep(1000) {
		t.Error("a ring of 32 blocks keeps 1000")
	}
	if !s.Keep(keep) {
		t.Fatal("it does not keep frames")
	}
	const frames = 20_000
	var read atomic.Int64
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := range uint32(frames) {
			if err := p.Send(testFrame(i, 1082)); err != nil {
				t.Error(err)
			}
			for int64(i)-read.Load() > 2000 { // so that none has to be dropped
				time.Sleep(time.Millisecond)
			}
		}
		s.Stop()
	})
	var groups [][]capture.Frame
	got := 0
	for {
		if !s.Ready() {
			groups = append(groups, nil)
			if n := len(groups) - 1 - keep; n > 0 {
				for _, f := range groups[n-1] {
					if want := testFrame(uint32(f.Number), 1082); f.Number >= 0 && !bytes.Equal(f.Data, want) {
						t.Fatalf("frame %d was overwritten", f.Number)
					}
				}
				groups[n-1] = nil
			}
		}
		var f capture.Frame
		if err := s.Next(&f); err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		if len(f.Data) != 1082 {
			continue // the kernel's own
		}
		f.Number = int64(binary.BigEndian.Uint32(f.Data[14:]))
		if f.Number != int64(got) {
			t.Fatalf("frame %d came as the %d-th", f.Number, got)
		}
		got++
		read.Store(int64(got))
		groups[len(groups)-1] = append(groups[len(groups)-1], f)
	}
	sending.Wait()
	if d := s.Drops(); got != frames || d != (Drops{}) {
		t.Errorf("%d frames of %d, %+v", got, frames, d)
	}
	if len(groups) < 2*keep {
		t.Errorf("%d groups are too few to show anything", len(groups))
	}
}

// TestDropsAreCountedAndPlaced sends more than a reader takes. What was sent is what came
// and what was counted, and every place where frames are missing is marked.
func TestDropsAreCountedAndPlaced(t *testing.T) {
	p := veth.New(t)
	s := open(t, Options{Buffer: 4 << 20}, p.Far)
	const most = 1_000_000 // frames

	rdma := func(b []byte) []byte { // so that the filter passes nothing else
		binary.BigEndian.PutUint16(b[12:], 0x8915)
		return b
	}
	const full = 10_000 // frames are more than the ring has room for
	var frames atomic.Int64
	var enough atomic.Bool
	var sending sync.WaitGroup
	sending.Go(func() {
		for n := frames.Add(1); n <= most && !enough.Load(); n = frames.Add(1) {
			if err := p.Send(rdma(testFrame(uint32(n-1), 1082))); err != nil {
				t.Error(err)
			}
		}
		frames.Add(-1) // which was not sent
		s.Stop()
	})
	behind := func(since int64) { // until the ring is full again
		for frames.Load() < since+full {
			time.Sleep(time.Millisecond)
		}
	}
	behind(0)
	var got, holes, marks int64
	next := uint32(0)
	for {
		var f capture.Frame
		if err := s.Next(&f); err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		number := binary.BigEndian.Uint32(f.Data[14:])
		if f.Dropped() {
			marks++
		}
		if number != next {
			if holes++; holes == 5 {
				enough.Store(true)
			}
			if !f.Dropped() {
				t.Errorf("frame %d follows frame %d, and is not marked", number, int64(next)-1)
			}
		}
		next = number + 1
		if got++; got%3000 == 0 && !enough.Load() {
			behind(frames.Load())
		}
	}
	sending.Wait()
	d := s.Drops()
	t.Logf("%d frames sent, %d came, %+v; %d holes, %d marks", frames.Load(), got, d, holes, marks)
	if d.Ring == 0 || holes < 5 {
		t.Error("nothing was dropped: this shows nothing")
	}
	if got+d.Ring+d.Kernel != frames.Load() {
		t.Errorf("%d came and %d were counted, of %d", got, d.Ring+d.Kernel, frames.Load())
	}
}

// TestInterfacesAreMerged captures both ends of a wire, and has the frames in the order of
// their times.
func TestInterfacesAreMerged(t *testing.T) {
	p := veth.New(t)
	p.Set(t, "link", "add", "near1", "type", "veth", "peer", "name", "far1")
	p.Set(t, "link", "set", "far1", "up") // and silent
	s := open(t, Options{Filter: Filter{All: true}, Buffer: 8 << 20}, p.Near, p.Far, "far1")
	const frames = 300
	for i := range uint32(frames) {
		if err := p.Send(testFrame(i, 100)); err != nil {
			t.Fatal(err)
		}
		if i%50 == 0 {
			time.Sleep(30 * time.Millisecond)
		}
	}
	s.Stop()
	var came [3][]uint32
	last := int64(0)
	for _, f := range ours(all(t, s)) {
		if f.Time < last {
			t.Errorf("a frame of %d follows one of %d", f.Time, last)
		}
		last = f.Time
		came[f.File] = append(came[f.File], binary.BigEndian.Uint32(f.Data[14:]))
	}
	for i, want := range []int{frames, frames, 0} {
		if len(came[i]) != want || !slices.IsSorted(came[i]) {
			t.Errorf("interface %d: %d frames, want %d in order", i, len(came[i]), want)
		}
	}
}

// TestDelay sends a frame when nothing else comes: it must be there before the next one is sent.
func TestDelay(t *testing.T) {
	p := veth.New(t)
	s := open(t, Options{Filter: Filter{All: true}, Buffer: 8 << 20}, p.Far)
	s.Keep(2)
	var sent sync.Map
	came := make(chan struct{}, 20)
	go func() {
		defer s.Stop()
		for i := range uint32(20) {
			sent.Store(i, time.Now())
			_ = p.Send(testFrame(i, 100)) // what does not come is seen below
			select {
			case <-came:
			case <-time.After(time.Minute):
				return
			}
		}
	}()
	var delays []time.Duration
	for {
		var f capture.Frame
		if s.Next(&f) != nil {
			break
		}
		if list := ours([]capture.Frame{f}); len(list) == 1 {
			at, _ := sent.Load(binary.BigEndian.Uint32(f.Data[14:]))
			delays = append(delays, time.Since(at.(time.Time)))
			came <- struct{}{}
		}
	}
	slices.Sort(delays)
	if len(delays) != 20 {
		t.Fatalf("%d frames came, of 20", len(delays))
	}
	t.Logf("delay: median %v, longest %v", delays[10], delays[19])
}

func TestInterfaceDownAndGone(t *testing.T) {
	p := veth.New(t)
	var said []string
	told := make(chan bool, 10)
	s := open(t, Options{Filter: Filter{All: true}, Buffer: 8 << 20, Notify: func(name, what string) {
		if said = append(said, name+": "+what); strings.Contains(what, "down") || strings.Contains(what, "up again") {
			told <- true
		}
	}}, p.Far)
	if k, err := device.Open(); err != nil {
		t.Fatal(err)
	} else {
		if remedy := k.Offloads(p.Far).Remedy(p.Far); remedy != "" { // as a kernel makes such a pair
			if len(said) != 1 || !strings.HasSuffix(said[0], remedy) {
				t.Errorf("said: %q, not %q", said, remedy)
			}
			said = nil
		}
		k.Close()
	}
	frame := func() (dropped bool, err error) {
		for {
			var f capture.Frame
			err = s.Next(&f)
			dropped = dropped || f.Dropped() // also one of the kernel's own
			if err != nil || len(ours([]capture.Frame{f})) == 1 {
				return dropped, err
			}
		}
	}
	if err := p.Send(testFrame(1, 60)); err != nil {
		t.Fatal(err)
	}
	if dropped, err := frame(); err != nil || dropped {
		t.Fatal(dropped, err)
	}
	if err := p.SetUp(p.Far, false); err != nil {
		t.Fatal(err)
	}
	go func() {
		<-told // that it is down
		if err := p.SetUp(p.Far, true); err != nil {
			t.Error(err)
		}
		<-told // that it is up

		_ = p.Send(testFrame(2, 60)) // what does not come is seen below
	}()
	if dropped, err := frame(); err != nil || !dropped {
		t.Fatalf("after the interface was down: %v, marked %v", err, dropped)
	}
	p.Set(t, "link", "del", p.Far)
	_, err := frame()
	var gone *capture.Error
	if !errors.As(err, &gone) || gone.File != p.Far || !strings.Contains(err.Error(), "was removed") {
		t.Errorf("the interface was deleted: %v", err)
	}
	if _, err := frame(); !errors.Is(err, io.EOF) {
		t.Errorf("after that: %v", err)
	}
	if len(said) != 2 || !strings.Contains(said[0], "far0: the interface is down") || !strings.Contains(said[1], "up again") {
		t.Errorf("said: %q", said)
	}
}

func TestWhatCannotBeCaptured(t *testing.T) {
	veth.New(t)
	for name, want := range map[string]string{
		"any":                       "does not deliver frames addressed to other hosts",
		"nonesuch":                  "there is no such interface",
		"a-name-that-is-too-long-x": "there is no such interface",
	} {
		s, err := Open([]string{name}, Options{})
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMissingCapability captures on a thread that may not.
func TestMissingCapability(t *testing.T) {
	p := veth.New(t)
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var caps [2]unix.CapUserData
	if err := unix.Capget(&head, &caps[0]); err != nil {
		t.Fatal(err)
	}
	caps[0].Effective &^= 1 << unix.CAP_NET_RAW
	if err := unix.Capset(&head, &caps[0]); err != nil { // of this thread, which ends with the test
		t.Fatal(err)
	}
	_, err := Open([]string{p.Far}, Options{})
	if err == nil || !strings.Contains(err.Error(), "needs the capability CAP_NET_RAW") || !strings.Contains(err.Error(), "setcap cap_net_raw+ep /") {
		t.Error(err)
	}
}

// TestHardwareClock has times of a card whose clock is set to something else.
func TestHardwareClock(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	c := hardwareClock{now: func() time.Time { return now }}
	for _, after := range []int64{0, 5, 12_345, 7} {
		if got := c.wall(999 + after); got != now.UnixNano()+after {
			t.Errorf("%d ns after the first frame: %d", after, got-now.UnixNano())
		}
	}
}

// TestNothingIsLeft opens and closes sources, and has as many files and goroutines as before.
func TestNothingIsLeft(t *testing.T) {
	p := veth.New(t)
	count := func() (files, goroutines int) {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc: ", err)
		}
		return len(list), runtime.NumGoroutine()
	}
	files, goroutines := count()
	for i := range long.Pick(5, 20) {
		s, err := Open([]string{p.Far, p.Near}, Options{Buffer: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Send(testFrame(uint32(i), 60)); err != nil {
			t.Fatal(err)
		}
		s.Stop()
		all(t, s)
		s.Close()
		s.Stop() // which is too late, and does nothing
		if _, err := Open([]string{p.Far, "nonesuch"}, Options{Buffer: 1 << 20}); err == nil {
			t.Fatal("an interface that does not exist is captured")
		}
	}
	if f, g := count(); f != files || g > goroutines {
		t.Errorf("%d files and %d goroutines, were %d and %d", f, g, files, goroutines)
	}
}

// TestFramesAllocateNothing goes through a block again and again.
func TestFramesAllocateNothing(t *testing.T) {
	const frames, size = 100, 256
	r := &ring{mem: make([]byte, 2*blockSize), blocks: 2, spent: make([]uint64, 2), marked: &capture.Extra{Dropped: true}}
	put := binary.NativeEndian.PutUint32
	put(r.mem[blockStatus:], unix.TP_STATUS_USER)
	put(r.mem[blockFrames:], frames)
	put(r.mem[blockFirst:], 64)
	for i := range frames {
		h := r.mem[64+i*size:]
		put(h[frameNext:], size)
		put(h[frameSeconds:], uint32(i))
		put(h[frameCut:], 100)
		put(h[frameLength:], 1500)
		if i%2 == 0 {
			put(h[frameStatus:], unix.TP_STATUS_VLAN_VALID)
			put(h[frameTCI:], 7)
		}
		binary.NativeEndian.PutUint16(h[frameMAC:], 96)
	}
	s := &Source{rings: []*ring{r}}
	var f capture.Frame
	allocated := testing.AllocsPerRun(10, func() {
		r.taken, r.dropped = 0, true
		if !r.open(0) {
			t.Fatal("there is no block")
		}
		for i := range frames {
			if s.first() != r {
				t.Fatal("there is no frame")
			}
			r.next(&f)
			want := capture.Frame{Time: int64(i) * 1e9, Length: 1500}
			if i%2 == 0 {
				want.Length += tagSize
			}
			if f.Time != want.Time || f.Length != want.Length || len(f.Data) != 100+int(want.Length-1500) || f.Dropped() != (i == 0) {
				t.Fatalf("frame %d: %+v", i, f)
			}
		}
	})
	if allocated > 0 {
		t.Errorf("%v allocations for %d frames", allocated, frames)
	}
}

// TestDropsOfOneOfSeveral has frames of one interface dropped: what another one had meanwhile
// comes after a mark.
func TestDropsOfOneOfSeveral(t *testing.T) {
	p := veth.New(t)
	p.Set(t, "link", "add", "near1", "type", "veth", "peer", "name", "far1")
	p.Set(t, "link", "set", "near1", "up")
	p.Set(t, "link", "set", "far1", "up")
	other := veth.NewSender(t, "near1")
	veth.Await(t, "near1", "far1")
	s := open(t, Options{Filter: Filter{All: true}, Buffer: 1 << 20}, p.Far, "far1")
	for i := range uint32(4000) { // nobody reads: the ring has room for some 900
		if err := p.Send(testFrame(i, 1082)); err != nil {
			t.Fatal(err)
		}
		if i%500 == 499 {
			if err := other.Send(testFrame(i, 60)); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.Stop()
	next, holed, marked := uint32(0), false, false
	late := 0
	for _, f := range ours(all(t, s)) {
		number := binary.BigEndian.Uint32(f.Data[14:])
		marked = marked || f.Dropped()
		switch {
		case f.File == 0:
			holed = holed || number != next
			next = number + 1
		case number > next: // it was captured after frames that are missing
			late++
			if !marked {
				t.Errorf("frame %d of the other follows frame %d, and no mark", number, next-1)
			}
		}
	}
	if s.Drops().Ring == 0 || late == 0 {
		t.Errorf("%+v, a hole %v, %d frames behind it: this shows nothing", s.Drops(), holed, late)
	}
}
