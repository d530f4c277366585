package flow_test

import (
	"testing"
	"unsafe"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// The record of a frame goes from the processor that decodes to the one that
// follows, a thousand in a batch and four batches on their way: what it holds
// beyond what is looked at costs time for every frame.
func TestFrameIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(flow.Frame{}); n > 200 {
		t.Errorf("the record of a frame has %d bytes", n)
	}
	if n := unsafe.Sizeof(capture.Frame{}); n > 72 {
		t.Errorf("what the reader says of it has %d bytes", n)
	}
}
