package follow

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"utsending/internal/dispatch"
)

// packageFormat is the version of the format that docs/archive.md describes.
const packageFormat = 1

// packer streams an archive package: a zip that ends with a manifest of its files and their checksums.
type packer struct {
	zip      *zip.Writer
	at       time.Time
	manifest manifest
}

type manifest struct {
	Format  int          `json:"format"`
	Account string       `json:"account"`
	MadeAt  time.Time    `json:"made_at"`
	MadeBy  string       `json:"made_by"`
	Day     string       `json:"day,omitempty"`
	Items   []packedItem `json:"items"`
	Files   []packedFile `json:"files"`
}

type packedItem struct {
	ID      dispatch.ItemID `json:"id"`
	Kind    dispatch.Kind   `json:"kind"`
	Folder  string          `json:"folder"`
	LeftOut string          `json:"left_out,omitempty"` // why content is missing, as a sentence
}

type packedFile struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// folderOf is the folder of an item in a package.
func folderOf(it dispatch.Item) string {
	return it.CreatedAt.In(dispatch.Oslo).Format(time.DateOnly) + "_" + string(it.ID) + "/"
}

// add writes one file with a compression method.
func (p *packer) add(path string, method uint16, content io.Reader) (sum string, err error) {
	w, err := p.zip.CreateHeader(&zip.FileHeader{Name: path, Method: method, Modified: p.at})
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, hash), content)
	if err != nil {
		return "", fmt.Errorf("pack %s: %w", path, err)
	}
	sum = hex.EncodeToString(hash.Sum(nil))
	p.manifest.Files = append(p.manifest.Files, packedFile{path, n, sum})
	return sum, nil
}

// addText writes a small text.
func (p *packer) addText(path, text string) error {
	_, err := p.add(path, zip.Deflate, strings.NewReader(text))
	return err
}

// addJSON writes a value as JSON.
func (p *packer) addJSON(path string, value any) error {
	plain, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("pack %s: %w", path, err)
	}
	_, err = p.add(path, zip.Deflate, bytes.NewReader(append(plain, '\n')))
	return err
}

// addDocument writes a file of a shipment, and verifies its checksum. PDFs are stored uncompressed, since they are compressed
// already.
func (p *packer) addDocument(path string, d dispatch.Document, content io.Reader) error {
	sum, err := p.add(path, zip.Store, content)
	if err == nil && sum != d.SHA256 {
		err = fmt.Errorf("pack document %s: its checksum is another", d.ID)
	}
	return err
}

// close ends the package with checksums in the format of sha256sum, and the manifest. A package without them is incomplete.
func (p *packer) close() error {
	var sums strings.Builder
	for _, f := range p.manifest.Files {
		sums.WriteString(f.SHA256 + "  " + f.Path + "\n")
	}
	whole := p.manifest
	if err := p.addText("SHA256SUMS", sums.String()); err != nil {
		return err
	}
	if err := p.addJSON("manifest.json", whole); err != nil {
		return err
	}
	return p.zip.Close()
}
