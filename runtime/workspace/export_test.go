package workspace

// Before lets f see each step that changes the file system, before it is done.
func (f *Folder) Before(see func(step, name string) error) { f.before = see }
