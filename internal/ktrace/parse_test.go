package ktrace

import (
	"bytes"
	"compress/gzip"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

func parse(t *testing.T, text string) *Trace {
	t.Helper()
	trace, err := Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// Lines of real traces, one event of each kind among others.
const excerpt = `# tracer: nop
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
     kworker/0:2-48      [000] .....    20.830513: xprtrdma_inline_thresh: 192.0.2.2:33200 -> 192.0.2.1:20049 neg send/recv=4096/2048, calc send/recv=3780/3884
       mount.nfs-195     [000] .....    20.850471: xprtrdma_marshal: task:00000001@00000000 xid=0xb82d105d hdr=28 xdr=40/0/0 pullup/inline
       mount.nfs-195     [000] .....    20.850730: xprtrdma_post_send: task:00000001@00000000 cq.id=1 cid=10 (2 SGEs) 
    kworker/0:1H-38      [000] .....    20.900664: xprtrdma_reply: task:00000001@00000000 xid=0xb82d105d credits=64
    kworker/u2:3-199     [000] .....    22.680932: xprtrdma_chunk_read: task:00000016@00000001 pos=112 131072@0xd22d105d4441c000:0x00000c82 (more)
    kworker/u2:3-199     [000] .....    22.681024: xprtrdma_chunk_read: task:00000016@00000001 pos=112 131072@0xd22d105d44432000:0x00000b82 (last)
    kworker/u2:3-199     [000] .....    22.681057: xprtrdma_marshal: task:00000016@00000001 xid=0xd22d105d hdr=76 xdr=112/262144/2 read list/inline
    kworker/u2:3-199     [000] .....    23.628950: xprtrdma_chunk_write: task:00000020@00000001 4096@0xdc2d105d42d4a000:0x00000c83 (last)
    kworker/u2:3-199     [000] .....    23.629030: xprtrdma_marshal: task:00000020@00000001 xid=0xdc2d105d hdr=52 xdr=104/0/0 pullup/write list
    kworker/0:1H-38      [000] .....    74.446296: xprtrdma_cb_call: peer=[192.0.2.1]:20049 xid=0xec7e8dd9
  NFSv4 callback-201     [000] .....    74.453531: xprtrdma_cb_reply: peer=[fd00::1]:20049 xid=0xec7e8dd9
`

func TestParseReadsEveryEvent(t *testing.T) {
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	want := &Trace{
		Thresholds: []Threshold{{
			Time:   us(20_830513),
			Client: netip.MustParseAddrPort("192.0.2.2:33200"), Server: netip.MustParseAddrPort("192.0.2.1:20049"),
			Send: 4096, Receive: 2048,
		}},
		Calls: []Call{
			{Time: us(20_850471), Task: "00000001@00000000", XID: 0xb82d105d, HeaderLength: 28,
				Kind: Kind{"pullup", "inline"}, Head: 40},
			{Time: us(22_681057), Task: "00000016@00000001", XID: 0xd22d105d, HeaderLength: 76,
				Kind: Kind{"read list", "inline"}, Head: 112, Page: 262144, Tail: 2,
				Reads: []Segment{
					{Position: 112, Length: 131072, Offset: 0xd22d105d4441c000, Handle: 0xc82},
					{Position: 112, Length: 131072, Offset: 0xd22d105d44432000, Handle: 0xb82},
				}},
			{Time: us(23_629030), Task: "00000020@00000001", XID: 0xdc2d105d, HeaderLength: 52,
				Kind: Kind{"pullup", "write list"}, Head: 104,
				Writes: []Segment{{Length: 4096, Offset: 0xdc2d105d42d4a000, Handle: 0xc83}}},
		},
		Replies: []Reply{{Time: us(20_900664), Task: "00000001@00000000", XID: 0xb82d105d, Credits: 64}},
		Callbacks: []Callback{
			{Time: us(74_446296), Server: netip.MustParseAddrPort("192.0.2.1:20049"), XID: 0xec7e8dd9},
			{Time: us(74_453531), Server: netip.MustParseAddrPort("[fd00::1]:20049"), XID: 0xec7e8dd9, Reply: true},
		},
	}
	if got := parse(t, excerpt); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestParseOpensGzip(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(excerpt))
	z.Close()
	whole := packed.Bytes()
	got, err := Parse(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	if want := parse(t, excerpt); !reflect.DeepEqual(got, want) {
		t.Errorf("compressed: %+v\nplain: %+v", got, want)
	}
	for n := 2; n < len(whole); n++ {
		if _, err := Parse(bytes.NewReader(whole[:n])); err == nil {
			t.Fatalf("no error for a gzip file cut to %d of %d bytes", n, len(whole))
		}
	}
}

func TestParseNamesTheLineItDoesNotKnow(t *testing.T) {
	const start = "            bash-1       [000] .....    24.488622: "
	for _, event := range []string{
		"xprtrdma_marshal: task:00000005@00000002 xid=0xe72d105d hdr=80 pullup/reply chunk",
		"xprtrdma_marshal: task:00000005@00000002 xid=0xe72d105d hdr=99999999999 xdr=96/0/0 pullup/inline",
		"xprtrdma_chunk_reply: task:00000005@00000002 256@0xe72d105d457e1000:0x000003d4 (some)",
		"xprtrdma_chunk_read: task:00000005@00000002 pos=4294967296 256@0xe72d105d457e1000:0x000003d4 (last)",
		"xprtrdma_reply: task:00000005@00000002 xid=0xe72d105d credits=-1",
		"xprtrdma_inline_thresh: 192.0.2.2 -> 192.0.2.1 neg send/recv=4096/4096, calc send/recv=3780/3884",
		"xprtrdma_cb_call: peer=[192.0.2.1]:70000 xid=0xec7e8dd9",
	} {
		trace, err := Parse(strings.NewReader("# tracer: nop\n" + start + event + "\n"))
		if err == nil || trace != nil || !strings.Contains(err.Error(), "line 2: ") {
			t.Errorf("%s: gives %+v, %v; want an error with its line", event, trace, err)
		}
	}
}

// A cut line is an unknown form, an unknown event, or a shorter number: never
// a panic, and never more than the whole line gives.
func TestParseCutAnywhere(t *testing.T) {
	whole := parse(t, excerpt)
	for n := range excerpt {
		got, err := Parse(strings.NewReader(excerpt[:n]))
		if err == nil && (len(got.Calls) > len(whole.Calls) || len(got.Replies) > len(whole.Replies)) {
			t.Fatalf("cut to %d bytes it gives more: %+v", n, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(excerpt))
	f.Add([]byte(shortOfRegistrations))
	f.Add([]byte{0x1f, 0x8b, 8})
	f.Fuzz(func(t *testing.T, b []byte) {
		trace, err := Parse(bytes.NewReader(b))
		if (trace == nil) == (err == nil) {
			t.Fatalf("gives %v with error %v", trace, err)
		}
		if err != nil {
			return
		}
		for _, c := range trace.Calls {
			segments := len(c.Reads) + len(c.Writes) + len(c.Replies)
			if c.Abandoned > 0 && segments == 0 {
				t.Fatalf("%+v: attempts were abandoned for one without segments", c)
			}
			if n := c.ListsLength(); n < 28+16*segments {
				t.Fatalf("%+v: a header of %d bytes for %d segments", c, n, segments)
			}
		}
	})
}
