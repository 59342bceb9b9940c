//go:build !race

package runtime_test

const raced = false
