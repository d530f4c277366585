package filter

import (
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
)

// maxPattern is how many bytes a regular expression has at most: repetitions in
// it make its program up to a thousand times as long.
const maxPattern = 1000

// pattern compiles a regular expression of RE2, whose time is linear in the
// text. As in Wireshark, case does not matter unless it begins with (?-i).
func pattern(f *Field, value token) (*regexp.Regexp, *Error) {
	if value.kind != tokenText {
		return nil, value.failed("matches takes a regular expression in quotes", "for example "+f.Name+" matches "+strconv.Quote(value.text))
	}
	if len(value.text) > maxPattern {
		return nil, value.failed("a regular expression has at most "+strconv.Itoa(maxPattern)+" bytes", "")
	}
	_, err := regexp.Compile(value.text)
	if err == nil {
		var re *regexp.Regexp
		if re, err = regexp.Compile("(?i)" + value.text); err == nil {
			return re, nil
		}
	}
	reason, hint := err.Error(), ""
	if e, ok := err.(*syntax.Error); ok {
		reason = e.Code.String()
		if e.Expr != value.text {
			reason += " " + shorten(e.Expr)
		}
		if strings.HasPrefix(e.Expr, "(?") || e.Code == syntax.ErrInvalidEscape {
			hint = "regular expressions use RE2 syntax, without lookaround and backreferences"
		}
	}
	return nil, value.failed("not a regular expression: "+reason, hint)
}
