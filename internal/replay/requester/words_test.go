package requester_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// different replays a conversation of which the server answers some calls in another way.
func different(t *testing.T) *requester.Result {
	t.Helper()
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	s := &server{change: func(i int, call *script.Call, reply []byte) ([]byte, bool) {
		if i == 3 {
			reply[call.Reply.Header.Length+24+3] = 70
		}
		return reply, i != 8
	}}
	r, _ := replay(t, fabric.SoftRoCE(), c, s, requester.Options{ReplyLimit: time.Second, MaxCalls: 12})
	return r
}

// TestText holds what a person reads of a replay.
func TestText(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := requester.WriteText(&b, different(t)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"192.0.2.2:", " to 192.0.2.1:20049 over ", "the server's private data: Send Size 4096, Receive Size 4096",
		"remote invalidation: a memory window of type 2 for each segment\n",
		"Call  Frame  Operation", "Captured", "Live\n",
		"NFS3_OK", "NFS3ERR_STALE\n", "no reply: within 1s\n",
		"12 calls: 11 answered, 1 without a reply, 1 answered differently; 1 open at a time, in ",
		"time to reply: captured median ",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, &b)
		}
	}
}

// TestRecords holds the records of a replay, and that docs/json.md names each member.
func TestRecords(t *testing.T) {
	t.Parallel()
	r := different(t)
	var lines, array bytes.Buffer
	if err := requester.WriteJSON(&lines, false, r); err != nil {
		t.Fatal(err)
	}
	if err := requester.WriteJSON(&array, true, r); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	if err := json.Unmarshal(array.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(lines.String(), "\n"); n != len(all) || n != 14 {
		t.Errorf("%d lines, %d records in the array", n, len(all))
	}
	for _, x := range all {
		for name := range x {
			if !strings.Contains(string(doc), "`"+name+"`") {
				t.Errorf("docs/json.md does not name %s", name)
			}
		}
	}
	stale, lost, sum := all[4], all[9], all[13]
	if stale["outcome"] != "answered" || stale["status"] != "NFS3ERR_STALE" || stale["captured_status"] != "NFS3_OK" || len(stale["differences"].([]any)) != 1 || stale["latency_ns"] == nil {
		t.Errorf("%v", stale)
	}
	if lost["outcome"] != "no reply" || lost["why"] != "within 1s" || lost["latency_ns"] != nil || lost["xid"] == nil {
		t.Errorf("%v", lost)
	}
	if sum["calls"] != 12.0 || sum["answered"] != 11.0 || sum["differ"] != 1.0 || sum["same"] != false || sum["ended"] != nil {
		t.Errorf("%v", sum)
	}
}
