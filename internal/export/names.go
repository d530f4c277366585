package export

import "strings"

// A fileKey names a file: a handle means something at its server only.
type fileKey struct{ server, handle string }

// names remembers what files were called lately: their data may come, or not.
// It has a limit, since a capture may show names of millions of files.
type names struct{ young, old map[fileKey]string }

// maxNames is how many names a generation has.
const maxNames = 1 << 16

// note notes a name; the last one counts.
func (n *names) note(k fileKey, name string) {
	if n.young == nil || len(n.young) == maxNames {
		n.young, n.old = make(map[fileKey]string), n.young
	}
	n.young[k] = name
}

// nameOf is the name of a file, "" if none is known.
func (n *names) nameOf(k fileKey) string {
	if name, ok := n.young[k]; ok {
		return name
	}
	return n.old[k]
}

// safe is what a name may be part of a file's name as: without the characters
// that could mean anything to a file system or a shell, and not too long.
func safe(name string) string {
	const longest = 64
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_', r == '-':
			return r
		}
		return -1
	}, name)
	return kept[:min(longest, len(kept))]
}
