//go:build race

package runtime_test

// raced is set under the race detector, which allocates itself and makes long tests ten
// times as long.
const raced = true
