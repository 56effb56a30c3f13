package pdf

import (
	"context"
	"fmt"
	"os/exec"
)

// Confinement is what holds a child on this machine.
type Confinement struct {
	Filtered bool // system calls too, not only memory, time, files and sockets
}

// Missing returns an error when there is no program to start here.
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
	command, err := i.command()
	if err != nil {
		return Confinement{}, err
	}
	c, err := start(command)
	if err != nil {
		return Confinement{}, fmt.Errorf("%w: start child: %w", ErrUnavailable, err)
	}
	defer c.end()
	defer context.AfterFunc(ctx, c.kill)()
	err = c.instruct(order{Memory: i.o.Memory, CPU: seconds(i.o.CPU), Size: 1})
	return Confinement{Filtered: c.filtered}, err
}
