package dissect_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A roles is a Sink that writes down what messages are.
type roles struct {
	noLatency
	list []string
}

func (s *roles) Message(m *dissect.Message) {
	role := [...]string{"none", "call", "answer"}[m.Role()]
	fault := m.RPCFault()
	s.list = append(s.list, fmt.Sprintf("%s, open %d %d", role, m.Connection.Outstanding(0), m.Connection.Outstanding(1)))
	if fault.Bad() {
		s.list = append(s.list, fmt.Sprintf("byte %d of %d: %s", fault.Offset, m.Length, m.Malformed()))
	}
	if (m.Role() == dissect.RoleAnswer) != m.Answer || !m.Connection.RPCRDMA() || m.Connection.Other() {
		s.Errorf("%s: answer %v", role, m.Answer)
	}
	if r := m.RPC(); r == nil != (m.Role() == dissect.RoleNone) {
		s.Errorf("%s: RPC %v", role, r)
	}
}

func (s *roles) RPC(r *dissect.RPC) {
	for _, m := range []*dissect.Message{r.Call, r.Reply} {
		if m != nil && (m.Raw() != nil || !bytes.Equal(m.Inline(), m.Bytes[m.Header.Length:])) {
			s.Errorf("XID %d: %d bytes are inline, want %d", r.XID, len(m.Inline()), len(m.Bytes)-m.Header.Length)
		}
	}
}

// TestRoles reports what each message is, how many calls have no reply when it
// comes, and which byte of it is wrong.
func TestRoles(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	first := c.Call(build.NFS3Null(1))
	second := c.Call(build.NFS3GetAttr(2, []byte("handle")))
	c.Reply(second, build.NFS3GetAttrReply(2, 5))
	c.ReverseCall(build.NFS3Null(3), build.NFS3NullReply(3))
	c.ReplyError(first, build.ErrChunk)
	c.Send(build.ToServer, []byte{0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 32, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}) // RDMA_DONE
	again := c.Call(build.NFS3Null(4))
	c.Call(build.NFS3Null(4))
	c.Reply(again, build.NFS3NullReply(4))
	// The length of its credential is larger than any may be.
	bad := build.NFS3Null(5)
	const credLength = 28 // offset in the call, after as many bytes of transport header
	bad.Bytes[credLength] = 0xff
	c.Call(bad)
	frames := captured(c.Frames)

	s := &roles{noLatency: noLatency{t}}
	d := dissect.New(s, dissect.Options{KeepBytes: true})
	for i := range frames {
		frames[i].Number = int64(i + 1)
		d.Frame(&frames[i])
	}
	d.Flush()
	want := []string{
		"call, open 0 0",
		"call, open 1 0",
		"answer, open 2 0",
		"call, open 1 0", // back
		"answer, open 1 1",
		"answer, open 1 0", // RDMA_ERROR
		"none, open 0 0",
		"call, open 0 0",
		"call, open 0 0", // the XID serves again
		"answer, open 1 0",
		"call, open 0 0",
	}
	fault := fmt.Sprintf("byte %d of %d: ", credLength+28, len(bad.Bytes)+28)
	if n := len(want); len(s.list) != n+1 || !slices.Equal(s.list[:n], want) || !strings.HasPrefix(s.list[n], fault) {
		t.Errorf("got\n%q\nwant\n%q and a fault at %s", s.list, want, fault)
	}
}
