//go:build !race

package propertytest

// Raced is set under the race detector.
const Raced = false
