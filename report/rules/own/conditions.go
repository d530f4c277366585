package own

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/rules/document"
)

// conditions are what a rule looks for.
type conditions struct {
	when *condition
	// then is what must follow within a time, or must not; nil if the rule is about what
	// when matches.
	then   *condition
	never  bool
	within time.Duration
	says   string
}

// longestWithin is how long something may take to follow: as long are events kept.
const longestWithin = time.Hour

// conditionsOf reads those of a document.
func conditionsOf(d *document.Document, sets *query.Sets) (*conditions, error) {
	c := &conditions{says: d.Title}
	for i := range d.Conditions {
		if err := c.read(d, &d.Conditions[i], sets); err != nil {
			return nil, err
		}
	}
	if c.when == nil {
		return nil, &document.Error{File: d.File, Line: 1, Reason: "the head has no when: when rpc, when message, when frame or when connection"}
	}
	if c.then != nil && c.when.level == connections {
		return nil, &document.Error{File: d.File, Line: 1, Reason: "nothing can follow a connection: start with one of its messages"}
	}
	return c, nil
}

// read reads one entry.
func (c *conditions) read(d *document.Document, e *document.Entry, sets *query.Sets) (err error) {
	wrong := func(format string, args ...any) error {
		return &document.Error{File: d.File, Line: e.Line, Column: 1, Reason: fmt.Sprintf(format, args...)}
	}
	if e.Key == "says" {
		c.says = e.Value
		return nil
	}
	rest, when := strings.CutPrefix(e.Key, "when ")
	rest, never := strings.CutPrefix(rest, "must not follow ")
	rest, then := strings.CutPrefix(rest, "must follow ")
	switch {
	case when && c.when != nil:
		return wrong("a rule can have only one when")
	case when:
		c.when, err = compile(d, e, rest, sets)
		return err
	case !never && !then:
		return wrong("unknown key %q", e.Key)
	case c.then != nil:
		return wrong("a rule can have only one must")
	}
	level, within, ok := strings.Cut(rest, " within ")
	c.within, err = time.ParseDuration(within)
	if !ok || err != nil || c.within <= 0 || c.within > longestWithin {
		return wrong("write it as: must follow rpc within 5s: ..., with a time of at most an hour")
	}
	if level == "connection" {
		return wrong("only an rpc, a message or a frame of the same connection can follow")
	}
	c.never = never
	c.then, err = compile(d, e, level, sets)
	return err
}

// compile compiles the filter of an entry about rows of a level.
func compile(d *document.Document, e *document.Entry, name string, sets *query.Sets) (*condition, error) {
	level, ok := levelOf(name)
	if !ok {
		return nil, &document.Error{File: d.File, Line: e.Line, Column: 1, Reason: fmt.Sprintf("%q is not one of rpc, message, frame and connection", name)}
	}
	c, err := newCondition(level, e.Value, sets)
	var f *filter.Error
	if errors.As(err, &f) {
		line, column := e.At(f.Offset)
		reason := f.Reason
		if f.Hint != "" {
			reason += "; " + f.Hint
		}
		return nil, &document.Error{File: d.File, Line: line, Column: column, Reason: reason}
	}
	if err == nil && c.numbered {
		return nil, &document.Error{File: d.File, Line: e.Line, Column: e.Column, Reason: "connections get their numbers only at the end: a rule cannot use them"}
	}
	return c, err
}
