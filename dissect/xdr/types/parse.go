package types

import "github.com/rdmacap/rdmacap/dissect/xdr/syntax"

// Parse reads one text.
func Parse(file, text string) (*Spec, error) {
	return ParseAll(syntax.Source{File: file, Text: text})
}

// ParseAll reads texts that share one name space: each may use what another
// declares. An error is a *syntax.Error, the first one of the first text that has one.
func ParseAll(sources ...syntax.Source) (*Spec, error) {
	size := 0
	for i := range sources {
		size += len(sources[i].Text)
	}
	r, p := newResolver(size), new(syntax.Parser)
	for i := range sources {
		if err := r.read(p, &sources[i]); err != nil {
			return nil, syntax.Locate(sources, err)
		}
	}
	spec, err := r.resolve()
	if err != nil {
		return nil, syntax.Locate(sources, err)
	}
	return spec, nil
}

// read declares what a text does.
func (r *resolver) read(p *syntax.Parser, s *syntax.Source) error {
	if err := p.Start(s); err != nil {
		return err
	}
	r.key = s.Prefix()
	for {
		d, err := p.Next()
		switch {
		case err != nil:
			return err
		case d.Const != nil:
			err = r.declareConst(d.Const.Name, d.Const.Value, d.Const.Place)
		case d.Typedef != nil:
			err = r.typedef(d.Typedef)
		case d.Type != nil:
			_, err = r.composite(d.Type)
		case d.Program != nil:
			err = r.program(d.Program)
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}
