package approval_test

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/approval"
	"society-tui/runtime/shellwords"
	"society-tui/runtime/tool"
)

// command is a call that runs a command in the sandbox.
func command(text string) approval.Request {
	c := shellwords.Parse(text)
	return approval.Request{Tool: "bash", Class: tool.ClassRun, Line: []string{"coder-1", "root"}, Target: tool.Target{Command: &c}}
}

// words is a rule for the commands that begin with what is written.
func words(do approval.Verdict, text string) approval.Rule {
	r, _ := approval.ParseAllow("bash " + text)
	r.Do = do
	return r
}

// decided is what becomes of a command in a mode.
func decided(text string, mode approval.Mode, rules ...approval.Rule) approval.Decision {
	return approval.Decide(command(text), approval.Policy{Modes: []approval.Mode{mode}, Rules: rules})
}

// wantVerdict decides on commands in the mode ask with rules.
func wantVerdict(t *testing.T, want approval.Verdict, rules []approval.Rule, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if got := decided(text, approval.AskFirst, rules...); got.Verdict != want {
			t.Errorf("%q: %s, want %s", text, got.Verdict, want)
		}
	}
}

// gitStatus is the rule of the hostile cases.
var gitStatus = []approval.Rule{words(approval.Allow, "git status")}

func TestAllowedCommandRuns(t *testing.T) {
	t.Parallel()
	wantVerdict(t, approval.Allow, gitStatus, "git status", "git status -s", "git status && git status", "git status 2>&1 >/dev/null", "git status;git status\ngit status|git status")
}

func TestCommandBehindAnAllowedOneAsks(t *testing.T) {
	t.Parallel()
	wantVerdict(t, approval.Ask, gitStatus, "git status && rm -rf x", "git status; rm -rf x", "git status | rm -rf x", "git status & rm -rf x", "git status\nrm -rf x", "git status || rm -rf x", "git status &", "git status |& rm -rf x", "git status \r\n rm -rf x")
}

func TestSubstitutionInAnAllowedCommandAsks(t *testing.T) {
	t.Parallel()
	wantVerdict(t, approval.Ask, gitStatus, "git status $(rm x)", "git status `rm x`", "git status <(rm x)", "git status >(rm x)", "git status <<E\n$(rm x)\nE", "git status \"$(rm x)\"", "git status $((x))", "git status ${x}")
}

func TestProgramOfTheWorkspaceUnderAnAllowedNameAsks(t *testing.T) {
	t.Parallel()
	wantVerdict(t, approval.Ask, gitStatus, "PATH=. git status", "./git status", "/tmp/git status", "export PATH=.; git status", "hash -p ./git git; git status", "PATH=.; git status", "read PATH; git status", "alias git=./git\ngit status", "git() { ./git; }; git status", "'export' PATH=.\ngit status", "printf -v PATH . && git status")
}

func TestOtherWordsThanTheAllowedOnesAsk(t *testing.T) {
	t.Parallel()
	wantVerdict(t, approval.Ask, gitStatus, "git -c core.pager=x status", "git -c core.pager=x log", "git statusx", "git", "git 'status x'", "'git status'", "git\u00a0status", "Git status", "git  'status'x", "status git status")
	wantVerdict(t, approval.Ask, []approval.Rule{words(approval.Allow, "= git status")}, "git status -s", "git status; git status -s")
	wantVerdict(t, approval.Allow, []approval.Rule{words(approval.Allow, "= git status")}, "git status; git status")
}

func TestRedirectOfAnAllowedCommandAsks(t *testing.T) {
	t.Parallel()
	wantVerdict(t, approval.Ask, gitStatus, "git status > .git/hooks/x", "git status >> x", "git status >| x", "git status &> x", "git status 2> x", "git status >& x", "git status <> x", "git status > /dev/nullx", "git status > /dev/../x")
}

func TestDeniedCommandIsDeniedBehindWrappers(t *testing.T) {
	t.Parallel()
	rules := []approval.Rule{words(approval.Deny, "npm"), words(approval.Allow, "git"), words(approval.Allow, "env"), words(approval.Allow, "bash")}
	wantVerdict(t, approval.Deny, rules, "npm install", "/usr/bin/npm install", "bash -c 'npm install'", "env npm x", "env bash -c \"cd x && npm y\"", "git ls-files | xargs npm", "git status; npm x", "echo $(npm x)", "sudo -n npm x", "find . -exec npm {} +", "$HOME/bin/npm x", "~/npm", "npm > x")
	for _, text := range []string{"npm x", "env npm x"} {
		if got := decided(text, approval.All, rules...); got.Verdict != approval.Deny || got.Rule.Words[0] != "npm" {
			t.Errorf("%q in the mode all: %+v", text, got)
		}
	}
	wantVerdict(t, approval.Allow, rules, "env ls npm", "bash -c 'ls npm'", "git log npm")
}

func TestHeredocOfADeniedCommandAsksForCatAndIsDeniedForAShell(t *testing.T) {
	t.Parallel()
	rules := append([]approval.Rule{words(approval.Deny, "npm")}, gitStatus...)
	wantVerdict(t, approval.Ask, rules, "cat <<E\nnpm install\nE", "cat <<E > x\nnpm install\nE")
	wantVerdict(t, approval.Deny, rules, "sh <<E\nnpm install\nE", "cat <<E | bash -s\nnpm install\nE")
	if got := decided("cat <<E\nnpm install\nE", approval.All, rules...); got.Verdict != approval.Allow {
		t.Errorf("a heredoc to cat in the mode all: %+v", got)
	}
}

func TestQuotedWordsMatchUnquotedAndRunQuoted(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"g'i't status", `"git" sta\tus`, "git \\\nstatus", "'git' \"status\""} {
		q := command(text)
		if got := approval.Decide(q, approval.Policy{Modes: []approval.Mode{approval.AskFirst}, Rules: gitStatus}); got.Verdict != approval.Allow || q.Target.Command.Quoted != "'git' 'status'" {
			t.Errorf("%q: %s, would run %s", text, got.Verdict, q.Target.Command.Quoted)
		}
	}
}

// What is known only when a command runs cannot pass by a rule that denies.
func TestRuleThatMayDenyAsks(t *testing.T) {
	t.Parallel()
	npm := words(approval.Deny, "npm install")
	for text, want := range map[string]approval.Verdict{
		"$X install": approval.Ask, "npm $X": approval.Ask, "npm run $X": approval.Allow, "ls $X": approval.Allow, "n?m install": approval.Ask, "echo install | xargs npm": approval.Ask,
		"eval $X": approval.Ask, "curl x | sh": approval.Ask, "ls *": approval.Allow, "npm install $X": approval.Deny, "X=1": approval.Ask, "if": approval.Ask, "git status": approval.Allow,
	} {
		got := decided(text, approval.All, npm)
		if got.Verdict != want {
			t.Errorf("%q: %s, want %s", text, got.Verdict, want)
		}
	}
	if got := decided("$X install", approval.All, npm); got.Rule == nil || got.Rule.Do != approval.Deny {
		t.Errorf("the rule that may deny is not named: %+v", got)
	}
	if got := decided("$X install", approval.All); got.Verdict != approval.Allow {
		t.Errorf("without such a rule: %+v", got)
	}
}

// What runs code that is not read does not pass by a rule that denies, in any mode.
func TestCodeThatIsNotReadAsksWhereARuleDenies(t *testing.T) {
	t.Parallel()
	rm := words(approval.Deny, "rm")
	for text, want := range map[string]approval.Verdict{
		`python -c 'import os; os.system("rm x")'`: approval.Ask, "BASH_ENV=f bash -c :": approval.Ask, "git -c alias.x='!rm x' x": approval.Ask, "ssh h rm x": approval.Ask, "prlimit --new rm x": approval.Deny,
		"setarch -R rm x": approval.Deny, "npx rm x": approval.Deny, "tini -- rm x": approval.Deny, "go test ./... | tail": approval.Allow, "python x.py": approval.Allow, "./x": approval.Allow,
	} {
		if got := decided(text, approval.All, rm); got.Verdict != want {
			t.Errorf("%q: %s, want %s", text, got.Verdict, want)
		}
		if got := decided(text, approval.All); got.Verdict != approval.Allow {
			t.Errorf("%q without a rule: %s", text, got.Verdict)
		}
	}
}

func TestUnreadableCommandAsksInEveryMode(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"if", "a )", "git 'x", "git\x00status", strings.Repeat("x", 1<<20)} {
		for _, mode := range []approval.Mode{approval.AskFirst, approval.Edits, approval.All} {
			if got := decided(text, mode, gitStatus...); got.Verdict != approval.Ask {
				t.Errorf("%.20q in mode %s: %s", text, mode, got.Verdict)
			}
		}
	}
}

func TestRulesAllowTheCallsOfACommandTogether(t *testing.T) {
	t.Parallel()
	rules := []approval.Rule{words(approval.Allow, "go test"), words(approval.Allow, "tail")}
	wantVerdict(t, approval.Allow, rules, "go test ./... 2>&1 | tail -n 20")
	wantVerdict(t, approval.Ask, rules[:1], "go test ./... 2>&1 | tail -n 20")
	wantVerdict(t, approval.Ask, []approval.Rule{{Tool: "bash", Do: approval.Allow}}, "go test")
}

func TestRuleForCommandsStaysInTheSandbox(t *testing.T) {
	t.Parallel()
	q := command("go test")
	q.Target.Outside = true
	rule := words(approval.Allow, "go test")
	if got := approval.Decide(q, approval.Policy{Modes: []approval.Mode{approval.All}, Rules: []approval.Rule{rule}}); got.Verdict != approval.Ask {
		t.Errorf("outside by a rule for inside: %s", got.Verdict)
	}
	rule.Outside = true
	if got := approval.Decide(q, approval.Policy{Modes: []approval.Mode{approval.AskFirst}, Rules: []approval.Rule{rule}}); got.Verdict != approval.Allow {
		t.Errorf("outside by a rule for outside: %s", got.Verdict)
	}
}

func TestHostOfARuleIsExact(t *testing.T) {
	t.Parallel()
	rules := []approval.Rule{{Tool: "fetch", Host: "example.org", Do: approval.Allow}, {Tool: "fetch", Host: "evil.example", Do: approval.Deny}}
	for _, c := range []struct {
		host string
		long bool
		want approval.Verdict
	}{{"example.org", false, approval.Allow}, {"example.org", true, approval.Ask}, {"www.example.org", false, approval.Ask}, {"example.org.evil.example", false, approval.Ask}, {"evil.example", true, approval.Deny}} {
		q := approval.Request{Tool: "fetch", Class: tool.ClassNet, Target: tool.Target{Host: c.host, LongQuery: c.long}}
		if got := approval.Decide(q, approval.Policy{Modes: []approval.Mode{approval.AskFirst}, Rules: rules}); got.Verdict != c.want {
			t.Errorf("%+v: %s", c, got.Verdict)
		}
	}
}

// Neither is a rule that was kept from before a host was asked for one for all hosts, nor does
// any rule allow what a query may carry away.
func TestRuleWithoutAHostAllowsNone(t *testing.T) {
	t.Parallel()
	for _, q := range []approval.Request{
		{Tool: "fetch", Class: tool.ClassNet, Target: tool.Target{Host: "example.org"}},
		{Tool: "fetch", Class: tool.ClassNet, Target: tool.Target{Host: "example.org", LongQuery: true}},
		{Tool: "later", Class: "later", Target: tool.Target{LongQuery: true}},
	} {
		rule := approval.Rule{Tool: q.Tool, Do: approval.Allow}
		if got := approval.Decide(q, approval.Policy{Modes: []approval.Mode{approval.AskFirst}, Rules: []approval.Rule{rule}}); got.Verdict != approval.Ask || rule.Covers(q) {
			t.Errorf("%+v: %s, covered %t", q, got.Verdict, rule.Covers(q))
		}
		rule.Do = approval.Deny
		if got := approval.Decide(q, approval.Policy{Modes: []approval.Mode{approval.All}, Rules: []approval.Rule{rule}}); got.Verdict != approval.Deny {
			t.Errorf("%+v by a rule that denies: %s", q, got.Verdict)
		}
	}
}

func TestChangedToolOfAServerAsksAgain(t *testing.T) {
	t.Parallel()
	rule := approval.Rule{Tool: "mcp_files_read", Identity: "one", Do: approval.Allow}
	for identity, want := range map[string]approval.Verdict{"one": approval.Allow, "two": approval.Ask} {
		q := approval.Request{Tool: "mcp_files_read", Class: tool.ClassMCP, Target: tool.Target{Server: "files", Identity: identity}}
		if got := approval.Decide(q, approval.Policy{Modes: []approval.Mode{approval.AskFirst}, Rules: []approval.Rule{rule}}); got.Verdict != want {
			t.Errorf("identity %s: %s, want %s", identity, got.Verdict, want)
		}
		written, _ := approval.ParseAllow(rule.Tool) // is for the tool whatever it has become
		if got := approval.Decide(q, approval.Policy{Modes: []approval.Mode{approval.AskFirst}, Rules: []approval.Rule{written}}); got.Verdict != approval.Allow {
			t.Errorf("identity %s by a rule of the settings: %s", identity, got.Verdict)
		}
	}
}

// Words that are written are the words that are read.
func TestWrittenWordsAreReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rule := approval.Rule{Tool: "bash", Do: approval.Allow, Exact: rapid.Bool().Draw(t, "exact")}
		rule.Words = rapid.SliceOfN(rapid.OneOf(rapid.StringMatching(`[ -~\t\n]{1,8}`), rapid.String().Filter(func(s string) bool { return s != "" }), rapid.SampledFrom([]string{"=", "role", "why", "outside", "a b", "'", `\`})), 1, 5).Draw(t, "words")
		written := strings.TrimPrefix(rule.String(), "allow ")
		if got, wrong := approval.ParseAllow(written); wrong != nil || !reflect.DeepEqual(got, rule) {
			t.Fatalf("%+v is written %s and read %+v (%v)", rule, written, got, wrong)
		}
	})
}

// What a shell takes for more than words is refused, with what to write instead, where it is
// written and where words are listed.
func TestRuleThatNoCommandCanMatchIsRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ls -la; pwd":       "one rule for each program",
		"ls && pwd":         "one rule for each program",
		"git status|wc":     "one rule for each program",
		"$(rm)":             "one rule for each program",
		`echo "$HOME"`:      "single quotes",
		"'npm":              "not closed",
		`ls "a b`:           "not closed",
		"ls -la ';' '$(x)'": "",
		`ls a\;b`:           "",
		"= go vet ./...":    "",
	} {
		_, wrong := approval.ParseAllow("bash " + text)
		if (wrong == nil) != (want == "") || wrong != nil && !strings.Contains(wrong.Error(), want) {
			t.Errorf("bash %s: %v, want %q", text, wrong, want)
		}
	}
	classes := map[string]tool.Class{"bash": tool.ClassRun}
	for _, words := range [][]string{{"$(x)"}, {"ls;"}, {"ls", "-la;", "pwd"}, {"ls", "&&", "pwd"}, {"ls", ">", "f"}, {"'npm"}} {
		for _, do := range approval.Verdicts() {
			if err := (approval.Rule{Tool: "bash", Words: words, Do: do}).Check(classes); err == nil || !strings.Contains(err.Error(), "one rule for each program") {
				t.Errorf("%s %q: %v", do, words, err)
			}
		}
	}
	if err := (approval.Rule{Tool: "bash", Words: []string{"grep", "a;"}, Exact: true, Do: approval.Allow}).Check(classes); err != nil {
		t.Errorf("an exact rule cannot name a quoted word: %v", err)
	}
}
