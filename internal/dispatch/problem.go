package dispatch

// Args are the values that a catalogue text may name.
type Args map[string]any

// Problem is one thing that a person must correct: the field it belongs to and the catalogue key of the text.
type Problem struct {
	Field string
	Key   string
	Args  Args
}

// Problems is an ordered list of problems; empty means that all is well.
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

// With are the problems, and after them those of others that say nothing about the same field.
func (ps Problems) With(others Problems) Problems {
	all := ps
	for _, p := range others {
		if ps.For(p.Field) == nil {
			all = append(all, p)
		}
	}
	return all
}
