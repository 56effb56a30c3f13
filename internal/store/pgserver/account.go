package pgserver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user whom the server runs as: ourselves, or another user when we are root, because PostgreSQL
// refuses root.
type account struct {
	name     string
	uid, gid int
	dropped  bool // we are root and this is not
}

// serverAccount picks an account that has an entry in the password file; PostgreSQL looks its own name up.
func serverAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.Atoi(u.Uid)
		gid, err2 := strconv.Atoi(u.Gid)
		return account{name: name, uid: uid, gid: gid, dropped: true}, errors.Join(err1, err2)
	}
	return account{}, errors.New("PostgreSQL refuses root, and no user postgres or nobody exists: run as an ordinary user")
}

func (a account) credential() *syscall.Credential {
	if !a.dropped {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
}

// own changes the owner of a directory and everything in it to the account.
func (a account) own(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	st := info.Sys().(*syscall.Stat_t)
	if int(st.Uid) == a.uid {
		return nil
	}
	if !a.dropped {
		return fmt.Errorf("%s belongs to user %d, not to us: remove it or change its owner", dir, st.Uid)
	}
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, a.uid, a.gid)
	})
}

// canReach names the parent directory that keeps the account out of dir. PostgreSQL's own message ("could not access
// directory") does not.
func (a account) canReach(what, dir string) error {
	if !a.dropped {
		return nil
	}
	for parent := filepath.Dir(dir); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if err != nil {
			return fmt.Errorf("%s in %s: %w", what, dir, err)
		}
		if !a.mayEnter(info) {
			return fmt.Errorf("%s %s is out of reach for user %s, who runs PostgreSQL: `chmod o+x %s` or choose another place",
				what, dir, a.name, parent)
		}
		if parent == filepath.Dir(parent) {
			return nil
		}
	}
}

func (a account) mayEnter(dir fs.FileInfo) bool {
	st := dir.Sys().(*syscall.Stat_t)
	switch {
	case int(st.Uid) == a.uid:
		return dir.Mode()&0o100 != 0
	case int(st.Gid) == a.gid:
		return dir.Mode()&0o010 != 0
	default:
		return dir.Mode()&0o001 != 0
	}
}
