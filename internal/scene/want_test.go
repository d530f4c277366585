package scene

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// TestPlaces holds the bytes that lie where a Want says against those of the Send.
func TestPlaces(t *testing.T) {
	const calls = `
call 1 NFS3 SYMLINK dir="fh" symlink_data=text(1500)
    want X 0+%d
reply 1
    want X 0+%d
call 2 NFS3 NULL
reply 2
`
	const call, reply = 1636, 72
	for _, tt := range []struct {
		over    Transport
		connect string
		frames  int // that the call takes
	}{
		{RoCE, "connect", 2},
		{RoCE, "connect pmtu=256 clientaddr=2001:db8::1 serveraddr=2001:db8::2", 7},
		{IWARP, "connect", 2},
		{IWARP, "connect\n    mpa markers crc", 2},
		{IWARP, "connect mss=300\n    mpa markers=server", 7},
		{IWARP, "connect tso=5000", 1},
		{IWARP, "connect tso=5000\n    mpa markers\nsegments client 7 1 50 600", 3},
		{IWARP, "setup", 2},
	} {
		scene, s := watch(t, tt.connect+fmt.Sprintf(calls, call, reply), tt.over)
		if len(scene.Wants) != 2 || len(s.raw) != 4 {
			t.Fatalf("%s: %d wants, %d messages: %v", tt.connect, len(scene.Wants), len(s.raw), s.faults)
		}
		for i, w := range scene.Wants {
			var got []byte
			var frames []int
			for _, p := range w.Places {
				got = append(got, scene.Frames[p.Frame-1].Data[p.Offset:][:p.Length]...)
				if !slices.Contains(frames, p.Frame) {
					frames = append(frames, p.Frame)
				}
			}
			if !bytes.Equal(got, s.raw[i]) {
				t.Errorf("%s: at the places of the Send %d lie %d other bytes, not %d", tt.connect, i, len(got), len(s.raw[i]))
			}
			if !slices.Equal(frames, w.Frames) {
				t.Errorf("%s: places in the frames %v, not %v", tt.connect, frames, w.Frames)
			}
			if i == 0 && len(frames) != tt.frames {
				t.Errorf("%s: %d frames, not %d", tt.connect, len(frames), tt.frames)
			}
		}
	}
}

// TestWants looks at what a want can be about.
func TestWants(t *testing.T) {
	for _, tt := range []struct {
		text   string
		frames []int
		places []Place
	}{
		{"connect\n want X", []int{1, 2, 3}, nil},
		{"connect\n want X frame 2 8+4", []int{2}, []Place{{2, 8, 4}}},
		{"connect\n want X frame -1", []int{3}, nil},
		{"connect\nwant X", nil, nil},
		{"call 1 NFS3 NULL\n want X", []int{1}, nil},
		{"call 1 NFS3 NULL\n want X frame 40+16", []int{1}, []Place{{1, 40, 16}}},
		{"call 1 NFS3 NULL\n want X proc", []int{1}, []Place{{1, 54 + 12, 4}}},
		{"call 1 NFS3 NULL\n want X -4", []int{1}, []Place{{1, 54 + 64, 4}}},
		{"call 1 NFS3 READ\n write 9 9 8 8@7\n want X write1.2.length", []int{1}, []Place{{1, 54 + 48, 4}}},
		{"call 1 NFS3 READ\n write 9 9 8 8@7\n want X write1+4+8", []int{1}, []Place{{1, 54 + 28, 8}}},
		{"call 1 NFS3 READ\n drop frame 1\n want X xid", nil, nil},
		{"cnp client\ncall 1 NFS3 READ\n dup\nreply 1\n want X", []int{6}, nil},
		{"rdma write server 9 3000\n want X", []int{1, 2, 3, 4}, nil},
		{"rdma write server 9 3000\n want X frame 58+4", []int{1}, []Place{{1, 58, 4}}},
	} {
		scene, err := Play(tt.text, RoCE)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		w := scene.Wants[0]
		if !w.Exact {
			w.Places = nil
		}
		if w.Rule != "X" || !slices.Equal(w.Frames, tt.frames) || !slices.Equal(w.Places, tt.places) {
			t.Errorf("%q: %s, frames %v, places %v", tt.text, w.Rule, w.Frames, w.Places)
		}
	}
}
