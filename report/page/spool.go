package page

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
)

// A Kind of block says what is in it.
type Kind uint8

const (
	KindRows Kind = iota
	KindEvidence
	KindSeries
	KindWhole
	KindMeta
	kinds
)

// String is the kind as data-kind has it.
func (k Kind) String() string {
	return [...]string{"rows", "evidence", "series", "whole", "meta"}[k]
}

// A block is a run of data on its way to the page.
type block struct {
	kind         Kind
	first, count int
	// encode appends its JSON, by the goroutine that compresses; about is how long
	// that is believed to be.
	encode func(b []byte) []byte
	about  int64
	json   int64 // how long it is
	size   int64 // what it takes in the page, 0 if it was left out
}

// A spool gathers blocks in a file. They are encoded and compressed by a goroutine of
// its own, of which the caller hears with a fixed delay: what is decided by sizes is
// the same in every run.
type spool struct {
	file  io.ReadWriteSeeker
	limit int64 // of what all blocks may take
	todo  chan *block
	done  chan *block
	sent  int // that were not heard of

	used    [kinds]int64 // bytes in the page, of the blocks that were heard of
	raw     [kinds]int64 // bytes of their JSON
	pending [kinds]int64 // bytes of JSON of the blocks that were not, about
	dropped [kinds]int   // items of blocks that had no room
	kept    [kinds]int   // items of the others
	err     error        // of the goroutine, read when it has ended
}

// lag is how many blocks may be under way.
const lag = 2

func newSpool(file io.ReadWriteSeeker, limit int64) *spool {
	s := &spool{file: file, limit: limit, todo: make(chan *block, lag), done: make(chan *block, lag+1)}
	go s.work()
	return s
}

// writeBlock hands on a block. What encode uses is not to be changed any more.
func (s *spool) writeBlock(kind Kind, first, count int, about int64, encode func([]byte) []byte) {
	if s.sent == lag {
		s.takeResult()
	}
	s.sent++
	s.pending[kind] += about
	s.todo <- &block{kind: kind, first: first, count: count, about: about, encode: encode}
}

// takeResult takes what became of the oldest block under way.
func (s *spool) takeResult() {
	b := <-s.done
	s.sent--
	s.pending[b.kind] -= b.about
	if b.size == 0 {
		s.dropped[b.kind] += b.count
		return
	}
	s.kept[b.kind] += b.count
	s.used[b.kind] += b.size
	s.raw[b.kind] += b.json
}

// expect is what the blocks of a kind take with those under way and so many bytes
// of JSON more, a little more than they probably do.
func (s *spool) expect(k Kind, more int64) int64 {
	return s.used[k] + s.estimate(k, s.pending[k]+more)
}

// estimate is what bytes of JSON will take in the page.
func (s *spool) estimate(k Kind, json int64) int64 {
	if s.raw[k] == 0 {
		return json / 3
	}
	return int64(float64(json) * 1.1 * float64(s.used[k]) / float64(s.raw[k]))
}

// wait waits for what is under way.
func (s *spool) wait() error {
	for s.sent > 0 {
		s.takeResult()
	}
	close(s.todo)
	<-s.done // closed
	return s.err
}

// work compresses blocks until there are no more.
func (s *spool) work() {
	defer close(s.done)
	w := bufio.NewWriterSize(s.file, 64<<10)
	var packed bytes.Buffer
	deflate, err := flate.NewWriter(&packed, 5)
	s.err = err
	total := int64(0)
	full := false // a block of rows had no room: those after it are nothing without it
	var json []byte
	for b := range s.todo {
		if s.err == nil {
			json = b.encode(json[:0])
			b.json = int64(len(json))
			packed.Reset()
			deflate.Reset(&packed)
			_, err := deflate.Write(json)
			if err == nil {
				err = deflate.Close()
			}
			head := fmt.Sprintf("<script type=\"application/x-rdmacap\" data-kind=%q data-first=\"%d\" data-count=\"%d\">", b.kind, b.first, b.count)
			n := int64(len(head)) + int64(base64.StdEncoding.EncodedLen(packed.Len())) + int64(len(blockEnd))
			room := total+n <= s.limit && !(b.kind == KindRows && full)
			full = full || b.kind == KindRows && !room
			if err == nil && room {
				err = writeBlock(w, head, packed.Bytes())
				b.size = n
				total += n
			}
			s.err = err
		}
		b.encode = nil
		s.done <- b
	}
	if err := w.Flush(); s.err == nil {
		s.err = err
	}
}

const blockEnd = "</script>\n"

func writeBlock(w *bufio.Writer, head string, packed []byte) error {
	if _, err := w.WriteString(head); err != nil {
		return err
	}
	text := base64.NewEncoder(base64.StdEncoding, w)
	if _, err := text.Write(packed); err != nil {
		return err
	}
	if err := text.Close(); err != nil {
		return err
	}
	_, err := w.WriteString(blockEnd)
	return err
}

// copyTo writes all blocks, in their order.
func (s *spool) copyTo(w io.Writer) error {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(w, s.file)
	return err
}
