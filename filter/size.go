package filter

import "errors"

// ParseSize reads a number of bytes as the language has it: "20MB", "1.5GiB". An error says
// why a text is none.
func ParseSize(s string) (uint64, error) {
	v, w := parseUint(s)
	switch {
	case s == "" || w != nil && w.reason == "":
		return 0, errors.New("it is a number of bytes, as in 20MB or 64MiB")
	case w != nil && w.hint != "":
		return 0, errors.New(w.reason + ": " + w.hint)
	case w != nil:
		return 0, errors.New(w.reason)
	}
	return v, nil
}
