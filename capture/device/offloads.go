package device

import "strings"

// Offloads are what a card, its driver and the kernel do to frames before anybody
// captures them.
type Offloads struct {
	// GRO, LRO and HWGRO put TCP segments together that came apart.
	GRO, LRO, HWGRO bool
}

// Merging are the words for those that are on, as ethtool -K takes them.
func (o Offloads) Merging() (words []string) {
	for _, x := range []struct {
		on   bool
		word string
	}{{o.GRO, "gro"}, {o.LRO, "lro"}, {o.HWGRO, "rx-gro-hw"}} {
		if x.on {
			words = append(words, x.word)
		}
	}
	return words
}

// Remedy is the command that has an interface leave TCP segments as they came, "" if
// it does.
func (o Offloads) Remedy(name string) string {
	if len(o.Merging()) == 0 {
		return ""
	}
	return "ethtool -K " + name + " " + strings.Join(o.Merging(), " off ") + " off"
}
