//go:build linux && (amd64 || arm64) && !noverbs

package verbs_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"testing"

	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// TestLabServes holds that the kernel's NFS 3 client mounts from a responder of our own,
// reads a file by RDMA Writes of ours and writes it by RDMA Reads, and unmounts.
func TestLabServes(t *testing.T) {
	p, kind := inLab(t)
	at := netip.MustParseAddrPort("192.0.2.1:20101")
	l, err := p.Listen(netip.AddrPortFrom(netip.IPv4Unspecified(), at.Port()))
	must(t, err)
	defer closed(t, l)
	s := &nfsd{file: bytes.Repeat([]byte("what is in the file\n"), 5000), calls: make(map[uint32]int)}
	served := make(chan error, 1)
	go func() { served <- s.serve(context.Background(), l) }()

	const on = "/mnt/n"
	run := func(command string, args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(patience(t), command, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v %s (calls so far: %v)", command, err, out, s.calls)
		}
	}
	run("mount", "-t", "nfs", "-o", fmt.Sprintf("rdma,port=%d,vers=3,nolock,noacl,mountproto=tcp,retrans=1", at.Port()), at.Addr().String()+":/srv", on)
	read, err := os.ReadFile(on + "/file")
	must(t, err)
	if !bytes.Equal(read, s.file) {
		at := 0
		for at < min(len(read), len(s.file)) && read[at] == s.file[at] {
			at++
		}
		t.Errorf("the client read %d bytes, which from %d on are not those of the file: %.80q", len(read), at, read[at:])
	}
	written := bytes.Repeat([]byte("something else stands here now."), 3000)
	f, err := os.OpenFile(on+"/file", os.O_WRONLY, 0)
	must(t, err)
	_, err = f.Write(written)
	must(t, errors.Join(err, f.Sync(), f.Close()))
	run("umount", on)
	must(t, <-served)
	if !bytes.Equal(s.file[:len(written)], written) {
		t.Error("what the client wrote did not come")
	}
	if s.calls[6] == 0 || s.calls[7] == 0 || s.read == 0 || s.wrote == 0 || s.invalidated == 0 {
		t.Errorf("calls %v, %d RDMA Reads, %d Writes, %d handles invalidated", s.calls, s.read, s.wrote, s.invalidated)
	}
	t.Logf("%s: calls by procedure: %v; %d RDMA Reads, %d RDMA Writes, %d handles invalidated; private data % x", kind, s.calls, s.read, s.wrote, s.invalidated, s.private[:8])
}

// An nfsd is an NFS 3 server of one file, which does one thing at a time.
type nfsd struct {
	transport.Connection
	file    []byte
	calls   map[uint32]int // by procedure
	private []byte
	waiting [][]byte // calls

	read, wrote, invalidated int
}

// serve serves one connection until the client disconnects.
func (s *nfsd) serve(ctx context.Context, l transport.Listener) error {
	r, err := l.Next(ctx)
	if err != nil {
		return err
	}
	s.private = r.PrivateData()
	if s.Connection, err = r.Accept(ctx, transport.Options{PrivateData: noInvalidation, Receives: 64}); err != nil {
		return err
	}
	defer s.Close()
	for {
		for len(s.waiting) > 0 {
			call := s.waiting[0]
			s.waiting = s.waiting[1:]
			if err := s.answer(ctx, call); err != nil {
				return err
			}
		}
		_, err := s.next(ctx)
		switch d := (*transport.Disconnected)(nil); {
		case errors.As(err, &d):
			return nil
		case err != nil:
			return err
		}
	}
}

// A segment is one of a chunk.
type segment struct {
	transport.Remote
	length int
}

// A cursor takes numbers from a message.
type cursor []byte

func (c *cursor) word() uint32 {
	w := binary.BigEndian.Uint32(*c)
	*c = (*c)[4:]
	return w
}
func (c *cursor) quad() uint64   { return uint64(c.word())<<32 | uint64(c.word()) }
func (c *cursor) opaque() []byte { n := c.word(); b := (*c)[:n]; *c = (*c)[(n+3)&^3:]; return b }
func (c *cursor) segment() (s segment) {
	s.Handle, s.length, s.Offset = c.word(), int(c.word()), c.quad()
	return s
}

// words makes a message.
func words(list ...uint32) (b []byte) {
	for _, w := range list {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return b
}

// answer answers one call.
func (s *nfsd) answer(ctx context.Context, message []byte) error {
	c := cursor(message)
	xid := c.word()
	c = c[12:] // version, credits, RDMA_MSG
	var reads, writes []segment
	for c.word() != 0 {
		c.word() // the position: that of the data of WRITE
		reads = append(reads, c.segment())
	}
	for c.word() != 0 {
		for range c.word() {
			writes = append(writes, c.segment())
		}
	}
	if c.word() != 0 {
		return errors.New("a call with a Reply chunk")
	}
	c = c[20:] // XID, CALL, versions, program
	procedure := c.word()
	c.word()
	c.opaque()
	c.word()
	c.opaque()
	s.calls[procedure]++
	results, returned, err := s.results(ctx, procedure, c, reads, writes)
	if err != nil {
		return err
	}
	header := words(xid, 1, 32, 0, 0)
	if len(returned) > 0 {
		header = append(header, words(1, uint32(len(returned)))...)
		for _, w := range returned {
			header = append(header, words(w.Handle, uint32(w.length), uint32(w.Offset>>32), uint32(w.Offset))...)
		}
	}
	header = append(header, words(0, 0, xid, 1, 0, 0, 0, 0)...)
	reply := append(header, results...)
	if chunks := append(reads, writes...); len(chunks) > 0 && s.private[5]&1 != 0 {
		s.invalidated++
		err = s.SendInvalidate(9, reply, chunks[0].Handle)
	} else {
		err = s.Send(9, reply)
	}
	if err != nil {
		return err
	}
	return s.done(ctx)
}

// next takes a completion. A call waits for its turn.
func (s *nfsd) next(ctx context.Context) (transport.Completion, error) {
	done, err := s.Next(ctx)
	if err == nil && done.Operation == transport.OpReceive {
		s.waiting = append(s.waiting, bytes.Clone(done.Message))
		err = s.Repost(done)
	}
	return done, errors.Join(err, done.Err)
}

// done waits for what was published last.
func (s *nfsd) done(ctx context.Context) error {
	for {
		if done, err := s.next(ctx); err != nil || done.Operation != transport.OpReceive {
			return err
		}
	}
}

const ok, fileSize = 0, 100000

// attributes are those of the file, or of the directory that it is in.
func (s *nfsd) attributes(file bool) []byte {
	kind, mode, size, id := uint32(2), uint32(0o755), uint32(4096), uint32(2)
	if file {
		kind, mode, size, id = 1, 0o644, fileSize, 3
	}
	return words(kind, mode, 1, 0, 0, 0, size, 0, size, 0, 0, 0, 77, 0, id, 1000, 0, 1000, 0, 1000, 0)
}

// results are those of a procedure, and its Write chunk as it was used.
func (s *nfsd) results(ctx context.Context, procedure uint32, c cursor, reads, writes []segment) (_ []byte, used []segment, err error) {
	handle := []byte("the file")
	isFile := procedure != 0 && bytes.Equal(bytes.Clone(c[4:min(len(c), 12)]), handle)
	switch procedure {
	case 0:
		return nil, nil, nil
	case 1: // GETATTR
		return append(words(ok), s.attributes(isFile)...), nil, nil
	case 3: // LOOKUP
		c.opaque()
		if string(c.opaque()) != "file" {
			return words(2, 0), nil, nil
		}
		return append(append(append(words(ok, 8), handle...), words(1)...), append(s.attributes(true), words(0)...)...), nil, nil
	case 4: // ACCESS
		c.opaque()
		return words(ok, 0, c.word()), nil, nil
	case 6: // READ
		c.opaque()
		from := int(c.quad())
		count := min(int(c.word()), fileSize-from)
		used, err = s.push(ctx, s.file[from:from+count], writes)
		eof := uint32(0)
		if from+count == fileSize {
			eof = 1
		}
		// Linux takes the attributes for granted: without them it shifts the data.
		return append(append(words(ok, 1), s.attributes(true)...), words(uint32(count), eof, uint32(count))...), used, err
	case 7: // WRITE
		c.opaque()
		to, count := int(c.quad()), c.word()
		if len(reads) == 0 {
			c.word()
			copy(s.file[to:], c.opaque())
		} else if err := s.pull(ctx, s.file[to:to+int(count)], reads); err != nil {
			return nil, nil, err
		}
		return words(ok, 0, 0, count, 2, 1, 2), nil, nil
	case 18: // FSSTAT
		return words(ok, 0, 0, 1<<30, 0, 1<<30, 0, 1<<30, 0, 10, 0, 10, 0, 10, 0), nil, nil
	case 19: // FSINFO
		return words(ok, 0, 65536, 65536, 4096, 65536, 65536, 4096, 4096, 0, 1<<30, 0, 1, 0x1b), nil, nil
	case 20: // PATHCONF
		return words(ok, 0, 32, 255, 1, 1, 0, 1), nil, nil
	case 21: // COMMIT
		return words(ok, 0, 0, 1, 2), nil, nil
	}
	return nil, nil, fmt.Errorf("a call of procedure %d, which this server has not", procedure)
}

// push writes data into the segments of a Write chunk.
func (s *nfsd) push(ctx context.Context, data []byte, into []segment) (used []segment, err error) {
	if len(into) == 0 {
		return nil, errors.New("a READ without a Write chunk")
	}
	memory, err := s.Register(len(data), transport.Registration{})
	if err != nil {
		return nil, err
	}
	copy(memory.Bytes(), data)
	at := 0
	for _, w := range into {
		w.length = min(w.length, len(data)-at)
		if w.length > 0 {
			s.wrote++
			if err := s.Write(8, transport.Range{Region: memory, At: at, Length: w.length}, w.Remote); err != nil {
				return nil, err
			}
			if err := s.done(ctx); err != nil {
				return nil, err
			}
		}
		at += w.length
		used = append(used, w)
	}
	return used, memory.Close()
}

// pull reads the segments of a Read chunk.
func (s *nfsd) pull(ctx context.Context, data []byte, from []segment) error {
	memory, err := s.Register((len(data)+3)&^3, transport.Registration{Access: transport.Sink})
	if err != nil {
		return err
	}
	at := 0
	for _, r := range from {
		s.read++
		if err := s.Read(8, transport.Range{Region: memory, At: at, Length: r.length}, r.Remote); err != nil {
			return err
		}
		if err := s.done(ctx); err != nil {
			return err
		}
		at += r.length
	}
	copy(data, memory.Bytes())
	return memory.Close()
}
