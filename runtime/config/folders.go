package config

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"society-tui/runtime/approval"
)

// foldersFile is the file beside the sessions that holds what the user has allowed agents in
// workspaces, by the path of the folder. It is never in a workspace, where agents could
// write it.
const foldersFile = "workspaces.json"

// A folder is what is remembered of a workspace. Fields may be added, never renamed.
type folder struct {
	Mode approval.Mode `json:"mode,omitempty"`
	// Sessions are those for which --mode has answered: for all others the folder is new.
	Sessions []string `json:"sessions,omitempty"`
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

// AsksForFolder reports whether the user is to be asked what agents may do in the workspace
// when a session is opened: neither the settings nor an earlier answer tells it.
func (s *Settings) AsksForFolder(session string) bool {
	return s.Workspace != "" && s.Mode == AutoMode && s.FolderMode() == "" &&
		!slices.Contains(s.folders()[s.Workspace].Sessions, session)
}

// KeepModeFlag remembers that the mode of a flag answers for the workspace in one session, and
// forgets it of folders in which that session worked before: its mode may be another by now.
func (s *Settings) KeepModeFlag(session string) error {
	all, changed := s.folders(), false
	for dir, f := range all {
		at := slices.Index(f.Sessions, session)
		if at < 0 || dir == s.Workspace {
			continue
		}
		f.Sessions = slices.Delete(f.Sessions, at, at+1)
		all[dir], changed = f, true
		if f.Mode == "" && len(f.Sessions) == 0 {
			delete(all, dir)
		}
	}
	here := all[s.Workspace]
	if s.ModeFlag() != "" && s.Workspace != "" && !slices.Contains(here.Sessions, session) {
		here.Sessions = append(here.Sessions, session)
		all[s.Workspace], changed = here, true
	}
	if !changed {
		return nil
	}
	return s.writeFolders(all)
}

// KeepFolderMode remembers what the user has allowed agents in the workspace.
func (s *Settings) KeepFolderMode(m approval.Mode) error {
	all := s.folders()
	here := all[s.Workspace]
	here.Mode = m
	all[s.Workspace] = here
	return s.writeFolders(all)
}

func (s *Settings) writeFolders(all map[string]folder) error {
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
