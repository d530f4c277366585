package rules

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
)

// TestAwait holds that frames and messages are awaited while anybody waits for them, and
// that who waits is not held up by another who does no more.
func TestAwait(t *testing.T) {
	var frames, messages []int64
	rule := noting("A-001", AnyProtocol, 1)
	rule.On = []Event{
		OnMessage(0, func(c *Conn, _ *dissect.Message, _ Reporter) {
			c.AwaitFrames(KeepsTest, c.Messages == 2)
			c.AwaitFrames(KeepsCM, c.Messages == 3)
			c.AwaitMessages(KeepsTest, c.Messages < 3)
			c.AwaitMessages(KeepsCM, false)
		}),
		OnMessage(AwaitedMessage, func(c *Conn, _ *dissect.Message, _ Reporter) { messages = append(messages, c.Messages) }),
		OnRPC(AwaitedMessage, func(c *Conn, _ *dissect.RPC, _ Reporter) { messages = append(messages, -c.Messages) }),
		OnFrame(Awaited, func(c *Conn, v *dissect.FrameView, _ Reporter) {
			if v.Message != nil {
				frames = append(frames, c.Messages)
			}
		}),
	}
	play(t, NewChecker([]*Rule{rule}, DefaultConfig(), func(*dissect.Connection, []*finding.Finding) {}))
	if want := []int64{2, 3}; !slices.Equal(frames, want) {
		t.Errorf("the frames of messages %d were awaited, want those of %d", frames, want)
	}
	if want := []int64{2, -2, 3}; !slices.Equal(messages, want) {
		t.Errorf("messages, and with a minus RPCs, at %d were awaited, want %d", messages, want)
	}
}
