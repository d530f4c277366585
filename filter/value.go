package filter

// Value is the number that a value means for a field, written as in an expression: "7", "0x10",
// the name of an Enum's value. Every error is an *Error.
func (s *Set) Value(field, value string) (uint64, error) {
	i, err := s.find(field)
	if err != nil {
		return 0, err
	}
	t, err := nextToken(value, 0)
	if err == nil && (t.kind != tokenWord && t.kind != tokenText || t.end != len(value)) {
		err = t.failed("this is no value", "for example "+s.fields[i].sample())
	}
	var keys []uint64
	if err == nil {
		keys, err = s.fields[i].numbers(t)
	}
	if err != nil {
		err.Expr = value
		return 0, err
	}
	return keys[0], nil
}

// Name is the name of a field as the Set has it. An error, which is an *Error, suggests what was meant.
func (s *Set) Name(field string) (string, error) {
	i, err := s.find(field)
	if err != nil {
		return "", err
	}
	return s.fields[i].Name, nil
}

func (s *Set) find(field string) (int, *Error) {
	if i, ok := s.Lookup(field); ok {
		return i, nil
	}
	return 0, &Error{field, 0, len(field), "there is no field " + shorten(field), s.suggestField(field)}
}
