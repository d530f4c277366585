package dissect_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/internal/build"
)

// TestVersion2AllocatesNothing dissects traffic of version 2 with all kinds of
// messages, each of whose rounds changes characteristics. What is remembered reaches
// its limits first.
func TestVersion2AllocatesNothing(t *testing.T) {
	const warm = 4096 // a segment each, as many as are remembered that are over
	const rounds = warm + 4*2*20
	c := build.NewConversation(build.Setup{})
	c.Connect()
	fh, data := []byte("handle"), make([]byte, 2000)
	ends := []int{0}
	for i := range uint32(rounds) {
		size := build.XcharWord(build.XcharRBSIZ, 4096+i)
		want := build.XcharReq(size, build.XcharWord(build.XcharBRS, i%4), build.Xchar{ID: 99, Data: fh})
		c.Message2(build.ToServer, build.Header2{XID: 1 + i, Proc: build.OPTIONAL, Option: build.ReqXchar, Info: want})
		c.Message2(build.ToClient, build.Header2{XID: 1 + i, Proc: build.OPTIONAL, Direction: 1, Option: build.RespXchar, Info: build.XcharResp(build.XcharSubset{1}, build.XcharSubset{2}, build.XcharSubset{0})})
		c.Message2(build.ToClient, build.Header2{XID: 1 + i, Proc: build.OPTIONAL, Option: build.UpdXchar, Info: build.XcharUpd(size, true)})
		c.Message2(build.ToServer, build.Header2{XID: 50000 + i, Proc: build.OPTIONAL, Option: 77, Info: fh})
		c.Message2(build.ToClient, build.Header2{XID: 50000 + i, Proc: build.ERROR, Err: build.Err2InvalidOption})
		e := c.Call(build.NFS3Read(90000+i, fh, 0, 2000), build.Version2{InvHandle: 7}, build.WriteChunk{{Handle: 7, Length: 2000, Offset: 8}})
		c.Reply(e, build.NFS3ReadReply(90000+i, data), build.Invalidate(7))
		c.Call(build.NFS3Null(200000+i), build.Version2{})
		c.Message2(build.ToClient, build.Header2{XID: 200000 + i, Proc: build.ERROR, Err: build.Err2CantReply})
		ends = append(ends, len(c.Frames))
	}
	list := framesOf(c.Frames)
	counts := new(tally)
	d := dissect.New(counts, dissect.Options{})
	next := func(n int) {
		for i := ends[0]; i < ends[n]; i++ {
			d.Frame(&list[i])
		}
		ends = ends[n:]
	}
	next(warm)
	for range 4 {
		// AllocsPerRun calls its function twice, and counts the second.
		if n := allocs.Per(1, func() { next(20) }); n != 0 {
			t.Errorf("%v allocations in 20 rounds", n)
		}
	}
	if counts.rpcs < rounds || counts.incomplete != 0 || counts.disorder != 0 {
		t.Errorf("%+v", counts)
	}
}
