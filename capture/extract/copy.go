package extract

import (
	"crypto/sha256"
	"errors"
	"io"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/pcapng"
)

// A Choice is what is to be copied.
type Choice struct {
	Frames *Set
	// Lengths says of which frames only the first bytes are copied; nil for none.
	Lengths *Lengths
	// Gaps are the frames after others of their sender that are not copied: 1, or for a segment of
	// TCP in which an FPDU is known to begin, two more than its offset in what that carries.
	Gaps *Lengths
	// Rewrite returns what is written instead of the bytes of a frame, as many; nil if all are
	// copied as they are. Of options then only those that say nothing of the host
	// or of what frames carry are copied.
	Rewrite func(f *capture.Frame) []byte
	// Comment is on the whole file, Program what writes it.
	Comment, Program string
}

// A Result is what was copied.
type Result struct {
	// Frames is how many frames were copied, of All that the captures have.
	Frames, All int64
	// LeftOut is how many bytes of those frames were left out, of Shortened of them.
	LeftOut, Shortened int64
	// Fault is what was wrong with reading the captures, nil if nothing was.
	Fault error
}

// Copy copies frames of captures, of which nothing was read so far, to w. An error is one of
// writing.
func Copy(w io.Writer, files []*capture.File, c Choice) (Result, error) {
	x := &copier{w: w, choice: c, ports: make(map[port]uint32), known: make(map[described]uint32), missed: make(map[int32]bool)}
	x.block = pcapng.AppendHeader(x.block, le, c.Comment, c.Program)
	x.write()
	sources := make([]capture.Source, len(files))
	for i, f := range files {
		sources[i] = f
		f.OnInterface(x.describe)
	}
	merged := capture.Merge(sources)
	var f capture.Frame
	for x.failed == nil {
		err := merged.Next(&f)
		if err == io.EOF {
			break
		}
		if err != nil {
			x.result.Fault = errors.Join(x.result.Fault, err)
			continue
		}
		x.frame(&f, files)
	}
	return x.result, x.failed
}

// maxInterfaces is how many interfaces a section may have for package capture.
const maxInterfaces = 1 << 16

var errInterfaces = errors.New("the captures have more than 65536 interfaces, too many for one file")

// A copier copies frames.
type copier struct {
	w      io.Writer
	choice Choice
	// ports are the numbers in the copy of the interfaces of the captures, known those by what
	// describes them: sections that follow one another in a file mostly describe the same.
	ports map[port]uint32
	known map[described]uint32
	// missed are the files of which frames were passed over before which others were dropped.
	missed  map[int32]bool
	comment []byte
	block   []byte // what is being made
	result  Result
	failed  error
}

// A port is an interface of the section of a file that is being read.
type port struct {
	file   int32
	number uint16
}

// A described is an interface by its block.
type described struct {
	file int
	sum  [sha256.Size]byte
}

// write writes the block that was made.
func (x *copier) write() {
	if x.failed == nil {
		_, x.failed = x.w.Write(x.block)
	}
	x.block = x.block[:0]
}

// describe describes an interface, unless that was done.
func (x *copier) describe(in capture.Interface) {
	x.block = pcapng.BeginInterfaceAs(x.block, le, uint16(in.Link), in.Snaplen)
	x.block = appendOptions(x.block, in.Options, in.Order, x.shapes(ofInterface, plainOfInterface))
	x.block = pcapng.End(pcapng.EndOptions(x.block, le), le, 0)
	at := port{int32(in.File), in.Number}
	block := described{in.File, sha256.Sum256(x.block)}
	if id, known := x.known[block]; known {
		x.ports[at] = id
		x.block = x.block[:0]
		return
	}
	if len(x.known) == maxInterfaces {
		x.failed = errInterfaces
		return
	}
	id := uint32(len(x.known))
	x.known[block], x.ports[at] = id, id
	x.write()
}

// frame takes the next frame.
func (x *copier) frame(f *capture.Frame, files []*capture.File) {
	x.result.All++
	if !x.choice.Frames.Has(int(f.File), f.Number) {
		if f.Dropped() {
			x.missed[f.File] = true
		}
		return
	}
	rec := x.file(f.File, files).Record(f)
	data := f.Data
	if x.choice.Rewrite != nil {
		data = x.choice.Rewrite(f)
	}
	if l := x.choice.Lengths; l != nil {
		if n := l.Of(int(f.File), f.Number); n > 0 && n < len(data) {
			x.result.LeftOut += int64(len(data) - n)
			x.result.Shortened++
			data = data[:n]
		}
	}
	x.block = pcapng.BeginPacket(x.block, le, pcapng.Packet{
		Interface: x.ports[port{f.File, f.Interface}], Length: max(rec.Length, uint32(len(data))), Ticks: rec.Ticks,
	}, data)
	plain := len(x.block)
	if rec.Old && rec.Drops != unknownDrops {
		x.block = pcapng.AppendCount(x.block, le, pcapng.DropCount, uint64(rec.Drops))
	}
	x.block = appendOptions(x.block, rec.Options, rec.Order, x.shapes(ofPacket, plainOfPacket))
	if n := x.choice.Gaps.Of(int(f.File), f.Number); n > 0 && !f.LeftOut() || f.LeftOut() && x.choice.Rewrite != nil {
		begins := n - 2
		if f.LeftOut() {
			begins = f.Begins()
		}
		x.comment = capture.AppendLeftOut(x.comment[:0], begins)
		x.block = pcapng.AppendOption(x.block, le, pcapng.Comment, x.comment)
	}
	if x.missed[f.File] && !f.Dropped() || x.choice.Rewrite != nil && f.Dropped() {
		x.block = pcapng.AppendText(x.block, le, pcapng.Comment, capture.DropComment)
	}
	delete(x.missed, f.File)
	if len(x.block) > plain {
		x.block = pcapng.EndOptions(x.block, le)
	}
	x.block = pcapng.End(x.block, le, 0)
	x.write()
	x.result.Frames++
}

// shapes are the options that are copied, if all are and if only plain ones are.
func (x *copier) shapes(all, plain func(code uint16) shape) shapes {
	if x.choice.Rewrite != nil {
		return shapes{of: plain, known: true}
	}
	return shapes{of: all}
}

// unknownDrops is the count of drops of a Packet Block that does not know it.
const unknownDrops = 1<<16 - 1

// file is the file with an index.
func (x *copier) file(index int32, files []*capture.File) *capture.File {
	if len(files) == 1 {
		return files[0]
	}
	for _, f := range files {
		if f.Index() == int(index) {
			return f
		}
	}
	return nil // which gave the frame
}
