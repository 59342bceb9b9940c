package programtest

import (
	"encoding/json"
	"strings"
	"testing"
)

// An export goes through a pipe into another session.
func TestImportReadsStandardInput(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.run("ask", "plan a picnic")
	text := h.run("export").out
	if got := h.feed(text, "import", "--session", "copy", "-"); got.code != 0 || !strings.Contains(got.out, "Imported ") {
		t.Errorf("import - = %+v", got)
	}
	if got := h.feed("x", "--lang", "zh-CN", "import", "--session", "other", "-"); got.code != 1 || !strings.Contains(got.err, "标准输入：无法从中读取团队") {
		t.Errorf("import - of something else = %+v", got)
	}
}

func TestAnExportOfNoBackupIsRefused(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.write("notes.txt", "hello\n")
	if got := h.run("export", "--from", h.path("notes.txt")); got.code != 1 || got.err != "society-tui: "+h.path("notes.txt")+" is no backup of a session; export --from takes a file that backup has written\n" {
		t.Errorf("export = %+v", got)
	}
}

func TestTheVersionIsPrintedAsJSON(t *testing.T) {
	t.Parallel()
	got := newHome(t).run("version", "--output", "json")
	var build struct{ Version, Go, System string }
	if err := json.Unmarshal([]byte(got.out), &build); err != nil || build.Version == "" || !strings.HasPrefix(build.Go, "go1.") || !strings.Contains(build.System, "/") {
		t.Errorf("version = %+v, %v", got, err)
	}
}

// The folder of a backup that a running session writes is named as that of one that is not.
func TestABackupOfARunningSessionNamesTheMissingFolder(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve()
	if got := h.run("backup", "/nowhere/b.db"); got.code != 1 || got.err != "society-tui: no folder /nowhere; create it, or name another place\n" {
		t.Errorf("backup = %+v", got)
	}
}

// A line that was refused is a failure of a script, which ends all the same.
func TestARefusedLineOfAPipeIsAFailure(t *testing.T) {
	t.Parallel()
	for lines, code := range map[string]int{"/nosuch\n/agents\n": 1, "@nobody hello\n/agents\n": 1, "/agents\n": 0} {
		if got := newHome(t, "[model]", fast).feed(lines, "--plain"); got.code != code || !strings.Contains(got.out, "root: ") == strings.Contains(lines, "/agents") {
			t.Errorf("%q = %+v, want exit code %d", lines, got, code)
		}
	}
}
