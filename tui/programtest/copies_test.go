package programtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/tables/tablestest"
)

const stored = "data/society-tui/society.db"

// A society is copied in each possible way, and stays the same.
func TestASocietyIsCopiedExportedAndReadIn(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.crowded(40)
	export := func(args ...string) string {
		t.Helper()
		got := h.run(append([]string{"export"}, args...)...)
		if got.code != 0 || got.err != "" {
			t.Fatalf("export %q: exit code %d: %s", args, got.code, got.err)
		}
		return got.out
	}
	whole := export()
	for _, step := range [][]string{
		{"backup", h.path("copy.db")},
		{"export", "--out", h.path("all.json")},
		{"export", "--org", "--out", h.path("org.json")},
		{"export", "--format", "markdown", "--agent", "WORKER-1", "--out", h.path("one.md")},
		{"compact"},
		{"check"},
	} {
		if got := h.run(step...); got.code != 0 || got.err != "" || got.out == "" {
			t.Fatalf("%q: exit code %d, %q, %q", step, got.code, got.out, got.err)
		}
	}
	if h.read("all.json") != whole || export("--from", h.path("copy.db")) != whole || export() != whole {
		t.Error("the file, the backup and the compacted society are not all the same")
	}
	if text := h.read("one.md"); !strings.HasPrefix(text, "# worker-1 (worker)\n") || !strings.Contains(text, "## worker-21 (worker)") {
		t.Errorf("the Markdown begins with %.200s", text)
	}
	for _, from := range []string{"all.json", "copy.db"} {
		to := "--data=" + h.path("to-"+from)
		if got := h.run(to, "import", h.path(from)); got.code != 0 || !strings.Contains(got.out, "Imported") {
			t.Fatalf("import %s: exit code %d, %s%s", from, got.code, got.out, got.err)
		}
		if got := h.run(to, "export"); got.out != whole {
			t.Errorf("what came of %s is another society", from)
		}
		if got := h.run(to, "check"); got.code != 0 {
			t.Errorf("what came of %s: %s", from, got.err)
		}
	}
	to := "--data=" + h.path("to-org")
	if got := h.run(to, "import", h.path("org.json")); got.code != 0 {
		t.Fatalf("import the organisation: %s", got.err)
	}
	if got := h.run(to, "export", "--org"); got.out != h.read("org.json") {
		t.Errorf("organisation after the import =\n%s\nwant\n%s", got.out, h.read("org.json"))
	}
}

// The reader of an export may close it early, as head does: then the society is
// unlocked, and nothing is reported.
func TestAnExportWhoseReaderLeavesEndsInOrder(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.crowded(40)
	for _, format := range []string{"json", "markdown"} {
		read, write, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = read.Close()
		cmd := h.command("export", "--format", format)
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = write, &said
		_ = cmd.Run()
		_ = write.Close()
		if cmd.ProcessState.ExitCode() != 1 || said.String() != "" {
			t.Errorf("as %s it ended by %v and said %q", format, cmd.ProcessState, said.String())
		}
		if _, err := os.Stat(h.path(stored + ".lock")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("as %s it leaves the lock: %v", format, err)
		}
	}
}

// A signal during a backup or an export ends it with a message, and leaves no
// partial file.
func TestASignalInTheMiddleOfACopyLeavesNothing(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.settled(tablestest.Settlement{Agents: 1000, Said: 30})
	h.write("out/mine.new-1", "of somebody else")
	for _, args := range [][]string{{"backup", h.path("out/copy")}, {"export", "--out", h.path("out/all")}} {
		cut := h.interrupted(args)
		for n := 1; cut.code == 0 && n < 20; n++ { // it had finished before
			if err := os.Remove(args[len(args)-1]); err != nil {
				t.Fatal(err)
			}
			cut = h.interrupted(args)
		}
		if cut.code != 1 || cut.err != "society-tui: Cancelled; nothing was written\n" {
			t.Errorf("%q ended with %d and said %q", args, cut.code, cut.err)
		}
		if left, err := os.ReadDir(h.path("out")); err != nil || len(left) != 1 {
			t.Errorf("%q leaves %v, %v", args, left, err)
		}
		if _, err := os.Stat(h.path(stored + ".lock")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q leaves the lock: %v", args, err)
		}
	}
}

// interrupted runs a command that writes a file, its last argument, and
// interrupts it once writing has begun.
func (h *home) interrupted(args []string) said {
	h.t.Helper()
	cmd := h.command(args...)
	var told strings.Builder
	cmd.Stderr = &told
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	begun := time.Now()
	for drafts := []string(nil); len(drafts) == 0 && time.Since(begun) < patience; time.Sleep(time.Millisecond) {
		drafts, _ = filepath.Glob(args[len(args)-1] + "*")
	}
	_ = cmd.Process.Signal(os.Interrupt)
	_ = cmd.Wait()
	return said{code: cmd.ProcessState.ExitCode(), err: told.String()}
}

// A refusal says why, and changes no file.
func TestRefusedStoreCommandsChangeNothing(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.crowded(3)
	h.write("there", "a file of the person's")
	h.write("notes.md", "# notes\n")
	h.write("broken.json", `{"format":"society-tui export","version":1,"holds":"society","top":"","records":[{"table":"ghosts","id":"x","record":{}}]}`)
	h.write("part.json", h.run("export", "--agent", "worker-1").out)
	empty := "--data=" + h.path("empty")
	if err := os.Mkdir(h.path("empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	before := h.run("export").out
	h.write("all.json", before)
	long := strings.Repeat("x", 300)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"a backup over a file":           {[]string{"backup", h.path("there")}, "already exists"},
		"an export over a file":          {[]string{"export", "--out", h.path("there")}, "already exists"},
		"an export of nobody":            {[]string{"export", "--agent", "nobody-1", "--out", h.path("none")}, "no agent named nobody-1; there are: root, "},
		"an import of another file":      {[]string{empty, "import", h.path("there")}, "no society can be read"},
		"an import over a society":       {[]string{"import", h.path("all.json")}, "already holds a society"},
		"an import that cannot be held":  {[]string{empty, "import", h.path("broken.json")}, `ghosts "x"`},
		"an import of a part":            {[]string{empty, "import", h.path("part.json")}, "exported without --agent"},
		"an import of Markdown":          {[]string{empty, "import", h.path("notes.md")}, "Markdown"},
		"an import of what is not there": {[]string{empty, "import", h.path("nothing")}, "nothing"},
		"compacting nothing":             {[]string{empty, "compact"}, "no data yet"},

		"an export to no folder":               {[]string{"export", "--out", h.path("no/where.json")}, "no folder " + h.path("no") + "; create it"},
		"an export below a file":               {[]string{"export", "--out", h.path("there/x.json")}, "no folder " + h.path("there")},
		"an export to a name that is too long": {[]string{"export", "--out", h.path(long)}, "too long"},
		"an export of what is not there":       {[]string{"export", "--from", h.path("nothing")}, "nothing does not exist"},
		"an export of a folder":                {[]string{"export", "--from", h.path("empty")}, "empty is not a regular file"},
		"an export of something below a file":  {[]string{"export", "--from", h.path("there/x.db")}, "x.db does not exist"},
		"a backup to no folder":                {[]string{"backup", h.path("no/where.db")}, "no folder " + h.path("no") + "; create it"},
		"a backup to a name that is too long":  {[]string{"backup", h.path(long)}, "too long"},
		"an import from below a file":          {[]string{empty, "import", h.path("there/x.json")}, "not a directory"},
		"an import to below a file":            {[]string{"--data=" + h.path("there/x"), "import", h.path("all.json")}, "not a directory"},
		"an import to where nobody may write":  {[]string{"--data=/proc/x", "import", h.path("all.json")}, "no folder /proc/x"},
	} {
		got := h.run(c.args...)
		if got.code != 1 || !strings.Contains(got.err, c.says) || strings.Contains(got.err, "new-") {
			t.Errorf("%s: exit code %d: %s", name, got.code, got.err)
		}
	}
	if h.run("export").out != before || h.read("there") != "a file of the person's" {
		t.Error("a file was changed")
	}
	if _, err := os.Stat(h.path("none")); err == nil {
		t.Error("a half export was left")
	}
	if left, _ := filepath.Glob(h.path("empty/*")); len(left) > 0 {
		t.Errorf("left in the empty place: %v", left)
	}
}

// Commands print in the user's language, also refusals.
func TestCommandsPrintInTheUsersLanguage(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	empty := h.run("--lang", "zh-CN", "check")
	if !strings.Contains(empty.out, h.path(stored)+"：还没有数据") {
		t.Errorf("check of nothing: %s%s", empty.out, empty.err)
	}
	h.crowded(3)
	h.write("notes.md", "# notes\n")
	h.write("all.json", h.run("export").out)
	h.write("config.txt", "no society")
	for name, c := range map[string]struct {
		args []string
		says string
		code int
	}{
		"check":                  {[]string{"check"}, "没有损坏", 0},
		"compact":                {[]string{"compact"}, "，之前 ", 0},
		"export":                 {[]string{"export", "--out", h.path("out.json")}, "out.json: ", 0},
		"import":                 {[]string{"--data", h.path("new"), "import", h.path("all.json")}, "已导入 ", 0},
		"import over a society":  {[]string{"import", h.path("all.json")}, "中已有一个团队", 1},
		"import of Markdown":     {[]string{"import", h.path("notes.md")}, "供阅读的 Markdown", 1},
		"import of nothing":      {[]string{"import", h.path("none")}, "none 不存在", 1},
		"a backup over a file":   {[]string{"backup", h.path("notes.md")}, "已存在，未改动", 1},
		"an export of nobody":    {[]string{"export", "--agent", "nobody-1"}, "没有名为 nobody-1 的智能体；现有：root、", 1},
		"a backup to no folder":  {[]string{"backup", h.path("no/x.db")}, "没有文件夹 " + h.path("no"), 1},
		"import of no society":   {[]string{"--data", h.path("other"), "import", h.path("config.txt")}, "无法从中读取团队", 1},
		"models":                 {[]string{"models", "--no-check"}, "未询问", 0},
		"templates":              {[]string{"templates"}, "内置", 0},
		"settings there already": {[]string{"--config", h.path("notes.md"), "config", "init"}, "已存在", 1},
	} {
		got := h.run(append([]string{"--lang", "zh-CN"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.out+got.err, c.says) {
			t.Errorf("%s: exit code %d: %s%s", name, got.code, got.out, got.err)
		}
	}
}

// While the society runs, its program writes what copies it; other commands name the process
// that has it open, with advice. /backup on its screen copies it, too.
func TestARunningSocietyIsCopiedByItsProgram(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.write("Count the words of: one two three.")
	x.press("enter")
	x.sees("root → you")
	for _, args := range [][]string{{"check"}, {"compact"}, {"import", h.path("data/society-tui/society.db.lock")}} {
		got := h.run(args...)
		if got.code != 1 || !(strings.Contains(got.err, "pid") && strings.Contains(got.err, "society-tui quit")) && args[0] != "import" {
			t.Errorf("%q: exit code %d: %s", args, got.code, got.err)
		}
	}
	for _, args := range [][]string{{"backup", h.path("b")}, {"export", "--out", h.path("all.json")}, {"export", "--org", "--out", h.path("org.json")}} {
		if got := h.run(args...); got.code != 0 || !strings.HasPrefix(got.out, args[len(args)-1]+": ") || got.err != "" {
			t.Errorf("%q: %+v", args, got)
		}
	}
	for _, from := range []string{"b", "all.json", "org.json"} {
		if got := h.run("--session", from[:1], "import", h.path(from)); got.code != 0 {
			t.Errorf("import %s: %+v", from, got)
		}
	}
	for _, format := range []string{"markdown", "md"} {
		if got := h.run("export", "--format", format, "--agent", "ROOT"); got.code != 0 || !strings.HasPrefix(got.out, "# root") {
			t.Errorf("Markdown of a running one: %+v", got)
		}
	}
	if got := h.run("backup", h.path("b")); got.code != 1 || !strings.Contains(got.err, "already exists") {
		t.Errorf("a backup over a file: %+v", got)
	}
	x.write("/backup " + h.path("copy.db"))
	x.press("enter")
	x.sees("Backup written")
	x.write("/backup " + h.path("copy.db"))
	x.press("enter")
	x.sees("File exists and was left as it is", "/backup")
	x.press("ctrl+c") // clears the text
	x.write("/backup ~/none/copy.db")
	x.press("enter")
	x.sees("Cannot write the backup: no folder ~/none", "/backup")
	x.press("ctrl+c")
	x.write("/backup ~/at-home.db") // no shell expands ~
	x.press("enter")
	x.sees("Backup written: " + h.path("at-home.db")[:30])
	if h.read("at-home.db") == "" {
		t.Error("the backup is empty")
	}
	x.quit()
	to := "--data=" + h.path("again")
	if got := h.run(to, "import", h.path("copy.db")); got.code != 0 {
		t.Fatalf("the backup: %s", got.err)
	}
	if got := h.run(to, "export", "--format", "markdown"); !strings.Contains(got.out, "one two three") {
		t.Errorf("the backup's conversation =\n%s\nwant one two three", got.out)
	}
}

// What is readable of a damaged society is rescued, and losses are reported.
func TestReadablePartOfADamagedSocietyIsRescued(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.crowded(300)
	content := []byte(h.read(stored))
	page := os.Getpagesize()
	at := strings.LastIndex(string(content), `"objective":"read part 150"`) / page * page
	clear(content[at : at+page])
	h.write(stored, string(content))
	if got := h.run("check"); got.code != 1 {
		t.Fatalf("the file is not damaged: %s", got.out)
	}
	x := h.open(120, 30).opened()
	x.sees("damaged", "import")
	x.closesNotice()
	x.quit()
	aside, err := filepath.Glob(h.path(stored + ".damaged-*"))
	if err != nil || len(aside) != 1 {
		t.Fatalf("moved aside: %v, %v", aside, err)
	}
	got := h.run("import", aside[0])
	if got.code != 0 || !strings.Contains(got.out, "Not readable, or rebuilt") {
		t.Fatalf("exit code %d: %s%s", got.code, got.out, got.err)
	}
	if got := h.run("check"); got.code != 0 {
		t.Errorf("what came back is not sound: %s", got.err)
	}
	if n := strings.Count(h.run("export").out, `{"table":"agents"`); n < 250 {
		t.Errorf("%d of 300 agents came back", n)
	}
	if strings.Contains(h.run("import", aside[0]).out, "read in") {
		t.Error("it was taken in a second time")
	}
}
