package ktrace

import (
	"reflect"
	"strings"
	"testing"
)

// From rxe-basic: the first attempt ran out of memory registrations after its
// first segment; 256 bytes at the same place are there again, under the next
// handle.
const shortOfRegistrations = `
            bash-1       [000] .....    24.488500: xprtrdma_chunk_reply: task:00000005@00000002 256@0xe72d105d457e1000:0x000003d4 (more)
            bash-1       [000] .....    24.488600: xprtrdma_chunk_reply: task:00000005@00000002 256@0xe72d105d457e1000:0x000003d5 (more)
            bash-1       [000] .....    24.488610: xprtrdma_chunk_reply: task:00000005@00000002 28672@0xe72d105d4546c000:0x000018fb (more)
            bash-1       [000] .....    24.488615: xprtrdma_chunk_reply: task:00000005@00000002 4@0xe72d105d457e1100:0x000017f4 (last)
            bash-1       [000] .....    24.488622: xprtrdma_marshal: task:00000005@00000002 xid=0xe72d105d hdr=80 xdr=96/0/0 pullup/reply chunk
`

func TestOnlyTheLastAttemptCounts(t *testing.T) {
	c := parse(t, shortOfRegistrations).Calls[0]
	want := []Segment{
		{Length: 256, Offset: 0xe72d105d457e1000, Handle: 0x3d5},
		{Length: 28672, Offset: 0xe72d105d4546c000, Handle: 0x18fb},
		{Length: 4, Offset: 0xe72d105d457e1100, Handle: 0x17f4},
	}
	if !reflect.DeepEqual(c.Replies, want) || !c.Retried() || c.Abandoned != 1 {
		t.Errorf("Reply chunk %+v, %d segments abandoned\nwant %+v and 1", c.Replies, c.Abandoned, want)
	}
	if c.ListsLength() != c.HeaderLength {
		t.Errorf("the lists make %d bytes of header, the client made %d", c.ListsLength(), c.HeaderLength)
	}
}

// exchange makes a trace of one task from a line of words: "read:1", "reply:2.",
// each a list, the number of a buffer, and a dot for "(last)".
func exchange(words string) string {
	const start = "  a b-1  [000] .....  1.000000: xprtrdma_"
	var b strings.Builder
	handle := byte('0')
	for _, w := range strings.Fields(words) {
		handle++
		kind, buffer, _ := strings.Cut(w, ":")
		more := "more"
		if strings.HasSuffix(buffer, ".") {
			more = "last"
		}
		pos := ""
		if kind == "read" {
			pos = "pos=8 "
		}
		b.WriteString(start + "chunk_" + kind + ": task:01@02 " + pos + "100@0x000000000000000" + buffer[:1] +
			":0x0000000" + string(handle) + " (" + more + ")\n")
	}
	b.WriteString(start + "marshal: task:01@02 xid=0x00000001 hdr=0 xdr=0/0/0 mapped/inline\n")
	return b.String()
}

func TestWhereAnAttemptBegins(t *testing.T) {
	for _, test := range []struct {
		name, words            string
		reads, writes, replies int
		abandoned              int
	}{
		{"no lists", "", 0, 0, 0, 0},
		{"all three lists", "read:1 read:2. write:3. reply:4 reply:5.", 2, 1, 2, 0},
		{"stopped in the Read list", "read:1 read:1 read:2.", 2, 0, 0, 1},
		{"stopped after a whole Read list", "read:1 read:2. read:1 read:2.", 2, 0, 0, 2},
		{"stopped twice", "read:1 read:1 read:1 read:2.", 2, 0, 0, 2},
		{"stopped at the second segment, then at the third", "reply:1 reply:1 reply:2 reply:1 reply:2 reply:3.", 0, 0, 3, 3},
		{"stopped in the Reply chunk, Read list first", "read:1. reply:2 read:1. reply:2 reply:3.", 1, 0, 2, 2},
		{"stopped behind the Write list, other memory", "write:1. write:4 write:5.", 0, 2, 0, 1},
		{"the pad of a Write chunk belongs to it", "write:1 write:2. wp:9.", 0, 3, 0, 0},
		{"stopped behind the pad", "write:1. wp:9. write:1. wp:9.", 0, 2, 0, 2},
		{"the same memory for argument and reply", "read:1. reply:1.", 1, 0, 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := parse(t, exchange(test.words)).Calls[0]
			if len(c.Reads) != test.reads || len(c.Writes) != test.writes || len(c.Replies) != test.replies || c.Abandoned != test.abandoned {
				t.Errorf("%q: %d reads, %d writes, %d replies, %d abandoned; want %d, %d, %d, %d", test.words,
					len(c.Reads), len(c.Writes), len(c.Replies), c.Abandoned,
					test.reads, test.writes, test.replies, test.abandoned)
			}
		})
	}
}

// Two tasks that are marshalled at the same time keep their segments apart.
func TestTasksAreApart(t *testing.T) {
	const start = "  a-1  [000] .....  1.000000: xprtrdma_"
	trace := parse(t, start+"chunk_reply: task:01@01 100@0x0000000000000001:0x00000001 (more)\n"+
		start+"chunk_reply: task:02@01 100@0x0000000000000001:0x00000002 (last)\n"+
		start+"chunk_reply: task:01@01 100@0x0000000000000002:0x00000003 (last)\n"+
		start+"marshal: task:01@01 xid=0x00000001 hdr=64 xdr=4/0/0 pullup/reply chunk\n"+
		start+"marshal: task:02@01 xid=0x00000002 hdr=48 xdr=4/0/0 pullup/reply chunk\n")
	for _, c := range trace.Calls {
		if c.Retried() || c.ListsLength() != c.HeaderLength {
			t.Errorf("XID %#x: %+v", c.XID, c)
		}
	}
}

// From rxe-krb: a call that timed out is marshalled, not sent, and marshalled
// again when its new connection stands.
func TestUnsent(t *testing.T) {
	const call = "  mount.nfs-287  [000] .....  53.636502: xprtrdma_marshal: task:00000001@00000001 xid=0xc3884bc5 hdr=28 xdr=144/0/28 pullup/inline\n"
	const connected = "  kworker/0:1-17  [000] .....  53.706898: xprtrdma_inline_thresh: 192.0.2.2:53718 -> 192.0.2.1:20049 neg send/recv=4096/4096, calc send/recv=3780/3884\n"
	var unsent []bool
	for _, c := range parse(t, connected+call+call+connected+call).Calls {
		unsent = append(unsent, c.Unsent)
	}
	if want := []bool{false, true, false}; !reflect.DeepEqual(unsent, want) {
		t.Errorf("unsent: %v, want %v", unsent, want)
	}
}
