//go:build !unix

package process

import "os"

// A Suspension does nothing where programs are not stopped by a key.
type Suspension struct{}

// Suspendable returns one.
func Suspendable() *Suspension { return &Suspension{} }

// Close does nothing.
func (*Suspension) Close() {}

// Asked returns nil.
func (*Suspension) Asked() <-chan os.Signal { return nil }

// Let does nothing.
func (*Suspension) Let() (again func()) { return func() {} }

// Stop does nothing.
func (*Suspension) Stop() {}
