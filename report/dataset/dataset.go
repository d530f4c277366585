package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
)

// Options say what is written, and where.
type Options struct {
	Wanted
	// Dir is the folder of the datasets, Host the name of the machine at which was captured.
	Dir, Host string
	// Names and Sizes, in bytes, are those of the captures: see Capture.
	Names []string
	Sizes []int64
	// Rights are those of the files, Program what they say wrote them.
	Rights  fs.FileMode
	Program string
	// Roll limits files, nil for one of each dataset.
	Roll *Roll
}

// A Roll has other files begun where those that are written have so many bytes together, or were
// begun so long ago by the times of frames, and when a day ends, in UTC.
type Roll struct {
	Size  int64
	Every time.Duration
}

// A Dataset writes one file of each dataset that is wanted. It takes what its Form writes.
type Dataset struct {
	o       Options
	starts  int64 // when the captures begin, in nanoseconds since 1970
	now     int64 // the newest frame of which all was written
	begun   int64 // when the files do
	files   int   // of each dataset, that are whole
	tables  []*table
	byTag   [frameRow + 1]int // of the tables of rows, or -1
	finding int
	conn    int
	records *jsonRow
	opened  bool

	// Rows go to work, and what has room for others comes back by free.
	work, free chan []byte
	done       sync.WaitGroup
	mutex      sync.Mutex
	err        error
}

// New returns a Dataset, which makes no file before there is something to write.
func New(o Options) *Dataset {
	d := &Dataset{o: o, records: newJSONRow(), finding: -1, conn: -1}
	for i := range d.byTag {
		d.byTag[i] = -1
	}
	add := func(want bool, name string, fields func() []*node, at *int) {
		if want {
			*at = len(d.tables)
			d.tables = append(d.tables, newTable(name, fields()))
		}
	}
	add(o.RPCs, "rpcs", rpcColumns, &d.byTag[rpcRow])
	add(o.Messages, "messages", messageColumns, &d.byTag[messageRow])
	add(o.Findings, "findings", findingColumns, &d.finding)
	add(o.Connections, "connections", connectionColumns, &d.conn)
	add(o.Frames, "frames", frameColumns, &d.byTag[frameRow])
	return d
}

// Starts is told when the captures begin, in nanoseconds since 1970.
func (d *Dataset) Starts(ns int64) {
	if d.starts == 0 {
		d.starts = ns
	}
}

// Reached is told that all was written of the frames up to the newest one of a time in nanoseconds
// since 1970.
func (d *Dataset) Reached(ns int64) { d.now = max(d.now, ns) }

// View has Reached told.
func (d *Dataset) View() check.View { return check.View{Reached: d.Reached} }

// Form is the form in which shards write rows and records of captures.
func (d *Dataset) Form() draft.Form {
	return d.form(record.NewFindings(d, false, d.shown()))
}

// Live is the form in which they do while traffic runs: findings are written as soon as they are
// reported, and again when they are final.
func (d *Dataset) Live() draft.Form { return d.form(record.NewLive(d, d.shown())) }

func (d *Dataset) shown() listing.Options { return listing.Options{Files: len(d.o.Names)} }

// form adds the rows to a form of records.
func (d *Dataset) form(f draft.Form) draft.Form {
	shard := f.Shard
	f.Shard = func(by *dissect.Dissector) (draft.Form, *draft.Part) {
		f, part := shard(by)
		part.Out = newRows(d.o.Wanted, len(d.o.Names), part.B, part.Rows.Leave)
		f.Rows = part.Out
		return f, part
	}
	return f
}

// Capture is the name of the captures in the datasets, and of the files: that of the first, and
// eight digits that other captures hardly have. The same captures have the same name again: what was
// written of them before is replaced.
func (d *Dataset) Capture() string {
	sum := sha256.New()
	for i, name := range d.o.Names {
		fmt.Fprintf(sum, "%s\x00%d\x00", filepath.Base(name), d.o.Sizes[i])
	}
	fmt.Fprintf(sum, "%s\x00%d", d.o.Host, d.starts)
	base := filepath.Base(d.o.Names[0])
	if base == "-" {
		base = "stdin"
	}
	for _, ext := range []string{".zst", ".gz", ".pcapng", ".pcap", ".cap"} {
		base = strings.TrimSuffix(base, ext)
	}
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, strings.TrimLeft(base, "."))
	return plain[:min(len(plain), 100)] + "-" + hex.EncodeToString(sum.Sum(nil)[:4])
}

// path is that of a file: of several of a capture each has a number.
func (d *Dataset) path(t *table) string {
	name, day := d.Capture(), d.starts
	if d.o.Roll != nil {
		name, day = fmt.Sprintf("%s-%04d", name, d.files+1), d.begun
	}
	return filepath.Join(d.o.Dir, t.name, "host="+d.o.Host, "date="+date(day), name+".parquet")
}

// date is the day of a time, in UTC; 1970-01-01 if there is none.
func date(ns int64) string { return time.Unix(0, ns).UTC().Format(time.DateOnly) }

// ahead is how many pieces of rows may wait to be written, each of what package record flushes.
const ahead = 4

// Opened reports whether there was something to write.
func (d *Dataset) Opened() bool { return d.opened }

// Counts are the rows of each dataset, in words: "586 rpcs, 24 findings". They are to be asked for
// after Close.
func (d *Dataset) Counts() string {
	var list []string
	for _, t := range d.tables {
		list = append(list, fmt.Sprintf("%d %s", t.rows, t.name))
	}
	if d.o.Roll != nil {
		list = append(list, fmt.Sprintf("in %s of each", field.Counted(d.files, "file")))
	}
	return strings.Join(list, ", ")
}

// open makes the files, and begins what writes them.
func (d *Dataset) open() error {
	d.opened, d.begun = true, max(d.starts, d.now)
	for _, t := range d.tables {
		if err := t.create(d.path(t), d.o.Rights, d.o.Program); err != nil {
			return err
		}
	}
	if d.work != nil {
		return nil
	}
	d.work, d.free = make(chan []byte, ahead), make(chan []byte, ahead)
	for range ahead {
		d.free <- nil
	}
	d.done.Go(d.run)
	return nil
}

// run puts rows into columns, and writes these. One goroutine does both, a few rows at a time, as the
// columns are in its processor's cache then.
func (d *Dataset) run() {
	b := newBatch(d.tables)
	for rows := range d.work {
		for rest := rows; len(rest) > 0 && d.Err() == nil; {
			var err error
			if rest, err = d.sort(b, rest); err == nil {
				err = d.write(b)
			}
			if err != nil {
				d.fail(err)
			}
		}
		d.free <- rows[:0]
	}
}

// write writes a batch.
func (d *Dataset) write(b *batch) error {
	for i, t := range d.tables {
		if err := t.write(b.values[i], b.rows[i], b.sizes[i]); err != nil {
			return err
		}
	}
	b.reset()
	return nil
}

func (d *Dataset) fail(err error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.err == nil {
		d.err = err
	}
}

// Err is the first error of writing.
func (d *Dataset) Err() error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.err
}

// Write implements io.Writer for the form: p has whole rows and records.
func (d *Dataset) Write(p []byte) (n int, err error) {
	if !d.opened {
		if err := d.open(); err != nil {
			d.fail(err)
			return 0, err
		}
	}
	if err := d.Err(); err != nil {
		return 0, err
	}
	d.work <- append(<-d.free, p...)
	if d.full() {
		if err := d.turn(); err != nil {
			d.fail(err)
			return 0, err
		}
	}
	return len(p), nil
}

// full reports whether other files are to be begun.
func (d *Dataset) full() bool {
	if d.o.Roll == nil {
		return false
	}
	size := int64(0)
	for _, t := range d.tables {
		size += t.size.Load()
	}
	return size >= d.o.Roll.Size || d.now-d.begun >= int64(d.o.Roll.Every) || date(d.now) > date(d.begun)
}

// turn ends the files. The next rows begin others.
func (d *Dataset) turn() error {
	idle := make([][]byte, ahead)
	for i := range idle {
		idle[i] = <-d.free // all that was handed over is written
	}
	for _, room := range idle {
		d.free <- room
	}
	d.opened = false
	if err := d.Err(); err != nil {
		return err
	}
	for _, t := range d.tables {
		if err := t.close(true); err != nil {
			return err
		}
	}
	d.files++
	return nil
}

// sort puts rows into the columns of a batch until it is full, and returns those after them.
func (d *Dataset) sort(b *batch, rows []byte) (rest []byte, err error) {
	capture := parquet.ByteArrayValue([]byte(d.Capture())).Level(0, 1, 0)
	into := func(at int, row []byte) (rest []byte, err error) {
		x := decoder{b: row, to: b.values[at]}
		x.to[0] = append(x.to[0], capture)
		x.fields(d.tables[at].fields[1:], 0)
		b.rows[at]++
		b.sizes[at] += len(row) - len(x.b)
		b.count++
		if x.bad {
			return nil, errRow
		}
		return x.b, nil
	}
	for rest = rows; len(rest) > 0 && b.count < batchRows; {
		if tag := rest[0]; tag <= frameRow {
			if d.byTag[tag] < 0 {
				return nil, errRow
			}
			if rest, err = into(d.byTag[tag], rest[1:]); err != nil {
				return nil, err
			}
			continue
		}
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			return nil, errRow
		}
		if err := d.record(rest[:end], into); err != nil {
			return nil, err
		}
		rest = rest[end:]
	}
	return rest, nil
}

// record makes a row of a record in JSON, if it is one of a dataset that is wanted.
func (d *Dataset) record(line []byte, into func(at int, row []byte) ([]byte, error)) error {
	if d.finding < 0 && d.conn < 0 {
		return nil
	}
	var findings, connections []*node
	if d.finding >= 0 {
		findings = d.tables[d.finding].fields
	}
	if d.conn >= 0 {
		connections = d.tables[d.conn].fields
	}
	which, err := d.records.take(line, findings, connections)
	if err != nil {
		return err
	}
	at := map[string]int{"finding": d.finding, "connection": d.conn}
	if i, ok := at[which]; ok && i >= 0 {
		// The row may be written over before the batch is.
		_, err = into(i, bytes.Clone(d.records.buf))
	}
	return err
}

// Close ends the files: they are there if they are to be, and otherwise none is.
func (d *Dataset) Close(commit bool) error {
	if !d.opened && commit && d.files == 0 {
		if err := d.open(); err != nil {
			d.fail(err)
		}
	}
	if d.work != nil {
		close(d.work)
		d.done.Wait()
	}
	commit = commit && d.Err() == nil
	for _, t := range d.tables {
		if err := t.close(commit); err != nil {
			d.fail(err)
			commit = false
		}
	}
	if d.opened && commit {
		d.files++
	}
	return d.Err()
}
