package gallery

import (
	"flag"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"utsending/internal/browsertest"
	"utsending/internal/i18n"
)

var (
	matrix = flag.String("matrix", "", "write TestGalleryMatrix's table to this file; without it, one combination of the matrix is looked at, on a few pages")
	shots  = flag.String("pictures", "", "take a picture of every page into this folder, instead of having axe look")
	pages  = flag.String("pages", "", "only pages whose address contains one of these: overview,sms/ny")
	only   = flag.String("combination", "", "look only at combinations that contain one of these, in this order: nb dark 1440,light 320")
	whole  = flag.Bool("whole", false, "have axe look at every page whole, although most of its elements stand on others")
)

// combination is a way of seeing all pages.
type combination struct {
	language, theme string
	window          browsertest.PageOptions
}

func (c combination) String() string {
	return fmt.Sprintf("%s %s %d", c.language, c.theme, c.window.Width)
}

// combinations are each language in each theme at each width.
func combinations() (list []combination) {
	themes := map[string]browsertest.PageOptions{
		"light": {}, "dark": {Dark: true}, "contrast": {Contrast: true}, "contrast-dark": {Contrast: true, Dark: true},
	}
	for _, theme := range []string{"light", "dark", "contrast", "contrast-dark"} {
		for _, language := range i18n.Tags() {
			for _, width := range []int{320, 390, 1440} {
				window := themes[theme]
				window.Width, window.Height, window.Mobile = width, 900, width == 390
				c := combination{language, theme, window}
				list = append(list, c)
			}
		}
	}
	if *only == "" {
		return list
	}
	var chosen []combination
	for part := range strings.SplitSeq(*only, ",") {
		for _, c := range list {
			if strings.Contains(c.String(), part) && !slices.Contains(chosen, c) {
				chosen = append(chosen, c)
			}
		}
	}
	return chosen
}

// TestGalleryMatrix (make axe) has axe look at each kind of element once in every combination of language, theme and width. In the
// narrowest window of each language it shows every page and looks for sideways scrolling; elsewhere only pages that hold a kind first.
// It takes half an hour; without -matrix it looks at the first pages in one combination, so that it goes on working.
func TestGalleryMatrix(t *testing.T) {
	t.Parallel()
	g := mustGallery(t)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	b := browsertest.Start(t)
	list, asked := combinations(), *matrix != "" || *shots != ""
	if !asked {
		list = list[len(list)-1:]
	}
	todo := make(chan combination, len(list))
	for _, c := range list {
		todo <- c
	}
	close(todo)
	addresses := g.addresses("")
	fresh := slices.Clone(addresses[:3])
	if asked && *shots == "" && !*whole {
		fresh = freshPages(t)
	}
	rest := slices.DeleteFunc(addresses, func(a string) bool { return slices.Contains(fresh, a) })
	var table io.Writer = io.Discard
	if *matrix != "" {
		file, err := os.Create(*matrix)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		table = file
	}
	fmt.Fprint(table, "language\ttheme\twidth\tpages\tviolations\tsideways\n")
	var mu sync.Mutex
	t.Run("tabs", func(t *testing.T) {
		for tab := range 2 {
			t.Run(fmt.Sprint(tab), func(t *testing.T) {
				t.Parallel()
				p := b.Page(t, wide)
				p.Go(server.URL)
				for c := range todo {
					pages := fresh
					if c.theme == "light" && c.window.Width == 320 || *whole || *shots != "" {
						pages = slices.Concat(fresh, rest)
					}
					line := lookThrough(t, p, c, pages)
					mu.Lock()
					fmt.Fprint(table, line)
					mu.Unlock()
				}
			})
		}
	})
}

// pictureName names the file of a page's picture: lists-full-nb-light-1440.png.
func pictureName(address string, c combination) string {
	return strings.NewReplacer("/", "-", " ", "-").Replace(strings.Trim(address, "/")+" "+c.String()) + ".png"
}

// lookThrough shows the pages of a combination and returns its line of the table.
func lookThrough(t *testing.T, p *browsertest.Page, c combination, addresses []string) string {
	t.Helper()
	p.As(c.window)
	var looked browsertest.Looked
	var n, violations, sideways int
	for _, address := range addresses {
		if !slices.ContainsFunc(strings.Split(*pages, ","), func(part string) bool { return strings.Contains(address, part) }) {
			continue
		}
		n++
		p.Show(address + "?sprak=" + c.language)
		if *shots != "" {
			p.Screenshot(filepath.Join(*shots, pictureName(address, c)))
			continue
		}
		seen := &looked
		if *whole {
			seen = nil
		}
		found, wide := lookAt(t, p, c.String()+" "+address, seen)
		violations += found
		if wide {
			sideways++
		}
	}
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%d\n", c.language, c.theme, c.window.Width, n, violations, sideways)
}
