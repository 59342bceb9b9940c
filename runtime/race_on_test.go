//go:build race

package runtime_test

// raced says that the race detector is on, which allocates by itself.
const raced = true
