package annotate

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// maxFrames ends the reading of files that compression makes endless.
const maxFrames = 20_000

// held copies a file, which may be anything, and demands what must hold for all
// copies: the same frames with more comments, and nothing else.
func held(t *testing.T, in []byte, c Comments) {
	t.Helper()
	before, fault := frames(t, in, maxFrames)
	if len(before) == maxFrames {
		return
	}
	var out bytes.Buffer
	r, err := Copy(&out, bytes.NewReader(in), "F", c)
	if err != nil {
		if len(before) > 0 || fault == nil {
			t.Fatalf("Copy: %v, but reading gives %d frames, %v", err, len(before), fault)
		}
		return
	}
	if (fault == nil) != (r.Fault == nil) || fault != nil && fault.Error() != r.Fault.Error() {
		t.Fatalf("Copy says %v, reading %v", r.Fault, fault)
	}
	after, err := frames(t, out.Bytes(), maxFrames)
	if err != nil && !strays(err) {
		t.Fatalf("the copy cannot be read: %v (the original: %v)", err, fault)
	}
	if len(after) != len(before) || r.Frames != int64(len(before)) {
		t.Fatalf("%d frames became %d; Copy says %d", len(before), len(after), r.Frames)
	}
	left := make(map[int64]bool)
	for _, u := range r.Unplaced {
		left[u.Frame] = true
	}
	placed := int64(0)
	for i := range before {
		b, a := before[i], after[i]
		more := c.Frames[b.Number]
		if left[b.Number] {
			more = nil
		} else if len(more) > 0 {
			placed++
		}
		if !sameComments(b.Comments(), more, a.Comments()) {
			t.Fatalf("frame %d has the comments %q, had %q, was to get %q", b.Number, a.Comments(), b.Comments(), more)
		}
		b.Extra, a.Extra, b.Offset, a.Offset = nil, nil, 0, 0
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("frame %d became\n%+v, was\n%+v", i+1, a, b)
		}
	}
	if placed != r.Placed {
		t.Fatalf("Copy says that %d frames got comments, %d did", r.Placed, placed)
	}
	if string(in[:min(4, len(in))]) == sectionMagic {
		sameBlocks(t, in)
	}
}

// sameComments reports whether comments are those of before, and more after them,
// or in front of them if the options there were broken.
func sameComments(before, more, after []string) bool {
	const most = 256 // that package capture reads
	join := func(a, b []string) []string {
		all := append(append([]string{}, a...), b...)
		return all[:min(len(all), most)]
	}
	after = append([]string{}, after...)
	return reflect.DeepEqual(after, join(before, more)) || reflect.DeepEqual(after, join(more, before))
}

// strays reports whether an error only reports packets that were passed over.
func strays(err error) bool {
	var e *capture.Error
	joined, several := err.(interface{ Unwrap() []error })
	return !errors.Is(err, io.ErrUnexpectedEOF) && errors.As(err, &e) && (!several || len(joined.Unwrap()) == 1) && e.Err == nil &&
		strings.HasSuffix(e.Reason, " skipped")
}

// sameBlocks holds the blocks of a pcapng file against those of a copy without
// comments: only the length that a section states may differ.
func sameBlocks(t *testing.T, in []byte) {
	t.Helper()
	out, r := annotated(t, in, Comments{})
	if len(out) > len(in) || len(r.Unplaced) > 0 {
		t.Fatalf("a copy without comments has %d bytes of %d, %+v", len(out), len(in), r)
	}
	want := bytes.Clone(in[:len(out)])
	var o order
	for at := 0; at < len(want); {
		if string(want[at:at+4]) == sectionMagic {
			for i, each := range orders {
				if each.Uint32(want[at+8:]) == pcapng.ByteOrderMagic {
					o = orders[i]
				}
			}
			o.PutUint64(want[at+16:], math.MaxUint64)
		}
		at += int(o.Uint32(want[at+4:]))
	}
	if !bytes.Equal(out, want) {
		t.Fatalf("a copy without comments is\n%x\nwant\n%x", out, want)
	}
}
