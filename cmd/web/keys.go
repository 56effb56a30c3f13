package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"utsending/internal/seal"
	"utsending/internal/store"
)

// resealPause is the pause before a process searches again for values of older keys.
const resealPause = time.Minute

func newKeys(out io.Writer) error {
	keys, err := seal.New()
	return writeKeys(out, keys, err)
}

func writeKeys(out io.Writer, file []byte, err error) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", file)
	return err
}

// keySettings are the settings of the key set.
type keySettings struct {
	File string `env:"KEYSET_FILE"`
	Text string `env:"KEYSET"`
}

// keysetFile returns the configured key set.
func keysetFile() ([]byte, error) {
	s, err := settings[keySettings]()
	switch {
	case err != nil:
		return nil, fmt.Errorf("configuration: %w", err)
	case s.File != "":
		return seal.ReadFile(s.File)
	case s.Text == "":
		return nil, errors.New("neither KEYSET_FILE nor KEYSET is set")
	}
	return []byte(s.Text), nil
}

// operatorKeys reads the key set for a subcommand.
func operatorKeys() (*seal.Keys, error) {
	file, err := keysetFile()
	if err != nil {
		return nil, err
	}
	return seal.Parse(file)
}

// rotateKeys writes the key set of the next step of a rotation to out, and tells the operator how to use it.
func rotateKeys(out, tell io.Writer) error {
	file, err := keysetFile()
	if err != nil {
		return err
	}
	before, err := seal.RotationOf(file)
	if err != nil {
		return err
	}
	if before == seal.RotationUsed {
		return errors.New("the key set still holds an older key: run 'web keys drop' when all is sealed with the newest")
	}
	after, err := seal.Rotate(file)
	if err := writeKeys(out, after, err); err != nil {
		return err
	}
	next := "A key was added, which is not used yet. Give this file to every process and restart each. When all have it, run this again."
	if before == seal.RotationAdded {
		next = "The newest key is used. Give this file to every process and restart each: they seal anew what older keys have sealed. " +
			"Then run 'web keys drop'."
	}
	_, err = fmt.Fprintln(tell, next)
	return err
}

// dropKeys writes the key set without older keys to out, unless values in the database are still sealed with them.
func dropKeys(ctx context.Context, out, tell io.Writer) error {
	file, err := keysetFile()
	if err != nil {
		return err
	}
	after, err := seal.Drop(file)
	if err != nil {
		return err
	}
	keys, err := seal.Parse(file)
	if err != nil {
		return err
	}
	s, err := openWith(keys)
	if err != nil {
		return err
	}
	defer s.Close()
	n, err := s.SealedBefore(ctx)
	if err != nil {
		return databaseError(err)
	}
	if n > 0 {
		return fmt.Errorf("%d values are sealed with older keys still: wait until the serving processes have sealed them anew", n)
	}
	if err := writeKeys(out, after, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintln(tell, "Give this file to every process and restart each. Keep the older file as long as you keep backups from before today.")
	return err
}

// reseal reseals values of older keys until none are left. Several processes may do so concurrently.
func reseal(ctx context.Context, s *store.Store, log *slog.Logger) {
	if s.Rotation() != seal.RotationUsed {
		return
	}
	for {
		sealed, left, err := s.Reseal(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			log.Error("sealing anew with the newest key failed, and is tried again", "sealed", sealed, "error", store.Describe(err))
		case left == 0:
			log.Info("everything is sealed with the newest key: older ones can go", "sealed", sealed)
			return
		default:
			log.Info("sealed anew with the newest key", "sealed", sealed, "left", left)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(resealPause):
		}
	}
}
