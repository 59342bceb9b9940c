package tables

// DropFileChanges is exported for tests.
var DropFileChanges = dropFileChanges
