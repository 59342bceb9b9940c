//go:build race

package propertytest

// Raced is set under the race detector. Tests with few goroutines and many cases try
// fewer of them then; .ci/run tries all of them without it.
const Raced = true
