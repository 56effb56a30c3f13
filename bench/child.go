package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// References run in processes of their own, like web: this program with the argument child. A child reads its job from standard
// input, and exits when that is closed.

// server is a child that serves.
type server struct {
	address string
	cmd     *exec.Cmd
	input   io.Closer
}

// startServer starts a child that serves, and waits until it listens.
func startServer(ctx context.Context, name string, job any) (*server, error) {
	cmd, input, output, err := startChild(ctx, name, job)
	if err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, input: input}
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		return nil, errors.Join(fmt.Errorf("child %s does not serve: %w", name, err), s.stop())
	}
	s.address = strings.TrimSpace(line)
	return s, nil
}

func (s *server) stop() error { return errors.Join(s.input.Close(), s.cmd.Wait()) }

// runChild has a child do one job, and returns its result.
func runChild[T any](ctx context.Context, name string, job any) (T, error) {
	var result T
	cmd, input, output, err := startChild(ctx, name, job)
	if err != nil {
		return result, err
	}
	err = json.NewDecoder(output).Decode(&result)
	if err := errors.Join(input.Close(), cmd.Wait()); err != nil {
		return result, fmt.Errorf("child %s: %w", name, err)
	}
	return result, err
}

func startChild(ctx context.Context, name string, job any) (*exec.Cmd, io.WriteCloser, io.Reader, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, nil, err
	}
	cmd := exec.CommandContext(ctx, program, "child", name)
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, nil, err
	}
	return cmd, input, output, json.NewEncoder(input).Encode(job)
}

// runAsChild is the main function of a child.
func runAsChild(name string) error {
	ctx := context.Background()
	switch name {
	case "submit":
		return answerJob(func(job submitJob) (spent, error) { return submit(ctx, job) })
	case "check":
		return answerJob(func(job checkJob) (float64, error) { return checkOnceForMemory(ctx, job) })
	case "post":
		return answerJob(func(job postJob) (spent, error) { return postFromMemory(ctx, job) })
	case "messages":
		return answerJob(func(job messagesJob) (struct{}, error) { return postMessages(ctx, job) })
	case "river":
		return answerJob(func(job riverJob) (struct{}, error) { return deliverWithRiver(ctx, job) })
	case "sms":
		return serveJob(serveSMS)
	case "files":
		return serveJob(func(job filesJob) http.Handler { return writeFiles(job) })
	case "sink":
		return serveJob(func(struct{}) http.Handler { return http.HandlerFunc(swallow) })
	case "page":
		return serveJob(func(job pageJob) http.Handler { return pageFromMemory(job) })
	}
	return fmt.Errorf("there is no child %q", name)
}

func answerJob[J, T any](do func(J) (T, error)) error {
	var job J
	if err := json.NewDecoder(os.Stdin).Decode(&job); err != nil {
		return err
	}
	result, err := do(job)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// serveJob serves on a free port, tells its address, and ends when the parent closes our input or dies.
func serveJob[J any](handler func(J) http.Handler) error {
	var job J
	if err := json.NewDecoder(os.Stdin).Decode(&job); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &http.Server{Handler: handler(job)}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent closes it or dies
		_ = s.Close()
	}()
	fmt.Println("http://" + listener.Addr().String())
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
