package config

import (
	"os"
	"path/filepath"
	"slices"
)

// AutoRead is the value in Shell.AlsoRead that stands for what is found.
const AutoRead = "auto"

// checkShell checks what commands get: nothing of the program's own, and no key of a model.
func (s *Settings) checkShell(wrong func(key string, why error)) {
	for _, path := range s.Shell.AlsoRead {
		dir := fromHome(path)
		if path == AutoRead {
			continue
		}
		if !filepath.IsAbs(dir) {
			wrong("shell.also_read", textNotAbsolute.With(path))
			continue
		}
		if there, err := filepath.EvalSymlinks(dir); err == nil {
			dir = there
		}
		if own := s.ownIn(dir); own != "" {
			wrong("shell.also_read", textReadsOwn.With(path, own))
		} else if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			s.Warnings = append(s.Warnings, textNoReadFolder.With(path))
		}
	}
	keys := []string{s.Model.KeyEnv}
	for _, m := range s.Models {
		keys = append(keys, m.KeyEnv)
	}
	for _, name := range s.Shell.Env {
		switch {
		case !variable.MatchString(name):
			wrong("shell.env", textBadVariable.With(name))
		case slices.Contains(keys, name):
			wrong("shell.env", textKeyVariable.With(name))
		}
	}
}

// ReadFolders returns the folders that commands may read too. found returns those that auto
// stands for.
func (s *Settings) ReadFolders(found func() []string) (folders []string) {
	for _, path := range s.Shell.AlsoRead {
		more := []string{fromHome(path)}
		if path == AutoRead {
			more = found()
		}
		for _, dir := range more {
			if !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
		}
	}
	return folders
}
