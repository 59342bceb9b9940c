//go:build !race

package programtest

const raced = false
