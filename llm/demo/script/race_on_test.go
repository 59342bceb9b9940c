//go:build race

package script_test

// raced says that the race detector is on. What is tried here has one goroutine, and
// takes ten times as long under it: fewer cases are tried then.
const raced = true
