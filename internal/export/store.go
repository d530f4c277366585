package export

import (
	"io/fs"
	"os"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/newfile"
)

// Limits of what is kept open and in memory.
const (
	maxOpen    = 64      // files at once
	maxObjects = 1 << 18 // all in all
	maxPieces  = 1 << 22 // ranges of all objects
)

// An objectKey names an object.
type objectKey struct {
	fileKey
	direction string
}

// A store has the objects.
type store struct {
	dir     string
	rights  fs.FileMode // of files, before the umask
	objects []*object   // in the order of their numbers, by file
	byKey   map[objectKey]*object
	numbers map[fileKey]int
	open    []*object // the ones with a file, the oldest first
	pieces  int
}

// object is the one with a key, its file open; nil if there are too many.
func (s *store) object(k objectKey, connection int) (*object, error) {
	o := s.byKey[k]
	if o == nil {
		if len(s.objects) == maxObjects {
			return nil, nil
		}
		number := s.numbers[k.fileKey]
		if number == 0 {
			number = len(s.numbers) + 1
			s.numbers[k.fileKey] = number
		}
		o = &object{key: k.fileKey, direction: k.direction, number: number, connection: connection}
		s.byKey[k] = o
		s.objects = append(s.objects, o)
		return o, s.reopen(o, os.O_CREATE|os.O_EXCL)
	}
	if o.file == nil {
		return o, s.reopen(o, 0)
	}
	return o, nil
}

// reopen opens an object's file, and closes that which is open for longest.
func (s *store) reopen(o *object, flags int) (err error) {
	if len(s.open) == maxOpen {
		oldest := s.open[0]
		s.open = append(s.open[:0], s.open[1:]...)
		err, oldest.file = oldest.file.Close(), nil
		if err != nil {
			return err
		}
	}
	if o.file, err = os.OpenFile(o.path(s.dir), os.O_RDWR|flags|newfile.NoFollow, s.rights); err != nil {
		return err
	}
	s.open = append(s.open, o)
	return nil
}

// apply puts a move into an object: what was captured of its data, and what
// was not.
func (s *store) apply(o *object, r *dissect.RPC, t *move, spool *spool) error {
	had := o.known.pieces
	defer func() { s.pieces += o.known.pieces - had }()
	switch {
	case t.kind == hole:
		return o.zero(t.offset, t.length, hole)
	case t.at == nil:
		return o.zero(t.offset, t.length, lost)
	case t.at.Chunk < 0:
		return o.writeAt(t.offset, t.body.Bytes[t.at.Offset:][:t.length])
	}
	done := uint64(0) // bytes of the move
	for _, p := range pieces(r, t) {
		if err := o.zero(t.offset+done, p.at-done, lost); err != nil {
			return err
		}
		done = p.at
		err := spool.get(r, p.segment.Purpose, p.segment.Chunk, p.start, p.end, func(n uint64, content []byte) error {
			defer func() { done += n }()
			if content == nil {
				return o.zero(t.offset+done, n, lost)
			}
			return o.writeAt(t.offset+done, content)
		})
		if err != nil {
			return err
		}
	}
	return o.zero(t.offset+done, t.length-done, lost)
}

// A piece of an item is what was captured of it without a gap.
type piece struct {
	at         uint64 // of its first byte in the item
	start, end uint64 // in the chunk
	segment    *rpcrdma.Region
}

// pieces are the captured parts of the first bytes of an item that travelled in
// a chunk, in order. A responder that writes may leave a segment unfilled and
// go on in the next: the returned lengths tell.
func pieces(r *dissect.RPC, t *move) (list []piece) {
	chunk, purpose := int(t.at.Chunk), rpcrdma.ForRead
	var returned []rpcrdma.Segment
	if t.direction == directionRead {
		purpose = rpcrdma.ForWrite
		h := &r.Reply.Header
		returned = h.ChunkSegments(h.Writes[chunk])
	} else if _, long := r.Call.Header.PositionZero(); long {
		chunk++ // the message itself is the first
	}
	at := uint64(0)
	for i := range r.Offer.Regions {
		s := &r.Offer.Regions[i]
		if s.Purpose != purpose || s.Chunk != chunk {
			continue
		}
		length := uint64(s.Length)
		if purpose == rpcrdma.ForWrite {
			if len(returned) == 0 {
				break
			}
			length, returned = min(length, uint64(returned[0].Length)), returned[1:]
		}
		length = min(length, t.length-at)
		for _, seen := range s.Seen {
			if end := min(seen.End, length); seen.Start < end {
				list = append(list, piece{at + seen.Start, s.Start + seen.Start, s.Start + end, s})
			}
		}
		at += length
	}
	return list
}
