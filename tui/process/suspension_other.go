//go:build !unix

package process

import "os"

// A Suspension does nothing on systems without job control.
type Suspension struct{}

// Suspendable returns a Suspension.
func Suspendable() *Suspension { return &Suspension{} }

// Close does nothing.
func (*Suspension) Close() {}

// Asked returns nil.
func (*Suspension) Asked() <-chan os.Signal { return nil }

// Let does nothing.
func (*Suspension) Let() (again func()) { return func() {} }

// Stop does nothing.
func (*Suspension) Stop() {}
