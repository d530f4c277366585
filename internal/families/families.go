// Package families names the families of rules and the files of a rule, for the tools that generate,
// create and test them.
//
//	HDR-005  <──ID──  hdr005  ──>  report/rules/hdr/hdr005.rule, hdr005.go: func hdr005() rules.Check
//	         ──Of──>
package families

import (
	"slices"
	"strings"
)

// digits is how many digits the number of a rule has.
const digits = 3

// A Family is a group of rules whose IDs begin with its name: HDR-001, HDR-002.
type Family struct {
	// Name is what the IDs begin with.
	Name string
	// Package is the name of its directory in report/rules, which is that of its package.
	Package string
}

// All returns the families in the order of the catalogue.
func All() []Family {
	var list []Family
	for _, name := range [...]string{"HDR", "DDP", "CREDIT", "THRESH", "ULB", "INV", "V2", "XCHAR", "CM", "TRANS", "RPC", "SEC", "SYM"} {
		list = append(list, Family{name, packageOf(name)})
	}
	return list
}

// packageOf returns the package of a family: its name, but for RPC, since dissect has a package rpc.
func packageOf(name string) string {
	if name == "RPC" {
		return "rpcs"
	}
	return strings.ToLower(name)
}

// Of returns the family and the number of an ID. It is not ok if there is no such family, or if the
// number does not have three digits.
func Of(id string) (f Family, number string, ok bool) {
	name, number, _ := strings.Cut(id, "-")
	all := All()
	i := slices.IndexFunc(all, func(f Family) bool { return f.Name == name })
	if i < 0 || !isNumber(number) {
		return Family{}, "", false
	}
	return all[i], number, true
}

// Function returns the name of the function of the rule with a number, which is also that of its files:
// hdr005.
func (f Family) Function(number string) string { return f.Package + number }

// ID returns the ID of the rule with a function: HDR-005 of hdr005. It is "" if that is not a function of
// a rule.
func ID(function string) string {
	if len(function) <= digits {
		return ""
	}
	name, number := function[:len(function)-digits], function[len(function)-digits:]
	for _, f := range All() {
		if f.Package == name && isNumber(number) {
			return f.Name + "-" + number
		}
	}
	return ""
}

func isNumber(s string) bool { return len(s) == digits && strings.Trim(s, "0123456789") == "" }
