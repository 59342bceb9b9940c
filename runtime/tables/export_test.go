package tables

// For tests.
var (
	DropFileChanges = dropFileChanges
	OldBytes        = oldBytes
)
