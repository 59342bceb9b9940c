// Package programtest tests the program as a whole: its layering, where
// goroutines begin, and what a user sees who starts the built program in a
// terminal. It has tests only.
package programtest
