//go:build !linux

package boltdb_test

func useMemory() {}
