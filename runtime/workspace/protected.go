package workspace

import (
	"path"
	"slices"
	"strings"
)

// protected are files and folders, in lower case, that make programs act: what git, an
// editor, a build on a server or another agent does next is written in them.
var (
	protectedFolders = []string{
		".git", ".githooks", ".husky", ".vscode", ".idea", ".devcontainer", ".zed",
		".circleci", ".buildkite", ".ci", ".gitea", ".forgejo", ".woodpecker",
		".claude", ".codex", ".cursor", ".windsurf", ".gemini", ".aider", ".continue", ".roo", ".cline", ".kiro", ".opencode", ".agents", ".amazonq",
	}
	protectedFiles = []string{
		".gitattributes", ".gitmodules", ".gitconfig", ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml",
		".gitlab-ci.yml", ".travis.yml", "jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml", ".drone.yml", ".woodpecker.yml", "appveyor.yml", ".appveyor.yml",
		"agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "copilot-instructions.md", ".cursorrules", ".windsurfrules", ".clinerules", ".roorules",
		".mcp.json", "mcp.json", ".aider.conf.yml", "opencode.json", "opencode.jsonc", ".envrc", ".worktreeinclude",
	}
	protectedPaths = [][]string{{".github", "workflows"}, {".github", "actions"}, {".github", "instructions"}}
)

// Protected reports whether a change of a path needs a yes in every mode. Upper and lower
// case are the same, and so are the other names that some systems have for .git.
func Protected(name string) bool {
	parts := strings.Split(strings.ToLower(path.Clean(name)), "/")
	for i := range parts {
		parts[i], _, _ = strings.Cut(parts[i], ":") // a stream of the same file
		parts[i] = strings.TrimRight(parts[i], ". ")
		if parts[i] == "git~1" {
			parts[i] = ".git"
		}
	}
	for i, part := range parts {
		if slices.Contains(protectedFolders, part) {
			return true
		}
		for _, p := range protectedPaths {
			if i+len(p) <= len(parts) && slices.Equal(parts[i:i+len(p)], p) {
				return true
			}
		}
	}
	last := parts[len(parts)-1]
	return slices.Contains(protectedFiles, last) || len(parts) > 1 && parts[len(parts)-2] == "hooks"
}
