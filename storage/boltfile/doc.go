// Package boltfile reads files of bbolt without bbolt: it verifies that all pages of
// the last commit are sound, finds what is left in a damaged file, and withdraws a
// commit.
//
// bbolt maps a file into memory and trusts its pages, so a page that is wrong ends the
// program with a fault or a panic that cannot be caught. Verify reads the file and
// never maps it; what it passes can be opened. It must therefore agree with bbolt on
// which of the two meta pages counts.
package boltfile
