package simulator

import "slices"

// Receiver is a receiving system. The organisations are fictional.
type Receiver struct {
	Organization, ShipmentType, System, Id string
	Level                                  int
}

// ShipmentTypes are the types of the receiving systems.
func ShipmentTypes() []string {
	return []string{"Byggesøknad", "Delingssøknad", "ks.signertforsendelse"}
}

// receives tells whether an organisation has a receiving system.
func receives(organization string) bool {
	return slices.ContainsFunc(Receivers(), func(r Receiver) bool { return r.Organization == organization })
}

// Receivers are the receiving systems.
func Receivers() []Receiver {
	return []Receiver{
		{"987654325", "Byggesøknad", "ePhorte", "7f1c0001-0000-4000-8000-000000000001", 3},
		{"987654325", "Byggesøknad", "ePhorte sikker", "7f1c0001-0000-4000-8000-000000000002", 4},
		{"987654325", "ks.signertforsendelse", "Signert post", "7f1c0001-0000-4000-8000-000000000003", 4},
		{"812345672", "Delingssøknad", "Acos WebSak", "7f1c0001-0000-4000-8000-000000000004", 3},
	}
}
