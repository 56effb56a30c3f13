// Package pdfium reads and draws PDFs with PDFium in WebAssembly: a sandbox inside that of the child. Only the
// program inspectpdf links it.
package pdfium

import (
	"context"
	"io"
	"sync"
	"time"

	gopdfium "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// instances is how many documents may be open at a time: one in the child, more in tests.
const instances = 8

// patience is how long a document waits for an instance.
const patience = time.Minute

// engine is PDFium, compiled. Each instance has its own memory.
type engine struct {
	pool gopdfium.Pool

	mu    sync.Mutex
	spare []gopdfium.Pdfium
}

var (
	mu      sync.Mutex
	current *engine
)

// Start starts the engine once, with compiled code from the cache if it is there. Otherwise compiling takes seconds.
func Start(cache string) error {
	mu.Lock()
	defer mu.Unlock()
	if current != nil {
		return nil
	}
	e, err := compile(cache)
	if err != nil && cache != "" {
		e, err = compile("")
	}
	if err != nil {
		return err
	}
	i, err := e.take()
	if err != nil {
		return err
	}
	e.give(i)
	current = e
	return nil
}

// Prepare fills the cache.
func Prepare(cache string) error {
	e, err := compile(cache)
	if err != nil {
		return err
	}
	return e.pool.Close()
}

func compile(cache string) (*engine, error) {
	// The module needs exception handling, and the cached code is found only if both features are requested the same
	// way each time.
	config := wazero.NewRuntimeConfig().WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)
	if cache != "" {
		c, err := wazero.NewCompilationCacheWithDir(cache)
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(c)
	}
	pool, err := webassembly.Init(webassembly.Config{
		Context: experimental.WithMemoryAllocator(context.Background(), experimental.MemoryAllocatorFunc(allocate)),
		MaxIdle: instances, MaxTotal: instances, RuntimeConfig: config,
		FSConfig: wazero.NewFSConfig(), // otherwise the module could open all files of the machine
		Stdout:   io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, err
	}
	return &engine{pool: pool}, nil
}

// take returns a spare instance, or a new one.
func (e *engine) take() (gopdfium.Pdfium, error) {
	e.mu.Lock()
	if n := len(e.spare); n > 0 {
		i := e.spare[n-1]
		e.spare = e.spare[:n-1]
		e.mu.Unlock()
		return i, nil
	}
	e.mu.Unlock()
	return e.pool.GetInstance(patience)
}

func (e *engine) give(i gopdfium.Pdfium) {
	e.mu.Lock()
	e.spare = append(e.spare, i)
	e.mu.Unlock()
}
