package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An expectation is a line of the file.
type expectation struct {
	at   place
	verb string
	// rules are those that finds, errors and names name (all but the first of names are permitted), and those
	// that certain and own leave out; capture and number are those of finds, certain and own; most and others are those of takes.
	rules   []string
	capture string
	number  int
	role    string // of own
	most    time.Duration
	others  []place
}

func (e *expectation) parse(words []string) (err error) {
	if len(words) < 3 {
		return errors.New("a line has a transport, a port and what is expected")
	}
	transport, is := map[string]string{"rxe": "RoCEv2", "siw": "iWARP"}[words[0]]
	if !is {
		return errors.New("the transport is rxe or siw")
	}
	e.at.transport, e.verb, e.rules = transport, words[2], words[3:]
	if e.at.port, err = strconv.Atoi(words[1]); err != nil {
		return err
	}
	switch {
	case e.verb == "finds" && len(e.rules) == 3 && e.rules[1] == "as":
		e.capture, e.number = e.rules[2], 1
		return nil
	case e.verb == "names" && len(e.rules) == 1, e.verb == "errors":
		return nil
	case e.verb == "names" && len(e.rules) > 2 && e.rules[1] == "but":
		e.rules = slices.Delete(e.rules, 1, 2)
		return nil
	case e.verb == "certain" && (len(e.rules) == 2 || len(e.rules) > 3 && e.rules[2] == "but"):
		e.capture = e.rules[0]
		e.number, err = strconv.Atoi(e.rules[1])
		e.rules = e.rules[min(3, len(e.rules)):]
		return err
	case e.verb == "own" && len(e.rules) > 0 && (e.rules[0] == "client" || e.rules[0] == "server"):
		return e.parseOwn(e.rules[1:])
	case e.verb == "takes" && len(e.rules) > 0:
		most, err := strconv.Atoi(e.rules[0])
		e.most = time.Duration(most) * time.Microsecond
		for _, word := range e.rules[1:] {
			port, notNumber := strconv.Atoi(word)
			e.others = append(e.others, place{transport, port})
			err = errors.Join(err, notNumber)
		}
		return err
	}
	return errors.New("what is expected is finds RULE as CAPTURE, errors RULE..., names RULE [but RULE...], certain CAPTURE NUMBER [but RULE...], own client|server [as CAPTURE NUMBER] [but RULE...] or takes MICROSECONDS [PORT...]")
}

// parseOwn reads what follows the role of own.
func (e *expectation) parseOwn(words []string) (err error) {
	e.role, e.rules = e.rules[0], nil
	if len(words) > 2 && words[0] == "as" {
		e.capture = words[1]
		if e.number, err = strconv.Atoi(words[2]); err != nil {
			return err
		}
		words = words[3:]
	}
	switch {
	case len(words) > 1 && words[0] == "but":
		e.rules = words[1:]
	case len(words) > 0:
		return fmt.Errorf("nothing is expected by %q", words[0])
	}
	return nil
}

// differs says what of the connections to a place is not as expected, "" if all is. Of several the last
// one counts, but what an end of our own sends counts of all.
func (e *expectation) differs(program, folder string, all []*connection) (string, error) {
	c := all[len(all)-1]
	switch e.verb {
	case "own":
		return e.faults(program, folder, all)
	case "finds":
		return e.repeats(program, folder, c)
	case "errors":
		roots := c.rules(func(f finding) bool { return f.Severity == "error" && f.CausedBy == nil })
		if slices.Equal(roots, slices.Sorted(slices.Values(e.rules))) {
			return "", nil
		}
		return fmt.Sprintf("errors that nothing explains are %v", roots), nil
	case "names":
		return c.named(e.rules[0], e.rules[1:]), nil
	case "takes":
		whole, err := took(program, folder, append(e.others, e.at))
		fmt.Printf("%v from the first call to the last reply, %.2f of what is allowed\n", whole.Round(10*time.Microsecond), float64(whole)/float64(e.most))
		if err != nil || whole <= e.most {
			return "", err
		}
		return fmt.Sprintf("it took %v", whole), nil
	}
	original, err := e.original(program, folder)
	if err != nil {
		return "", err
	}
	was := append(original.rules(func(finding) bool { return true }), e.rules...)
	isCertain := func(f finding) bool { return f.Certainty == "certain" && f.Severity != "note" }
	more := slices.DeleteFunc(c.rules(isCertain), func(rule string) bool { return slices.Contains(was, rule) })
	if len(more) > 0 {
		return fmt.Sprintf("certain is %v as well", more), nil
	}
	return "", nil
}

// reportedByReply are the rules that tell by a reply what is wrong with the call.
var reportedByReply = [...]string{"HDR-014", "RPC-005"}

// faults says which findings are about what our own end sent, and not in the capture that it replays, "" if
// there are none.
func (e *expectation) faults(program, folder string, all []*connection) (string, error) {
	permitted := append(e.rules, reportedByReply[:]...)
	if e.capture != "" {
		original, err := e.original(program, folder)
		if err != nil {
			return "", err
		}
		permitted = append(permitted, original.rules(func(finding) bool { return true })...)
	}
	direction := map[string]string{"client": "to_server", "server": "to_client"}[e.role]
	var found []string
	for _, c := range all {
		found = append(found, c.rules(func(f finding) bool {
			return f.Severity != "note" && f.Direction == direction && !slices.Contains(permitted, f.Rule)
		})...)
	}
	if len(found) == 0 {
		return "", nil
	}
	return fmt.Sprintf("found about what our own end sent is %v", found), nil
}

// original is the connection of the capture that was replayed.
func (e *expectation) original(program, folder string) (*connection, error) {
	captured, err := check(program, filepath.Join(folder, e.capture))
	if err != nil {
		return nil, err
	}
	if c, is := captured.byNumber[e.number]; is {
		return c, nil
	}
	return nil, fmt.Errorf("%s has no connection %d", e.capture, e.number)
}

// families are those of rules about messages, which a replay repeats.
var families = [...]string{"HDR", "DDP", "CREDIT", "THRESH", "ULB", "INV", "RPC", "V2", "XCHAR"}

// repeats says what is found about messages and was not in the capture, or was and is not, "" if it is the
// same, with the rule that is looked for. What is only likely depends on time, which is another.
func (e *expectation) repeats(program, folder string, c *connection) (string, error) {
	original, err := e.original(program, folder)
	if err != nil {
		return "", err
	}
	counts := func(f finding) bool {
		family, _, _ := strings.Cut(f.Rule, "-")
		return slices.Contains(families[:], family) && f.Certainty == "certain" || strings.HasPrefix(f.Rule, e.rules[0])
	}
	was, is := original.rules(counts), c.rules(counts)
	if slices.Equal(was, is) && slices.ContainsFunc(is, func(rule string) bool { return strings.HasPrefix(rule, e.rules[0]) }) {
		return "", nil
	}
	return fmt.Sprintf("found is %v, and in the capture %v", is, was), nil
}

// named says which errors have nothing to do with what a rule finds, apart from those of
// permitted rules, "" if all have.
func (c *connection) named(rule string, permitted []string) string {
	var named []finding
	for _, f := range c.findings {
		if f.Rule == rule {
			named = append(named, f)
		}
	}
	others := c.rules(func(f finding) bool {
		return f.Severity == "error" && !slices.Contains(permitted, f.Rule) && !slices.ContainsFunc(named, func(n finding) bool { return c.explains(n, f) || c.explains(f, n) })
	})
	if len(named) == 0 || len(others) > 0 {
		return fmt.Sprintf("it is found %d times, and errors that have nothing to do with it are %v", len(named), others)
	}
	return ""
}

// explains reports whether a finding leads to another.
func (c *connection) explains(cause, f finding) bool {
	for range len(c.findings) {
		if f.ID == cause.ID {
			return true
		}
		if f.CausedBy == nil {
			return false
		}
		f = c.findings[*f.CausedBy]
	}
	return false
}

// rules are the rules of findings for which a condition holds, in order.
func (c *connection) rules(holds func(finding) bool) (list []string) {
	for _, f := range c.findings {
		if holds(f) && !slices.Contains(list, f.Rule) {
			list = append(list, f.Rule)
		}
	}
	slices.Sort(list)
	return list
}
