package pdf

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
)

// Confinement describes how a child is confined on this machine, besides limits on memory, time, files and sockets.
type Confinement struct {
	Filtered   bool // system calls
	Landlocked bool // access to files by name
	Apart      bool // in a network namespace of its own, without any network
}

// The words by which a child reports its confinement. The network namespace is set up by the parent.
const (
	wordConfined   = "confined"
	wordFiltered   = "filtered"
	wordLandlocked = "landlocked"
)

// tell is the line by which a child reports that it is confined, and how.
func (c Confinement) tell() string {
	words := []string{wordConfined}
	if c.Filtered {
		words = append(words, wordFiltered)
	}
	if c.Landlocked {
		words = append(words, wordLandlocked)
	}
	return strings.Join(words, " ") + "\n"
}

// hear parses such a line, and refuses anything else.
func (c *Confinement) hear(line string) error {
	words := strings.Fields(line)
	c.Filtered, c.Landlocked = slices.Contains(words, wordFiltered), slices.Contains(words, wordLandlocked)
	if line != c.tell() {
		return errors.New("it says something else")
	}
	return nil
}

// Missing returns an error when the child program is missing.
func (i *Inspector) Missing() error {
	command, err := i.command()
	if err == nil {
		_, err = exec.LookPath(command[0])
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// Confinement starts a child, lets it confine itself, and ends it.
func (i *Inspector) Confinement(ctx context.Context) (Confinement, error) {
	c, end, err := i.begin(ctx, order{CPU: seconds(i.o.CPU), Size: 1})
	if err != nil {
		return Confinement{}, err
	}
	defer end()
	return c.held, nil
}
