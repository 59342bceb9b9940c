//go:build race

package society

// raced says that the race detector is on. The rules have no goroutine that it
// could catch, and take ten times as long under it: fewer cases are tried then.
const raced = true
