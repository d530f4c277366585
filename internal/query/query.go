package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/filter"
)

// A Level says what the rows are that are asked about.
type Level uint8

const (
	RPCs     Level = iota // RPCs: call and reply together
	Messages              // RPC-over-RDMA messages
	Frames                // captured frames
	levels
)

// words are what a user calls the levels: rows, and the word after --level.
var words = [levels]struct{ rows, flag string }{
	RPCs: {"RPCs", "rpc"}, Messages: {"messages", "message"}, Frames: {"frames", "frame"},
}

// Sets are the fields of all levels. They are not changed once they are made, so
// any number of goroutines may compile queries of them.
type Sets struct {
	// Start is to be told when the captures begin.
	Start *Start
	// Parts is to be told which frames have a part in the RPCs that a query names.
	Parts    *Parts
	sets     [levels]*filter.Set
	fields   [levels][]Field
	frames   list[*dissect.FrameView]
	messages list[*dissect.Message]
	rpcs     list[*dissect.RPC]
	texts    []text // further fields of RPCs
	hints    map[string]string
}

// NewSets makes the fields of all levels. Own are texts that describe other RPC
// programs, as dissect.NewBindings takes them.
func NewSets(own ...*types.Spec) (*Sets, error) {
	known, err := nfs.Spec()
	if err != nil {
		return nil, err
	}
	specs := append(slices.Clone(own), known)
	s := &Sets{Start: new(Start), Parts: new(Parts)}
	s.frames, s.messages, s.rpcs = frames(s.Start, s.Parts).asked(), messages(s.Start).asked(), rpcs(specs, s.Start).asked()
	s.texts = append(gathered(specs), texts(specs)...)
	rpcs := s.rpcs.fields()
	for i := range s.texts {
		rpcs = append(rpcs, s.texts[i].Field)
	}
	foreign := tsharkNames()
	s.hints = hints(foreign)
	s.fields = [levels][]Field{RPCs: rpcs, Messages: s.messages.fields(), Frames: s.frames.fields()}
	for level, fields := range s.fields {
		list := make([]filter.Field, len(fields))
		for i := range fields {
			list[i] = fields[i].Field
		}
		if s.sets[level], err = filter.NewSet(list...); err != nil {
			return nil, err
		}
		if err := aliases(s.sets[level], foreign); err != nil {
			return nil, err
		}
		s.sets[level].Elsewhere = func(name string) string { return s.elsewhere(Level(level), name) }
	}
	return s, nil
}

// Set are the fields of a level, for filters.
func (s *Sets) Set(l Level) *filter.Set { return s.sets[l] }

// Fields are the fields of a level. They must not be changed.
func (s *Sets) Fields(l Level) []Field { return s.fields[l] }

// elsewhere says of a name that is not of a level what to write instead, or which
// level has it.
func (s *Sets) elsewhere(l Level, name string) string {
	if hint := s.hints[name]; hint != "" {
		return strings.ReplaceAll(hint, " (--level "+words[l].flag+")", "")
	}
	for other, set := range s.sets {
		if _, ok := set.Lookup(name); ok && Level(other) != l {
			return fmt.Sprintf("it is of %s: add --level %s", words[other].rows, words[other].flag)
		}
	}
	return ""
}

// A Query is a compiled expression about rows of one level. It is for one
// goroutine at a time.
type Query struct {
	records
	sets   *Sets
	level  Level
	filter *filter.Filter
}

// records are the rows that are asked, one of each level.
type records struct {
	frames   record[*dissect.FrameView]
	messages record[*dissect.Message]
	rpcs     rpcRecord
}

func (s *Sets) records() records {
	return records{
		frames:   record[*dissect.FrameView]{list: s.frames},
		messages: record[*dissect.Message]{list: s.messages},
		rpcs:     rpcRecord{record: record[*dissect.RPC]{list: s.rpcs}, texts: s.texts},
	}
}

// Compile compiles an expression about rows of a level. What is wrong with it is
// a *filter.Error.
func (s *Sets) Compile(l Level, expr string) (*Query, error) {
	f, err := s.sets[l].Compile(expr)
	if err != nil {
		return nil, err
	}
	q := &Query{records: s.records(), sets: s, level: l, filter: f}
	if l == RPCs {
		q.rpcs.need(f.Fields())
	}
	return q, nil
}

// Another is the same query for another goroutine.
func (q *Query) Another() *Query {
	x, _ := q.sets.Compile(q.level, q.String()) // as it was compiled before
	return x
}

// Asks reports whether the query names a field.
func (q *Query) Asks(field string) bool {
	of := q.sets.sets[q.level].Fields()
	return slices.ContainsFunc(q.filter.Fields(), func(i int) bool { return of[i].Name == field })
}

// Keys are the fields of texts whose values the query needs: they are for
// dissect.Bindings.Ask, without which an RPC does not have them.
func (q *Query) Keys() []string { return q.rpcs.keys }

// String is the expression.
func (q *Query) String() string { return q.filter.String() }

// Frame reports whether a frame is what is asked for; never, if the query is
// about others.
func (q *Query) Frame(v *dissect.FrameView) bool {
	q.frames.row = v
	return q.level == Frames && q.filter.Match(&q.frames)
}

// Message reports whether a message is what is asked for; never, if the query is
// about others.
func (q *Query) Message(m *dissect.Message) bool {
	q.messages.row = m
	return q.level == Messages && q.filter.Match(&q.messages)
}

// RPC reports whether an RPC is what is asked for; never, if the query is about
// others.
func (q *Query) RPC(r *dissect.RPC) bool {
	q.rpcs.row = r
	return q.level == RPCs && q.filter.Match(&q.rpcs)
}
