package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// A kind is a type of the JSON contract: it says what is wrong with a value.
type kind func(v any) error

func integer(v any) error {
	n, ok := v.(json.Number)
	if !ok {
		return fmt.Errorf("%v is no number", v)
	}
	if _, err := n.Int64(); err != nil {
		return fmt.Errorf("%v is no integer", v)
	}
	return nil
}

func number(v any) error {
	if _, ok := v.(json.Number); !ok {
		return fmt.Errorf("%v is no number", v)
	}
	return nil
}

func boolean(v any) error {
	if _, ok := v.(bool); !ok {
		return fmt.Errorf("%v is neither true nor false", v)
	}
	return nil
}

func text(v any) error {
	if _, ok := v.(string); !ok {
		return fmt.Errorf("%v is no string", v)
	}
	return nil
}

func matching(pattern string) kind {
	re := regexp.MustCompile(`^(?:` + pattern + `)$`)
	return func(v any) error {
		if s, ok := v.(string); !ok || !re.MatchString(s) {
			return fmt.Errorf("%v does not match %s", v, re)
		}
		return nil
	}
}

var (
	hex32 = matching(`0x[0-9a-f]{8}`)
	hex64 = matching(`0x[0-9a-f]{16}`)
)

// timestamp is RFC 3339 with nanoseconds, UTC.
func timestamp(v any) error {
	s, _ := v.(string)
	const layout = "2006-01-02T15:04:05.000000000Z"
	if at, err := time.Parse(layout, s); err != nil || at.Format(layout) != s {
		return fmt.Errorf("%v is no time with nanoseconds in UTC", v)
	}
	return nil
}

func oneOf(words ...string) kind {
	return func(v any) error {
		if s, ok := v.(string); !ok || !slices.Contains(words, s) {
			return fmt.Errorf("%v is none of %q", v, words)
		}
		return nil
	}
}

func nullOr(k kind) kind {
	return func(v any) error {
		if v == nil {
			return nil
		}
		return k(v)
	}
}

func listOf(k kind) kind {
	return func(v any) error {
		list, ok := v.([]any)
		if !ok {
			return fmt.Errorf("%v is no array", v)
		}
		for i, v := range list {
			if err := k(v); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	}
}

// members are those of an object, by name.
type members map[string]kind

// object has every member of must, and of others only those of may.
func object(must, may members) kind {
	return func(v any) error {
		o, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%v is no object", v)
		}
		var wrong []error
		for name := range must {
			if _, has := o[name]; !has {
				wrong = append(wrong, fmt.Errorf("%s is missing", name))
			}
		}
		for name, v := range o {
			k := must[name]
			if k == nil {
				k = may[name]
			}
			if k == nil {
				wrong = append(wrong, fmt.Errorf("%s is in no table", name))
			} else if err := k(v); err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
			}
		}
		return errors.Join(wrong...)
	}
}

// with is the members of both.
func (m members) with(more members) members {
	all := members{}
	for name, k := range m {
		all[name] = k
	}
	for name, k := range more {
		all[name] = k
	}
	return all
}
