// Package programtest holds what is true of the program as a whole: which package
// imports which, where goroutines begin, and what a person sees who starts the
// built program in a terminal. It has tests only.
package programtest
