package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// unpackScript runs the package's own code, which unpacks to the temporary directory of its process.
const unpackScript = `
import { inflate } from "@sparticuz/chromium";
const archives = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];
await Promise.all(archives.map((name) => inflate(process.argv[1] + "/" + name)));
`

const fontsConf = "fonts.conf"

// fontsTemplate adds the package's Open Sans to the fonts of the system, so that text has shapes on a machine without
// any.
const fontsTemplate = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>%s/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

// unpacked returns the directory of the unpacked browser, 210 MB that take two seconds to make.
func unpacked(ctx context.Context, modules, version string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil { // no home directory
		cache = os.TempDir()
	}
	home := filepath.Join(cache, "utsending-chromium-"+version)
	return home, makeOnce(home, func(stage string) error {
		return unpack(ctx, modules, stage, home)
	})
}

// makeOnce fills a directory beside the wanted one and renames it, so that processes that start together see all of
// it or nothing.
func makeOnce(home string, fill func(stage string) error) error {
	if _, err := os.Stat(home); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(filepath.Dir(home), filepath.Base(home)+".*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	if err := fill(stage); err != nil {
		return err
	}
	if err := os.Rename(stage, home); err != nil {
		if _, exists := os.Stat(home); exists == nil {
			return nil // another process was faster
		}
		return err
	}
	return nil
}

func unpack(ctx context.Context, modules, stage, home string) error {
	archives := filepath.Join(modules, "@sparticuz", "chromium", "bin")
	cmd := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", unpackScript, archives)
	cmd.Dir = filepath.Dir(modules) // where the import is resolved from
	cmd.Env = append(os.Environ(), "TMPDIR="+stage)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("node: %w: %s", err, out)
	}
	fonts := fmt.Sprintf(fontsTemplate, filepath.Join(home, "fonts"))
	return os.WriteFile(filepath.Join(stage, fontsConf), []byte(fonts), 0o644)
}

func packageVersion(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var p struct{ Version string }
	if err := json.Unmarshal(text, &p); err != nil {
		return "", err
	}
	return cmp.Or(p.Version, "unknown"), nil
}
