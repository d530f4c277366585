package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A planned fault has a line for guest/faults.sh.
type planned struct {
	name, kind, transport, line string
}

// How many faults a plan has, and how many captures beside them in which nothing is wrong.
const (
	howMany    = 25
	howHealthy = 3
)

// plan chooses by a seed what is injected: each kind once, and some of them once more in another way; then places, sizes
// and versions of NFS. Names tell nothing.
func plan(seed uint64) (list []planned) {
	r := rand.New(rand.NewPCG(seed, 0x66617563))
	all := kinds()
	var chosen []*kind
	for _, i := range r.Perm(len(all)) {
		chosen = append(chosen, &all[i])
	}
	for len(chosen) < howMany {
		chosen = append(chosen, &all[r.IntN(len(all))])
	}
	chosen = chosen[:howMany]
	for range howHealthy {
		chosen = append(chosen, &kind{name: healthy, draw: nothing})
	}
	r.Shuffle(len(chosen), func(i, k int) { chosen[i], chosen[k] = chosen[k], chosen[i] })
	names := r.Perm(26 * 10)
	for _, transport := range []string{"rxe", "siw"} { // devices are made twice only
		list = append(list, planned{transport: transport, line: "transport " + transport})
		for i, k := range chosen {
			// The first half of what both have goes by the one, the rest by the other.
			on := "rxe"
			if k.only == "siw" || k.only == "" && i%5 >= 3 {
				on = "siw"
			}
			if on != transport {
				continue
			}
			name := fmt.Sprintf("%c%d", 'a'+names[i]/10, names[i]%10)
			list = append(list, planned{name, k.name, transport, k.line(r, name, transport)})
		}
	}
	return list
}

// line is what guest/faults.sh runs.
func (k *kind) line(r *rand.Rand, name, transport string) string {
	versions := k.versions
	if versions == nil {
		versions = []string{"3", "4.0", "4.1", "4.2"}
	}
	f := k.draw(r, &drawn{transport: transport, version: versions[r.IntN(len(versions))]})
	words := quoted(fmt.Sprintf("%s, NFS %s: %s", transport, f.version, f.words))
	label := k.name
	if f.way != "" {
		label += "/" + f.way
	}
	if f.command != "" {
		line := fmt.Sprintf("meets %s %s %s %s", name, label, words, f.command)
		if f.inject != "" {
			line = "name=" + name + "\n" + f.inject + "\n" + line + "\n" + f.heal
		}
		return line
	}
	return fmt.Sprintf("fault %s %s %s %s %s %s %s", name, label, f.version, f.export, quoted(f.inject), quoted(f.heal), words)
}

// quoted quotes a word for the shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
