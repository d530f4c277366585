package ktrace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Parse reads a trace as /sys/kernel/tracing/trace prints it, compressed with
// gzip or not (its magic number decides). Lines of other events, comments and
// blank lines are passed over. An error names the line, counted from 1, at
// which an event of this package has a form that it does not know; whatever
// the reader r reports is wrapped.
func Parse(r io.Reader) (*Trace, error) {
	b := bufio.NewReader(r)
	in := io.Reader(b)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("ktrace: %w", err)
		}
		defer z.Close()
		in = z
	}
	p := parser{trace: new(Trace), attempts: make(map[string]*attempt), sent: make(map[uint32]bool)}
	lines := bufio.NewScanner(in)
	n := 0
	for lines.Scan() {
		n++
		if err := p.line(lines.Text()); err != nil {
			return nil, fmt.Errorf("ktrace: line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("ktrace: after line %d: %w", n, err)
	}
	return p.trace, nil
}

// parser keeps what one line needs to know of those before it.
type parser struct {
	trace    *Trace
	attempts map[string]*attempt // by task; taken away by its marshal line
	sent     map[uint32]bool     // XIDs marshalled since the last connection was set up
}

// The forms of the lines, and of the text after each event's name. The task
// name may hold spaces.
var (
	lineForm      = regexp.MustCompile(`^\s*\S.*-\d+\s+\[\d+\]\s+\S+\s+(\d+)\.(\d{6}): xprtrdma_(\w+): (.*?)\s*$`)
	segmentForm   = regexp.MustCompile(`^task:(\S+) (?:pos=(\d+) )?(\d+)@0x([0-9a-f]{16}):0x([0-9a-f]{8}) \((more|last)\)$`)
	marshalForm   = regexp.MustCompile(`^task:(\S+) xid=0x([0-9a-f]{8}) hdr=(\d+) xdr=(\d+)/(\d+)/(\d+) ([^/]+)/([^/]+)$`)
	replyForm     = regexp.MustCompile(`^task:(\S+) xid=0x([0-9a-f]{8}) credits=(\d+)$`)
	thresholdForm = regexp.MustCompile(`^(\S+) -> (\S+) neg send/recv=(\d+)/(\d+), calc send/recv=\d+/\d+$`)
	callbackForm  = regexp.MustCompile(`^peer=\[([^\]]+)\]:(\d+) xid=0x([0-9a-f]{8})$`)
)

// line takes one line of the trace.
func (p *parser) line(text string) error {
	m := lineForm.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	n := numbers{}
	at := time.Duration(n.decimal(m[1], 32))*time.Second + time.Duration(n.decimal(m[2], 32))*time.Microsecond
	event, rest := m[3], m[4]
	var form *regexp.Regexp
	var take func(*numbers, time.Duration, []string)
	switch event {
	case "chunk_read":
		form, take = segmentForm, p.segment(readList)
	case "chunk_write":
		form, take = segmentForm, p.segment(writeList)
	case "chunk_reply":
		form, take = segmentForm, p.segment(replyChunk)
	case "chunk_wp":
		form, take = segmentForm, p.pad
	case "marshal":
		form, take = marshalForm, p.marshal
	case "reply":
		form, take = replyForm, p.reply
	case "inline_thresh":
		form, take = thresholdForm, p.threshold
	case "cb_call":
		form, take = callbackForm, p.callback(false)
	case "cb_reply":
		form, take = callbackForm, p.callback(true)
	default:
		return nil
	}
	fields := form.FindStringSubmatch(rest)
	if fields == nil {
		return fmt.Errorf("xprtrdma_%s has an unknown form: %q", event, rest)
	}
	take(&n, at, fields[1:])
	return n.err
}

func (p *parser) attempt(task string) *attempt {
	a := p.attempts[task]
	if a == nil {
		a = newAttempt()
		p.attempts[task] = a
	}
	return a
}

func segmentOf(n *numbers, f []string) Segment {
	s := Segment{
		Length: uint32(n.decimal(f[2], 32)),
		Offset: n.hex(f[3], 64),
		Handle: uint32(n.hex(f[4], 32)),
	}
	if f[1] != "" {
		s.Position = uint32(n.decimal(f[1], 32))
	}
	return s
}

func (p *parser) segment(l list) func(*numbers, time.Duration, []string) {
	return func(n *numbers, _ time.Duration, f []string) {
		p.attempt(f[0]).addSegment(l, segmentOf(n, f), f[5] == "last")
	}
}

func (p *parser) pad(n *numbers, _ time.Duration, f []string) {
	p.attempt(f[0]).pad(segmentOf(n, f))
}

func (p *parser) marshal(n *numbers, at time.Duration, f []string) {
	a := p.attempt(f[0])
	delete(p.attempts, f[0])
	c := Call{
		Time: at, Task: f[0], XID: uint32(n.hex(f[1], 32)),
		HeaderLength: int(n.decimal(f[2], 31)),
		Head:         int(n.decimal(f[3], 31)), Page: int(n.decimal(f[4], 31)), Tail: int(n.decimal(f[5], 31)),
		Kind:  Kind{Call: f[6], Reply: f[7]},
		Reads: a.segments[readList], Writes: a.segments[writeList], Replies: a.segments[replyChunk],
		Abandoned: a.abandoned,
	}
	c.Unsent = p.sent[c.XID]
	p.sent[c.XID] = true
	p.trace.Calls = append(p.trace.Calls, c)
}

func (p *parser) reply(n *numbers, at time.Duration, f []string) {
	p.trace.Replies = append(p.trace.Replies, Reply{
		Time: at, Task: f[0], XID: uint32(n.hex(f[1], 32)), Credits: uint32(n.decimal(f[2], 32))})
}

func (p *parser) threshold(n *numbers, at time.Duration, f []string) {
	clear(p.sent)
	p.trace.Thresholds = append(p.trace.Thresholds, Threshold{
		Time: at, Client: n.addrPort(f[0]), Server: n.addrPort(f[1]),
		Send: int(n.decimal(f[2], 31)), Receive: int(n.decimal(f[3], 31))})
}

func (p *parser) callback(reply bool) func(*numbers, time.Duration, []string) {
	return func(n *numbers, at time.Duration, f []string) {
		host := f[0]
		if strings.Contains(host, ":") {
			host = "[" + host + "]"
		}
		p.trace.Callbacks = append(p.trace.Callbacks, Callback{
			Time: at, Server: n.addrPort(host + ":" + f[1]), XID: uint32(n.hex(f[2], 32)), Reply: reply})
	}
}

// numbers converts the fields of one line and keeps the first error.
type numbers struct{ err error }

func (n *numbers) decimal(s string, bits int) uint64 { return n.parse(s, 10, bits) }
func (n *numbers) hex(s string, bits int) uint64     { return n.parse(s, 16, bits) }

func (n *numbers) parse(s string, base, bits int) uint64 {
	v, err := strconv.ParseUint(s, base, bits)
	n.keep(err)
	return v
}

func (n *numbers) addrPort(s string) netip.AddrPort {
	a, err := netip.ParseAddrPort(s)
	n.keep(err)
	return a
}

func (n *numbers) keep(err error) {
	if n.err == nil {
		n.err = err
	}
}
