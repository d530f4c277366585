package filter

// Value is the number that a value means for a field, written as in an expression: "7", "0x10",
// the name of an Enum's value. Every error is an *Error.
func (s *Set) Value(field, value string) (uint64, error) {
	f, _, err := s.findField(field)
	if err != nil {
		return 0, err
	}
	t, err := nextToken(value, 0)
	if err == nil && (t.kind != tokenWord && t.kind != tokenText || t.end != len(value)) {
		err = t.failed("this is not a value", "for example "+f.sample())
	}
	var keys []uint64
	if err == nil {
		keys, err = f.numbers(t)
	}
	if err != nil {
		err.Expr = value
		return 0, err
	}
	return keys[0], nil
}

// Name is the name of a field as the Set has it. An error, which is an *Error, suggests what was meant.
func (s *Set) Name(field string) (string, error) {
	f, _, err := s.findField(field)
	if err != nil {
		return "", err
	}
	return f.Name, nil
}

func (s *Set) findField(field string) (*Field, int, *Error) {
	if f, i, ok := s.named(field); ok {
		return f, i, nil
	}
	return nil, 0, &Error{field, 0, len(field), "there is no field " + shorten(field), s.suggestField(field)}
}
