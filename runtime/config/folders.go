package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"society-tui/runtime/approval"
)

// foldersFile is the file beside the sessions that holds what the user has allowed agents in
// workspaces, by the path of the folder. It is never in a workspace, where agents could
// write it.
const foldersFile = "workspaces.json"

// A folder is what is remembered of a workspace. Fields may be added, never renamed.
type folder struct {
	Mode approval.Mode `json:"mode"`
}

// folders reads what is remembered of workspaces. A file that cannot be read counts as none:
// the user is asked again.
func (s *Settings) folders() map[string]folder {
	all := map[string]folder{}
	raw, err := os.ReadFile(filepath.Join(s.Data, foldersFile))
	if err != nil || json.Unmarshal(raw, &all) != nil || all == nil {
		return map[string]folder{}
	}
	return all
}

// FolderMode returns what the user has allowed agents in the workspace, "" if that was not
// asked yet or there is no workspace.
func (s *Settings) FolderMode() approval.Mode {
	if s.Workspace == "" {
		return ""
	}
	if m := s.folders()[s.Workspace].Mode; m.Known() {
		return m
	}
	return ""
}

// AsksForFolder reports whether the user is to be asked what agents may do in the workspace:
// neither the settings nor an earlier answer tells it.
func (s *Settings) AsksForFolder() bool {
	return s.Workspace != "" && s.Mode == AutoMode && s.FolderMode() == ""
}

// KeepModeFlag remembers the mode of a flag for the workspace, unless the user has said
// before what agents may do there. Of "all", which is asked for each time, edits is kept.
func (s *Settings) KeepModeFlag() error {
	m := s.ModeFlag()
	if m == "" || s.Workspace == "" || s.FolderMode() != "" {
		return nil
	}
	return s.KeepFolderMode(approval.Strictest(m, approval.Edits))
}

// KeepFolderMode remembers what the user has allowed agents in the workspace.
func (s *Settings) KeepFolderMode(m approval.Mode) error {
	all := s.folders()
	all[s.Workspace] = folder{m}
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Data, 0o700); err != nil {
		return err
	}
	return replaceFile(filepath.Join(s.Data, foldersFile), append(raw, '\n'))
}

// replaceFile writes a file whole, or leaves it as it was.
func replaceFile(path string, raw []byte) error {
	draft, err := os.CreateTemp(filepath.Split(path + ".*")) // private, and another program may write, too
	if err != nil {
		return err
	}
	_, err = draft.Write(raw)
	if err = errors.Join(err, draft.Sync(), draft.Close()); err == nil {
		err = os.Rename(draft.Name(), path)
	}
	if err != nil {
		if gone := os.Remove(draft.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
