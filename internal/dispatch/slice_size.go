package dispatch

import "slices"

// SliceSize is how many of a list get a slice with so many pages, and those of them giro pages.
type SliceSize struct {
	Pages int
	Giro  []int // where the list names them, else those of the file
	N     int
}

// Same tells whether slices of two sizes are printed alike.
func (z SliceSize) Same(o SliceSize) bool { return z.Pages == o.Pages && slices.Equal(z.Giro, o.Giro) }

// Sized is a shipment of a list as those get it whose slice has that size.
func (d Division) Sized(s Shipment, z SliceSize) Shipment {
	s.Documents = slices.Clone(s.Documents)
	for i := range s.Documents {
		if s.Documents[i].ID != d.Document {
			continue
		}
		if s.Documents[i].Pages = z.Pages; d.Giro != "" {
			s.Documents[i].GiroPages = z.Giro
		}
	}
	return s
}

// SliceCost is what each shipment of so many costs.
type SliceCost struct {
	SliceSize
	ShipmentCost
}

// ListCost is what the shipments of a list cost together.
type ListCost struct {
	By           []SliceCost // by the size of their slices; one, where all get the same
	N            int
	Sheets, Giro int // of paper, without cover sheets
	Most         int // øre at most, as far as prices are known
}

// OfOne is what a shipment to one recipient costs.
func (p Prices) OfOne(s Shipment) ListCost { return p.OfList(s, Division{}, nil, 1) }

// OfList is what the shipments of a list cost: n like s, or as the sizes of their slices make them.
func (p Prices) OfList(s Shipment, d Division, sizes []SliceSize, n int) ListCost {
	if len(sizes) == 0 {
		sizes = []SliceSize{{N: n}}
	}
	c := ListCost{N: n}
	for _, z := range sizes {
		one := s
		if d.Document != "" && z.Pages > 0 {
			one = d.Sized(s, z)
		}
		cost := p.OfShipment(one)
		c.By = append(c.By, SliceCost{z, cost})
		if c.Most += cost.Most() * z.N; s.DigitalOnly {
			continue
		}
		sheets, giro := one.Sheets()
		c.Sheets, c.Giro = c.Sheets+sheets*z.N, c.Giro+giro*z.N
	}
	return c
}

// Alike tells whether all cost the same, and have as many sheets.
func (c ListCost) Alike() bool {
	return !slices.ContainsFunc(c.By, func(o SliceCost) bool { return o.ShipmentCost != c.By[0].ShipmentCost })
}

// Print is what all cost on paper, and Digital what they cost digitally.
func (c ListCost) Print() Price {
	return c.sum(func(o SliceCost) Price { return o.ShipmentCost.Print })
}

// Digital is described with Print.
func (c ListCost) Digital() Price {
	return c.sum(func(o SliceCost) Price { return o.ShipmentCost.Digital })
}

func (c ListCost) sum(of func(SliceCost) Price) (all Price) {
	for _, o := range c.By {
		all.Ore, all.Known = all.Ore+of(o).Ore*o.N, of(o).Known
	}
	return all
}

// Paid counts the sheets that are paid for on paper, with cover sheets where they are.
func (c ListCost) Paid() (sheets int) {
	for _, o := range c.By {
		sheets += o.ShipmentCost.Sheets * o.N
	}
	return sheets
}

// AnyPages are more pages than a file has, so that no page is missing from one that is not there.
const AnyPages = 100_000

// AnyPart stands for a recipient's own part where there is none, or none in particular: nothing is wrong with it, for what is wrong with a
// part is said of its row.
func (d Division) AnyPart(pages int) Document {
	return Document{ID: d.Document, FileName: string(d.Document) + ".pdf", MimeType: MimePDF, Size: 1, Pages: pages}
}
