//go:build !race

package society

const raced = false
