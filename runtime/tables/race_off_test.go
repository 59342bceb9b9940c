//go:build !race

package tables_test

const raced = false
