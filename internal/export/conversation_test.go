package export_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/build"
)

// verbs is a conversation over either transport.
type verbs interface {
	Connect() build.Span
	Call(build.Message, ...build.Offer) *build.Exchange
	Reply(*build.Exchange, build.Message, ...build.ReplyOption) build.Span
	Disconnect() build.Span
}

// over tells a story over both transports, and exports what it moved.
func over(t *testing.T, tell func(c verbs), then func(t *testing.T, x *exported)) {
	t.Helper()
	rocev2 := build.NewConversation(build.Setup{})
	iwarp := build.NewIWARP(build.IWARPSetup{CRC: true})
	for _, c := range []verbs{rocev2, iwarp} {
		c.Connect()
		tell(c)
		c.Disconnect()
	}
	t.Run("RoCEv2", func(t *testing.T) { then(t, exportFrames(t, rocev2.Frames)) })
	t.Run("iWARP", func(t *testing.T) { then(t, exportFrames(t, iwarp.Frames)) })
}

// text is n bytes, no two runs of which are alike.
func text(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString("line ")
		b.WriteString(strings.Repeat(string(rune('a'+i%26)), i%7+1))
		b.WriteByte('\n')
	}
	return b.String()[:n]
}

var (
	fh      = []byte("the handle")
	segment = func(n int) build.Segment { return build.Segment{Handle: 0xc82, Length: uint32(n), Offset: 0x1000} }
)

// TestInlineAndChunks reads and writes one file in all the ways that data
// travel: inline, by Write chunk, by Read chunk of two segments, in a long call
// and a long reply.
func TestInlineAndChunks(t *testing.T) {
	whole := text(40_000)
	at := func(from, to int) []byte { return []byte(whole[from:to]) }
	over(t, func(c verbs) {
		c.Reply(c.Call(build.NFS3Write(1, fh, 0, at(0, 501))), build.NFS3WriteReply(1, 501))
		c.Reply(c.Call(build.NFS3Write(2, fh, 501, at(501, 9001)), build.ReadChunk{segment(5000), {Handle: 9, Length: 3500, Offset: 7}}), build.NFS3WriteReply(2, 8500))
		call := build.NFS3Write(3, fh, 9001, at(9001, 40_000))
		c.Reply(c.Call(call, build.LongCall{segment(len(call.Bytes))}), build.NFS3WriteReply(3, 30_999))

		c.Reply(c.Call(build.NFS3Read(4, fh, 0, 501)), build.NFS3ReadReply(4, at(0, 501)))
		c.Reply(c.Call(build.NFS3Read(5, fh, 501, 20_000), build.WriteChunk{segment(6000), {Handle: 9, Length: 14_000, Offset: 7}}), build.NFS3ReadReply(5, at(501, 20_501)))
		c.Reply(c.Call(build.NFS3Read(6, fh, 20_501, 30_000), build.ReplyChunk{segment(40_000)}), build.NFS3ReadReply(6, at(20_501, 40_000)))
	}, func(t *testing.T, x *exported) {
		if len(x.objects) != 2 {
			t.Fatalf("%+v", x.objects)
		}
		for i, direction := range []string{"read", "write"} {
			o := &x.objects[i]
			x.holds(t, o, whole)
			if o.Handle != hex.EncodeToString(fh) || o.Direction != direction || o.Connection != 1 || o.Name != "" || o.File != "0001."+direction {
				t.Errorf("%+v", o)
			}
		}
	})
}

// TestOnlyWhatCounts holds that what no reply confirmed is in no object: of a
// READ or WRITE that failed, of a WRITE that was done in part, of calls without
// a reply; and that nothing is made of a READ at the end of the file.
func TestOnlyWhatCounts(t *testing.T) {
	data := []byte(text(3000))
	over(t, func(c verbs) {
		c.Reply(c.Call(build.NFS3Read(1, fh, 0, 3000), build.WriteChunk{segment(3000)}), build.NFS3ReadFailed(1, 70))
		c.Reply(c.Call(build.NFS3Write(2, []byte("other"), 0, data), build.ReadChunk{segment(3000)}), results(2, xdr{}.words(28, 0, 0)))
		c.Reply(c.Call(build.NFS3Write(3, fh, 4, data), build.ReadChunk{segment(3000)}), build.NFS3WriteReply(3, 1000))
		c.Reply(c.Call(build.NFS3Read(4, fh, 9999, 100)), build.NFS3ReadReply(4, nil))
		c.Call(build.NFS3Write(5, fh, 5000, data), build.ReadChunk{segment(3000)})
		c.Call(build.NFS3Read(6, fh, 5000, 10))
	}, func(t *testing.T, x *exported) {
		o := x.only(t)
		x.holds(t, o, "\x00\x00\x00\x00"+string(data[:1000]), gap{0, 4})
		if o.Lost != 0 || !strings.HasSuffix(x.table, "1 object\nleft out: 2 READs and WRITEs without a reply in the capture\n") {
			t.Errorf("%d bytes lost\n%s", o.Lost, x.table)
		}
	})
}

// TestLaterCounts holds that of ranges that overlap the later one counts, longer
// or shorter, and that what it lacks is missing.
func TestLaterCounts(t *testing.T) {
	c := build.NewConversation(build.Setup{PMTU: 1024})
	c.Connect()
	first, second, third := strings.Repeat("1", 5000), strings.Repeat("2", 2000), strings.Repeat("3", 3000)
	c.Reply(c.Call(build.NFS3Write(1, fh, 0, []byte(first)), build.ReadChunk{segment(5000)}), build.NFS3WriteReply(1, 5000))
	c.Reply(c.Call(build.NFS3Write(2, fh, 1000, []byte(second))), build.NFS3WriteReply(2, 2000))
	late := c.Call(build.NFS3Write(3, fh, 2000, []byte(third)), build.ReadChunk{segment(3000)})
	c.Reply(late, build.NFS3WriteReply(3, 3000))
	c.Disconnect()
	whole := first[:1000] + second[:1000] + third
	x := exportFrames(t, c.Frames)
	x.holds(t, x.only(t), whole)

	// The request, then three responses of 1024 bytes and less; the capture
	// lacks the second, of which the server has answered all.
	x = exportFrames(t, c.Frames.Drop(late.Read.First+2))
	lacks := []byte(whole)
	clear(lacks[3024:4048])
	x.holds(t, x.only(t), string(lacks), gap{3024, 1024})
	if x.only(t).Lost != 1024 || !strings.Contains(x.table, "1 object, 1 with transferred bytes that are not in the capture\n") {
		t.Errorf("%+v\n%s", x.only(t), x.table)
	}
}

// TestDroppedFrames drops each frame of a story in turn: what is in an object is
// right, or said to be missing.
func TestDroppedFrames(t *testing.T) {
	c := build.NewConversation(build.Setup{PMTU: 1024})
	c.Connect()
	data := text(4500)
	c.Reply(c.Call(build.NFS3Read(1, fh, 0, 2500), build.WriteChunk{segment(2500)}), build.NFS3ReadReply(1, []byte(data[:2500])))
	c.Reply(c.Call(build.NFS3Read(2, fh, 2500, 2000)), build.NFS3ReadReply(2, []byte(data[2500:])))
	c.Reply(c.Call(build.NFS3Write(3, fh, 0, []byte(data)), build.ReadChunk{segment(4500)}), build.NFS3WriteReply(3, 4500))
	c.Disconnect()
	lost := 0
	for i := range c.Frames {
		x := exportFrames(t, c.Frames.Drop(i))
		for j := range x.objects {
			o := &x.objects[j]
			got := x.bytes(t, o)
			want := []byte(data[:len(got)])
			for _, g := range o.Missing {
				clear(want[g.Offset : g.Offset+g.Length])
			}
			if !bytes.Equal(got, want) {
				t.Errorf("without frame %d %s is wrong, missing %v", i+1, o.File, o.Missing)
			}
			lost += int(o.Lost)
		}
	}
	if lost == 0 {
		t.Error("no byte was ever lost")
	}
}

// TestSnapLength cuts the frames: what was not captured is missing.
func TestSnapLength(t *testing.T) {
	c := build.NewConversation(build.Setup{PMTU: 1024})
	c.Connect()
	data := text(2048)
	c.Reply(c.Call(build.NFS3Read(1, fh, 0, 2048), build.WriteChunk{segment(2048)}), build.NFS3ReadReply(1, []byte(data)))
	c.Disconnect()
	const snap = 300 // after the headers: 14, 20, 8, 12, and 16 in the first
	x := exportFrames(t, c.Frames.Cut(snap))
	first, second := snap-70, snap-54
	want := make([]byte, 2048)
	copy(want, data[:first])
	copy(want[1024:], data[1024:1024+second])
	x.holds(t, x.only(t), string(want), gap{int64(first), int64(1024 - first)}, gap{int64(1024 + second), int64(1024 - second)})
}

// TestNFS2 reads and writes a file of NFS 2, whose handles have 32 bytes.
func TestNFS2(t *testing.T) {
	handle := strings.Repeat("handle 2", 4)
	dir := strings.Repeat("the root", 4)
	attributes := make(xdr, 68)
	data := text(1001)
	over(t, func(c verbs) {
		found := append(append(xdr{}.words(0), handle...), attributes...)
		c.Reply(c.Call(nfs(1, 2, 4, append(xdr{}, dir...).opaque("old"))), results(1, found))
		read := append(xdr{}, handle...).words(10, 1001, 0)
		c.Reply(c.Call(nfs(2, 2, 6, read), build.WriteChunk{segment(1001)}), placed(results(2, append(ok, attributes...).opaque(data)), 1001))
		write := append(xdr{}, handle...).words(0, 20, 0).opaque(data)
		c.Reply(c.Call(placed(nfs(3, 2, 8, write), 1001), build.ReadChunk{segment(1001)}), results(3, append(ok, attributes...)))
	}, func(t *testing.T, x *exported) {
		if len(x.objects) != 2 || x.objects[0].Name != "old" || x.objects[1].File != "0001-old.write" {
			t.Fatalf("%+v", x.objects)
		}
		x.holds(t, &x.objects[0], strings.Repeat("\x00", 10)+data, gap{0, 10})
		x.holds(t, &x.objects[1], strings.Repeat("\x00", 20)+data, gap{0, 20})
	})
}
