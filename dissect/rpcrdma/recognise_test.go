package rpcrdma

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

func TestSamplesAreRecognised(t *testing.T) {
	var h Header
	for _, s := range samples {
		if got := h.Recognise(sample(t, s.name)); got != Strong {
			t.Errorf("%s: %v, want strong", s.name, got)
		}
	}
}

func TestRecognise(t *testing.T) {
	const (
		msg     = "01020305 00000001 00000020 00000000 00000000 00000000 00000000 "
		msg2    = "01020305 00000002 00000020 00000000 00000000 00000000 00000000 00000000 00000000 "
		call    = "01020305 00000000 00000002 000186a3"
		segment = " 00000c81 00000088 c02d105d457e7800 "
	)
	for _, tt := range []struct {
		name, hex string
		want      Likeness
	}{
		{"call", msg + call, Strong},
		{"accepted reply", msg + "01020305 00000001 00000000", Strong},
		{"denied reply", msg + "01020305 00000001 00000001", Strong},
		{"reply_stat 2", msg + "01020305 00000001 00000002", None},
		{"RPC version 3", msg + "01020305 00000000 00000003 000186a3", None},
		{"msg_type 2", msg + "01020305 00000002 00000002", None},
		{"another XID", msg + "01020304 00000000 00000002 000186a3", None},
		{"RPC message cut after its msg_type", msg + "01020305 00000000", None},
		{"no RPC message", msg, None},
		{"call without credits", "01020305 00000001 00000000 00000000 00000000 00000000 00000000" + call, None},
		{"version 2 with the lists of version 1", "01020305 00000002 00000020 00000000 00000000 00000000 00000000" + call, None},
		{"a list that is none", "01020305 00000001 00000020 00000000 00000000 00000007 00000000" + call, None},
		{"RDMA_NOMSG with a Reply chunk", "01020305 00000001 00000020 00000001 00000000 00000000 00000001 00000001" + segment, Strong},
		{"RDMA_NOMSG without credits", "01020305 00000001 00000000 00000001 00000000 00000000 00000001 00000001" + segment, None},
		{"RDMA_NOMSG and more", "01020305 00000001 00000020 00000001 00000000 00000000 00000001 00000001" + segment + "00000000", None},
		{"RDMA_NOMSG without chunks", "01020305 00000001 00000020 00000001 00000000 00000000 00000000", None},
		{"RDMA_NOMSG with a handle of 0", "01020305 00000001 00000020 00000001 00000000 00000000 00000001 00000001 00000000 00000088 c02d105d457e7800", None},
		{"RDMA_NOMSG with a length of 0", "01020305 00000001 00000020 00000001 00000000 00000000 00000001 00000001 00000c81 00000000 c02d105d457e7800", None},
		{"ERR_VERS", "01020305 00000001 00000020 00000004 00000001 00000001 00000002", Weak},
		{"ERR_VERS of no version", "01020305 00000001 00000020 00000004 00000001 00000002 00000001", None},
		{"ERR_CHUNK", "01020305 00000001 00000020 00000004 00000002", Weak},
		{"ERR_CHUNK and more", "01020305 00000001 00000020 00000004 00000002 00000000", None},
		{"rdma_err 3", "01020305 00000001 00000020 00000004 00000003", None},
		{"RDMA_MSGP", "01020305 00000001 00000020 00000002 00000400 00000200 00000000 00000000 00000000" + call, Weak},
		{"RDMA_MSGP of something", "01020305 00000001 00000020 00000002 00000400 00000200 00000000 00000000 00000000 00000000", None},
		{"RDMA_DONE", "01020305 00000001 00000020 00000003", Weak},
		{"RDMA_DONE and more", "01020305 00000001 00000020 00000003 00", None},
		{"procedure 5", "01020305 00000001 00000020 00000005", None},
		{"15 bytes", "01020305 00000001 00000020 000000", None},

		{"RDMA2_MSG, call", msg2 + call, Strong},
		{"RDMA2_MSG without credits", "01020305 00000002 00000000 00000000 00000000 00000000 00000000 00000000 00000000" + call, None},
		{"RDMA2_MSG of something", msg2 + "01020305 00000002 00000002", None},
		{"RDMA2_NOMSG", "01020305 00000002 00000020 00000001 00000001 00000c81 00000000 00000000 00000001 00000001" + segment, Strong},
		{"RDMA2_ERR_INVAL_OPTION", "01020305 00000002 00000020 00000004 00000005", Weak},
		{"RDMA_MSGP of version 2", "01020305 00000002 00000020 00000002 00000400 00000200 00000000 00000000 00000000" + call, None},
		{"INIT_XCHAR", "01020305 00000002 00000020 00000005 00000000 00000001 00000014 00000001 00000001 00000004 00002000 00000000", Strong},
		{"INIT_XCHAR and more", "01020305 00000002 00000020 00000005 00000000 00000001 00000014 00000001 00000001 00000004 00002000 00000000 00000000", None},
		{"INIT_XCHAR with a wrong value", "01020305 00000002 00000020 00000005 00000000 00000001 00000014 00000001 00000002 00000004 00002000 00000000", None},
		{"unknown option", "01020305 00000002 00000020 00000005 00000000 00000009 00000004 00000001", Weak},
		{"unknown option with a call", "01020305 00000002 00000020 00000005 00000000 00000009 00000004 00000001" + call, Strong},
		{"unknown option and something", "01020305 00000002 00000020 00000005 00000000 00000009 00000004 00000001 00000001", None},
		{"version 3", "01020305 00000003 00000020 00000000 00000000 00000000 00000000 00000000 00000000" + call, None},

		// rping sends struct { u64 address; u32 rkey; u32 size }.
		{"rping", "0000559d6c6266c0 000005c6 000000c8", None},
		{"rping, unlucky address", "01020305 00000001 000005c6 00000040", None},
		// perftest as it was captured: its version, its sizes, its exchange of keys.
		{"perftest version", "362e3036000000000000000000000000", None},
		{"perftest size", "00001000", None},
		{"perftest text", "3300", None},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var h Header
			if got := h.Recognise(check.Hex(t, tt.hex)); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// TestFillersAreNotRecognised sends what test programs fill their buffers
// with: zeros, ones, running letters, random bytes.
func TestFillersAreNotRecognised(t *testing.T) {
	var h Header
	rnd := rand.New(rand.NewPCG(1, 2))
	for size := range 300 {
		letters, random := make([]byte, size), make([]byte, size)
		for i := range size {
			letters[i] = 'A' + byte(i%58)
			random[i] = byte(rnd.Uint32())
		}
		rping := append([]byte("rdma-ping-0: "), letters...)
		for _, b := range [][]byte{make([]byte, size), bytes.Repeat([]byte{1}, size), bytes.Repeat([]byte{0, 0, 0, 1}, size), letters, random, rping} {
			if got := h.Recognise(b); got != None {
				t.Errorf("%d bytes: %v, want none: % x", len(b), got, b)
			}
		}
	}
}

// TestRandomHeadersAreRecognisedForWhatTheyAre builds headers at random and
// judges them by their fields.
func TestRandomHeadersAreRecognisedForWhatTheyAre(t *testing.T) {
	var h Header
	for seed := range uint64(1000) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		want := randomHeader(rnd)
		want.Credits |= 1
		want.VersLow &= 0xff // at or below VersHigh
		want.VersHigh |= 0xff
		b := encode(&want)
		likeness := Strong
		switch want.Proc {
		case RDMAMsg:
			b = words(b, want.XID, 0, 2)
		case RDMAMsgP:
			b = words(b, want.XID, 1, 0)
			likeness = Weak
		case RDMADone, RDMAError:
			likeness = Weak
		case RDMANoMsg:
			if len(want.Reads)+len(want.Segments) == 0 {
				likeness = None
			}
		}
		if got := h.Recognise(b); got != likeness {
			t.Fatalf("seed %d: %v, want %v: % x", seed, got, likeness, b)
		}
	}
}
