//go:build race

package programtest

// raced is set under the race detector, which makes the program compute far more.
const raced = true
