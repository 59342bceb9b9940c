//go:build race

package runtime_test

// raced says that the race detector is on, which allocates by itself, and makes what
// takes much time take ten times as much.
const raced = true
