package dispatch

// Args are the values of a catalogue text's variables.
type Args map[string]any

// Problem is something that the user must correct: a field and the catalogue key of the text.
type Problem struct {
	Field string
	Key   string
	Args  Args
}

// Problems is an ordered list of problems; empty means valid.
type Problems []Problem

// add appends a problem that may be nil.
func (ps *Problems) add(p *Problem) {
	if p != nil {
		*ps = append(*ps, *p)
	}
}

// For returns the first problem of a field, or nil.
func (ps Problems) For(field string) *Problem {
	for i := range ps {
		if ps[i].Field == field {
			return &ps[i]
		}
	}
	return nil
}

// Only returns the problems with a key.
func (ps Problems) Only(key string) (list Problems) {
	for _, p := range ps {
		if p.Key == key {
			list = append(list, p)
		}
	}
	return list
}

// With appends those of others whose fields have no problem yet.
func (ps Problems) With(others Problems) Problems {
	all := ps
	for _, p := range others {
		if ps.For(p.Field) == nil {
			all = append(all, p)
		}
	}
	return all
}
