package finding

import "slices"

// A Lead is what the verdict speaks of first: findings at the root with one of some keys, or that report the path.
type Lead struct {
	keys []rowKey
	path bool
}

// leadOf is that of the cause that the verdict names first.
func leadOf(c *cause) (l Lead) {
	switch {
	case c.network != nil:
		l.path = true
	case c.restart != nil:
		for _, x := range c.restart.cases {
			l.keys = append(l.keys, x.rowKey)
		}
	default:
		l.keys = append(l.keys, c.one.rowKey)
	}
	return l
}

func (l *Lead) is(key rowKey, onPath bool) bool {
	return l.path && onPath || slices.Contains(l.keys, key)
}
