package chatapi

import "sync"

// A Memory knows what endpoints have refused or demanded, by endpoint and model, also of models
// that are made anew. Its methods may be called from any goroutine.
type Memory struct {
	mu    sync.Mutex
	known map[string]*learned
	keep  func(name string, adapted []string)
}

// NewMemory returns a memory that begins with what is known, which has the names of
// llm.Adapter. From then on keep gets each change, with no names where all is forgotten.
// The name of an endpoint and model is the address, a blank and the model.
func NewMemory(known map[string][]string, keep func(name string, adapted []string)) *Memory {
	m := &Memory{known: map[string]*learned{}, keep: keep}
	for name, adapted := range known {
		m.of(name).known = quirksOf(adapted)
	}
	return m
}

// of returns what is known of an endpoint and model; of nil, something that nobody else knows.
func (m *Memory) of(name string) *learned {
	if m == nil {
		return &learned{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.known[name]
	if l == nil {
		l = &learned{keep: func(adapted []string) { m.keep(name, adapted) }}
		m.known[name] = l
	}
	return l
}
