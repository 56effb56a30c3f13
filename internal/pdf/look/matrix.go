package look

import "math"

// matrix maps points as PDF does: x' = ax + cy + e, y' = bx + dy + f.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times is m applied first, then n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// area is by how much m enlarges areas.
func (m matrix) area() float64 { return math.Abs(m[0]*m[3] - m[1]*m[2]) }

// view maps a page's own points to millimetres from the upper left corner of the page as it is seen.
func (p page) view() matrix {
	scale := mmPerPoint * p.unit
	m := matrix{scale, 0, 0, -scale, -p.left * scale, (p.bottom + p.height) * scale}
	width, height := p.width*scale, p.height*scale
	switch ((p.rotate % 360) + 360) % 360 {
	case 90: // clockwise
		return m.times(matrix{0, 1, -1, 0, height, 0})
	case 180:
		return m.times(matrix{-1, 0, 0, -1, width, height})
	case 270:
		return m.times(matrix{0, -1, 1, 0, 0, width})
	}
	return m
}
