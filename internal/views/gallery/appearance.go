package gallery

import (
	"github.com/a-h/templ"

	"utsending/internal/dispatch"
	"utsending/internal/views"
	"utsending/internal/views/admin"
)

// sampleTheme is a municipality's theme; the gallery serves it.
var sampleTheme = dispatch.Theme{Name: "Fjordvik herad", Light: "#7a1f3d", Dark: "#e39ab3"}

// appearanceExhibits are the municipality's name, colours and logo.
func appearanceExhibits() []exhibit {
	page := func(name, says string, change func(*admin.AppearancePage)) exhibit {
		return exhibit{path: "appearance/" + name, says: says, show: func(f frame) templ.Component {
			p := admin.AppearancePage{Page: f.page(administrator(), f.text("appearance.title")), Configured: "Fjordvik kommune"}
			p.Section, p.Narrow = views.SectionAppearance, true
			change(&p)
			return admin.Appearance(p)
		}}
	}
	problem := func(field, key string, most int) dispatch.Problem {
		return dispatch.Problem{Field: field, Key: key, Args: dispatch.Args{"Most": most}}
	}
	return []exhibit{
		page("none", "nobody has set anything", func(*admin.AppearancePage) {}),
		page("set", "a name, two colours and a logo", func(p *admin.AppearancePage) {
			p.Name, p.Light, p.Dark, p.HasLogo = sampleTheme.Name, string(sampleTheme.Light), string(sampleTheme.Dark), true
			p.Theme, p.Municipality = views.Theme{Sheet: "/static/tema.css", Logo: p.Assets.Path("favicon.svg")}, sampleTheme.Name
			p.Flash = &views.Flash{Key: "flash.appearance", Color: "success"}
		}),
		page("unreadable", "colours that cannot be read, a long name, and no picture", func(p *admin.AppearancePage) {
			p.Name, p.Light, p.Dark = "Fjordvik kommune og omland interkommunale samarbeid", "#ffcc00", "#0b5a80"
			p.Problems = dispatch.Problems{problem(dispatch.FieldThemeName, "problem.theme.name", dispatch.LongestThemeName),
				problem(dispatch.FieldThemeLight, "problem.theme.light", 0), problem(dispatch.FieldThemeDark, "problem.theme.dark", 0), problem(dispatch.FieldThemeLogo, "problem.theme.logo", 0)}
		}),
		page("typed-wrong", "no colour, and a large file", func(p *admin.AppearancePage) {
			p.Light, p.Dark = "blå", "#75a1b7"
			p.Problems = dispatch.Problems{problem(dispatch.FieldThemeLight, "problem.theme.color", 0), problem(dispatch.FieldThemeLogo, "problem.theme.logo_size", 128)}
		}),
		page("heavy-logo", "a picture that is too heavy even when it is small", func(p *admin.AppearancePage) {
			p.Problems = dispatch.Problems{problem(dispatch.FieldThemeLogo, "problem.theme.logo_detail", 6)}
		}),
		page("one-colour", "a colour for dark pages only, and a picture of many pixels", func(p *admin.AppearancePage) {
			p.Dark = "#75a1b7"
			p.Problems = dispatch.Problems{problem(dispatch.FieldThemeLight, "problem.theme.first", 0), problem(dispatch.FieldThemeLogo, "problem.theme.logo_sides", 1200)}
		}),
	}
}
