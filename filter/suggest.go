package filter

import (
	"iter"
	"strings"
)

// maxName is the longest word for which a name is suggested: comparing takes
// time with the product of the lengths.
const maxName = 64

// suggestions is how many names a hint has at most.
const suggestions = 3

// suggestField is the hint for a name that no field has.
func (s *Set) suggestField(word string) string {
	names := func(yield func(string) bool) {
		for i := range s.fields {
			if !yield(s.fields[i].Name) {
				return
			}
		}
	}
	others := func(yield func(string) bool) {
		for i := range s.aliases {
			if !yield(s.aliases[i].Name) {
				return
			}
		}
	}
	for _, list := range [...]iter.Seq[string]{names, others} {
		if near := nearest(word, list); len(near) > 0 {
			return meant(near)
		}
	}
	// A protocol by itself, or a name that nothing is near to.
	prefix, _, _ := strings.Cut(strings.ToLower(word), ".")
	var list []string
	for name := range names {
		if strings.HasPrefix(name, prefix+".") {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	if len(list) > 2*suggestions {
		list = append(list[:2*suggestions], "...")
	}
	return "fields of " + prefix + ": " + strings.Join(list, ", ")
}

// sample is a test of some field of the set, for hints.
func (s *Set) sample() string {
	if len(s.fields) == 0 {
		return ""
	}
	return "for example " + s.fields[0].sample()
}

// suggestName is the hint for a name that no value of an Enum has.
func (f *Field) suggestName(word string) string {
	near := nearest(word, func(yield func(string) bool) {
		for name := range f.Names {
			if !yield(name) {
				return
			}
		}
	})
	if len(near) == 0 {
		return "for example " + f.sample()
	}
	for i := range near {
		near[i] = enumLiteral(near[i])
	}
	return meant(near)
}

func meant(names []string) string {
	if n := len(names); n > 1 {
		names = append(names[:n-2:n-2], names[n-2]+" or "+names[n-1])
	}
	return "did you mean " + strings.Join(names, ", ") + "?"
}

// nearest are the names that are nearest to a word that somebody wrote, all as
// near as each other, each once.
func nearest(word string, names iter.Seq[string]) (near []string) {
	if len(word) > maxName {
		return nil
	}
	word = strings.ToLower(word)
	best := 1 << 30
	seen := make(map[string]bool)
	for name := range names {
		d, ok := distance(word, strings.ToLower(name))
		if !ok || d > best || seen[name] {
			continue
		}
		if d < best {
			best, near = d, nil
		}
		if len(near) < suggestions {
			seen[name] = true
			near = append(near, name)
		}
	}
	return near
}

// distance is how far a word is from a name: the letters to change, or less if
// one is the other's end after a dot or an underscore (NOENT, NFS4ERR_NOENT) or
// both end in the same after different prefixes (rpc.op, nfs.op); ok is false if
// nobody would mistake them, which is so of few letters, and of no beginning.
func distance(word, name string) (d int, ok bool) {
	if word == "" || name == "" || len(name) > maxName {
		return 0, false
	}
	if endsIn(name, word) || endsIn(word, name) {
		return 1, true
	}
	d = edits(word, name)
	limit := max(1, min(len(word), len(name))/3)
	if i, j := strings.LastIndexByte(word, '.'), strings.LastIndexByte(name, '.'); i > 0 && j > 0 && word[i:] == name[j:] {
		return min(d, 3), true
	}
	if n := min(len(word), len(name)); n >= 4 && word[:n] == name[:n] {
		return d, true
	}
	return d, d <= limit
}

// endsIn reports whether the end of name, after a dot or underscore, is word.
func endsIn(name, word string) bool {
	prefix, ok := strings.CutSuffix(name, word)
	return ok && len(word) > 1 && (strings.HasSuffix(prefix, ".") || strings.HasSuffix(prefix, "_"))
}

// edits is how many bytes of a to insert, delete, change, or exchange with the
// next one, to make b: the optimal string alignment distance. b has at most
// maxName bytes.
func edits(a, b string) int {
	var before, above, row [maxName + 1]int // the rows of the last bytes of a
	for j := range len(b) + 1 {
		above[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}
