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
}

// A Dataset writes one file of each dataset that is wanted. It takes what its Form writes.
type Dataset struct {
	o       Options
	starts  int64
	tables  []*table
	byTag   [frameRow + 1]int // of the tables of rows, or -1
	finding int
	conn    int
	records *jsonRow
	opened  bool

	work  chan *batch
	free  chan *batch
	done  sync.WaitGroup
	mutex sync.Mutex
	err   error
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

// Form is the form in which shards write rows and records.
func (d *Dataset) Form() draft.Form {
	files := len(d.o.Names)
	form := record.NewFindings(d, false, listing.Options{Files: files})
	shard := form.Shard
	form.Shard = func(by *dissect.Dissector) (draft.Form, *draft.Part) {
		f, part := shard(by)
		part.Out = newRows(d.o.Wanted, files, part.B, part.Rows.Leave)
		f.Rows = part.Out
		return f, part
	}
	return form
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

// Date is the day, in UTC, on which the captures begin; 1970-01-01 if they have no times.
func (d *Dataset) Date() string { return time.Unix(0, d.starts).UTC().Format(time.DateOnly) }

// Opened reports whether there was something to write.
func (d *Dataset) Opened() bool { return d.opened }

// Counts are the rows of each dataset, in words: "586 rpcs, 24 findings". They are to be asked for
// after Close.
func (d *Dataset) Counts() string {
	var list []string
	for _, t := range d.tables {
		list = append(list, fmt.Sprintf("%d %s", t.rows, t.name))
	}
	return strings.Join(list, ", ")
}

// open makes the files, and begins what writes them.
func (d *Dataset) open() error {
	d.opened = true
	for _, t := range d.tables {
		path := filepath.Join(d.o.Dir, t.name, "host="+d.o.Host, "date="+d.Date(), d.Capture()+".parquet")
		if err := t.create(path, d.o.Rights, d.o.Program); err != nil {
			return err
		}
	}
	const batches = 3
	d.work, d.free = make(chan *batch, batches), make(chan *batch, batches)
	for range batches {
		d.free <- newBatch(d.tables)
	}
	d.done.Go(d.run)
	return nil
}

// run writes batches.
func (d *Dataset) run() {
	for b := range d.work {
		for i, t := range d.tables {
			if err := t.write(b.values[i], b.rows[i]); err != nil {
				d.fail(err)
			}
		}
		d.free <- b
	}
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
	b := <-d.free
	b.reset()
	b.bytes = append(b.bytes, p...)
	err = d.sort(b)
	d.work <- b
	if err != nil {
		d.fail(err)
		return 0, err
	}
	return len(p), nil
}

// sort puts the rows of a batch into its columns.
func (d *Dataset) sort(b *batch) error {
	capture := parquet.ByteArrayValue([]byte(d.Capture())).Level(0, 1, 0)
	into := func(at int, row []byte) (rest []byte, err error) {
		x := decoder{b: row, to: b.values[at]}
		x.to[0] = append(x.to[0], capture)
		x.fields(d.tables[at].fields[1:], 0)
		b.rows[at]++
		if x.bad {
			return nil, errRow
		}
		return x.b, nil
	}
	for rest := b.bytes; len(rest) > 0; {
		var err error
		if tag := rest[0]; tag <= frameRow {
			if d.byTag[tag] < 0 {
				return errRow
			}
			if rest, err = into(d.byTag[tag], rest[1:]); err != nil {
				return err
			}
			continue
		}
		end := bytes.IndexByte(rest, '\n') + 1
		if end == 0 {
			return errRow
		}
		line := rest[:end]
		rest = rest[end:]
		if err := d.record(line, into); err != nil {
			return err
		}
	}
	return nil
}

// record makes a row of a record in JSON, if it is one of a dataset that is wanted.
func (d *Dataset) record(line []byte, into func(at int, row []byte) ([]byte, error)) error {
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
	if !d.opened && commit {
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
	return d.Err()
}
