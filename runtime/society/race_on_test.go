//go:build race

package society

// raced is set under the race detector. The rules have no goroutines and take ten times
// as long, so they try fewer cases.
const raced = true
