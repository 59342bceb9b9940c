package cli

import (
	"context"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/runtime/workspace"
)

// userFiles are the workspaces of a session for the user.
type userFiles struct{ *workspace.Set }

// Find implements api.Files.
func (u userFiles) Find(ctx context.Context, task society.TaskID, worktree, like string, most int) ([]api.File, error) {
	if worktree == "" && !u.Has(string(task)) {
		return nil, nil
	}
	folder, err := u.Of(string(task), worktree)
	if err != nil {
		return nil, err
	}
	found, err := folder.Find(ctx, like, most)
	list := make([]api.File, len(found))
	for i, f := range found {
		list[i] = api.File{Path: f.Name, Size: f.Size}
	}
	return list, err
}

// Read implements api.Files.
func (u userFiles) Read(_ context.Context, task society.TaskID, worktree, path string) ([]byte, error) {
	if worktree == "" && !u.Has(string(task)) {
		return nil, api.ErrNoFile
	}
	folder, err := u.Of(string(task), worktree)
	if err != nil {
		return nil, err
	}
	file, err := folder.Read(path)
	if err != nil {
		return nil, unread(err)
	}
	return file.Content, nil
}

// unread tells the user why a file of a workspace cannot be read.
func unread(err error) error {
	why, known := map[workspace.Code]i18n.Text{
		workspace.Outside: textFileOutside, workspace.IsLink: textFileLink, workspace.NotRegular: textFileSpecial,
		workspace.IsFolder: textFileFolder, workspace.TooLarge: textFileLarge,
	}[workspace.CodeOf(err)]
	switch {
	case known:
		return why.With()
	case workspace.CodeOf(err) == workspace.NotFound, workspace.CodeOf(err) == workspace.NotFolder, workspace.CodeOf(err) == workspace.BadName:
		return api.ErrNoFile
	}
	return err
}
