package types

import (
	"cmp"
	"fmt"
	"slices"
)

// procedures numbers the programs, versions and procedures.
func (r *resolver) procedures(s *Spec) error {
	for _, n := range r.numbers {
		v, err := r.word(n.v, "the number")
		if err != nil {
			return err
		}
		*n.to = v
	}
	if err := r.merge(s); err != nil {
		return err
	}
	count := 0
	for _, p := range s.Programs {
		for _, v := range p.Versions {
			count += len(v.Procedures)
		}
	}
	s.procedures = make(map[procedureKey]*Procedure, count)
	s.all = make([]*Procedure, 0, count)
	for _, p := range s.Programs {
		for _, v := range p.Versions {
			for _, proc := range v.Procedures {
				key := procedureKey{p.Number, v.Number, proc.Number}
				if before := s.procedures[key]; before != nil {
					return fault(proc.Place, fmt.Sprintf("%s has the number %d, which %s has at %s", proc.Name, proc.Number, before.Name, before.Place))
				}
				proc.Program = p
				proc.Index = len(s.all)
				s.procedures[key] = proc
				s.all = append(s.all, proc)
			}
		}
	}
	return nil
}

// merge makes one program of those that have the same number.
func (r *resolver) merge(s *Spec) error {
	for _, p := range r.programs {
		for _, v := range p.Versions {
			v.ProgramName = p.Name
		}
		for _, before := range s.Programs {
			if before.Name == p.Name && before.Number != p.Number {
				return twice(p.Name, p.Place, before.Place)
			}
		}
		into := s.Program(p.Number)
		if into == nil {
			s.Programs = append(s.Programs, p)
			p.Names = []string{p.Name}
			continue
		}
		if !slices.Contains(into.Names, p.Name) {
			into.Names = append(into.Names, p.Name)
		}
		if into.Doc == "" {
			into.Doc = p.Doc
		}
		into.Versions = append(into.Versions, p.Versions...)
	}
	for _, p := range s.Programs {
		slices.SortStableFunc(p.Versions, func(a, b *Version) int { return cmp.Compare(a.Number, b.Number) })
		for i := 1; i < len(p.Versions); i++ {
			if v, before := p.Versions[i], p.Versions[i-1]; v.Number == before.Number {
				return fault(v.Place, fmt.Sprintf("%s has the number %d, which %s has at %s", v.Name, v.Number, before.Name, before.Place))
			}
		}
	}
	return nil
}
