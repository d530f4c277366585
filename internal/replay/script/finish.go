package script

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/field"
)

// unselected is the Order of a message that Options.Select leaves out.
const unselected = -1

// finish notes what is known of a call when it is over.
func (c *Call) finish(r *dissect.RPC) {
	if h := r.CallHeader(); h != nil {
		c.Header, c.HasHeader = *h, true
	}
	if h := r.ReplyHeader(); h != nil {
		c.Answer, c.HasAnswer = *h, true
	}
	c.Ops = r.Ops(nil)
	c.Name = string(r.AppendName(nil, c.Ops))
	c.Status, _ = r.Status()
	c.Missing = r.Missing
	if c.Reply != nil {
		c.Reply.Call = c
	}
}

// finish notes what is known of the connection when it is over.
func (c *Conversation) finish(of *dissect.Connection) {
	c.Transport, c.IWARP, c.Setup, c.Version = of.Transport, of.IWARP(), of.Setup, of.Version
	c.Client, c.Server = peer(of.Client()), peer(of.Server())
	if of.Closing != flow.Open {
		c.Closed = of.LastTime
	}
	c.Client.Declared, c.Server.Declared = of.ClientPrivate, of.ServerPrivate
	c.Thresholds, c.ThresholdsKnown = of.Thresholds()
	c.Messages = slices.DeleteFunc(c.Messages, func(m *Message) bool { return m.Order == unselected })
	slices.SortStableFunc(c.Calls, func(a, b *Call) int { return cmp.Compare(a.Request.Order, b.Request.Order) })
	for i, call := range c.Calls {
		call.Index, call.Reverse = i, call.Request.from != of.ClientEnd
	}
	for _, m := range c.Messages {
		m.ToServer = m.from == of.ClientEnd
	}
	// Without its call an operation would be one to memory that nobody advertised.
	c.Operations = slices.DeleteFunc(c.Operations, func(o Operation) bool { return o.Call != nil && o.Call.Request.Order == unselected })
	for i := range c.Operations {
		c.Operations[i].ToServer = c.Operations[i].from == of.ClientEnd
	}
	c.Lacks = append(c.Lacks, lacks(c, of)...)
}

// peer is what is known of an end.
func peer(e *flow.Endpoint) Peer {
	return Peer{Addr: netip.AddrPortFrom(e.Addr.IP(), e.Port), PrivateData: slices.Clone(e.PrivateData)}
}

// endpoint is an end for a person.
func endpoint(e *flow.Endpoint) string {
	if !e.Addr.IP().IsValid() || e.Port == 0 {
		return e.Addr.String()
	}
	return netip.AddrPortFrom(e.Addr.IP(), e.Port).String()
}

// lacks says what the capture does not have.
func lacks(c *Conversation, of *dissect.Connection) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if of.Setup == flow.SetupInferred {
		add("the capture began after the connection was set up: the private data of both ends, and what they sent before, are not in it")
	}
	sent := make(map[bool]bool)
	for _, m := range c.Messages {
		sent[m.ToServer] = true
	}
	if sent[true] != sent[false] {
		silent := "server"
		if sent[false] {
			silent = "client"
		}
		add("the capture has no message of the %s: it may have one direction only", silent)
	}
	if of.LostInCapture > 0 {
		add("the capture lacks %d frames that the network delivered", of.LostInCapture)
	}
	cut, unanswered, made, incomplete := 0, 0, 0, 0
	for _, m := range c.Messages {
		if m.Missing != "" {
			cut++
		}
	}
	for _, call := range c.Calls {
		switch {
		case call.Reply == nil:
			unanswered++
		case call.MadeUp() > 0 && !call.Failed():
			made++
		case call.Missing != "":
			incomplete++
		}
	}
	if cut > 0 {
		add("%s not completely in the capture", field.CountedAre(cut, "message"))
	}
	if unanswered > 0 {
		add("%s without a reply in the capture", field.CountedAre(unanswered, "call"))
	}
	if made > 0 {
		add("%s with data in Read chunks that no RDMA Read in the capture transferred: zeros are sent instead", field.CountedAre(made, "call"))
	}
	if incomplete > 0 {
		add("%s incomplete otherwise", field.CountedAre(incomplete, "call"))
	}
	return list
}

// Conversation is what was recorded, when the capture is over. Without a connection that
// speaks RPC-over-RDMA it is an error, and so is a limit that was reached.
func (r *Recorder) Conversation() (*Conversation, error) {
	switch {
	case r.err != nil:
		return nil, r.err
	case r.of != nil:
		r.c.Bytes = r.bytes
		r.c.Lacks = append(r.c.Lacks, r.tooLong...)
		if r.moreTooLong > 0 {
			r.c.Lacks = append(r.c.Lacks, fmt.Sprintf("%d more calls are left out for that reason", r.moreTooLong))
		}
		if len(r.c.Calls) == 0 && len(r.tooLong) > 0 {
			return nil, fmt.Errorf("no call is left to replay: %s", r.tooLong[0])
		}
		r.tooLong, r.moreTooLong = nil, 0
		return r.c, nil
	case r.opts.Connection != 0 && len(r.c.Others) > 0:
		return nil, fmt.Errorf("connection %d carries no RPC-over-RDMA that can be read: there is %s", r.opts.Connection, r.c.others())
	}
	return nil, errors.New("no connection in the capture carries RPC-over-RDMA that can be read")
}

// others names the connections that could have been chosen.
func (c *Conversation) others() string {
	var list []string
	for _, o := range c.Others[:min(len(c.Others), MostNamed)] {
		list = append(list, o.String())
	}
	if more := len(c.Others) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return strings.Join(list, ", ")
}
