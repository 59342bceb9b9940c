//go:build race

package script_test

// raced is set under the race detector. The tests here use one goroutine and take ten
// times as long, so they try fewer cases.
const raced = true
