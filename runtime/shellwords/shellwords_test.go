package shellwords_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/propertytest"
	"society-tui/runtime/shellwords"
)

// said writes calls in one line.
func said(calls [][]string) string { return fmt.Sprintf("%q", calls) }

func TestPlainCommandsAreQuotedAnew(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"git status":                            `'git' 'status'`,
		"g'i't \"status\" -s":                   `'git' 'status' '-s'`,
		`git commit -m "it's \"done\" \\ \n"`:   `'git' 'commit' '-m' 'it'\''s "done" \ \n'`,
		`echo a\ b \'`:                          `'echo' 'a b' ''\'''`,
		"go test ./... 2>&1 | tail -n 5":        `'go' 'test' './...' 2>&1 | 'tail' '-n' '5'`,
		"a && b || c; d\ne &&\n  f":             "'a' && 'b' || 'c'\n'd'\n'e' && 'f'",
		"make >/dev/null 2>>/dev/null":          `'make' >'/dev/null' 2>>'/dev/null'`,
		">/dev/null make":                       `'make' >'/dev/null'`,
		"git diff HEAD~1 HEAD^ --stat -U=3":     `'git' 'diff' 'HEAD~1' 'HEAD^' '--stat' '-U=3'`,
		"# say it\ngit status # short":          `'git' 'status'`,
		"go test \\\n  ./...":                   `'go' 'test' './...'`,
		"cat '文件.txt' 日志":                       `'cat' '文件.txt' '日志'`,
		"cd sub && pwd":                         `'cd' 'sub' && 'pwd'`,
		"printf -- %s x; printf '%s\n' y; true": "'printf' '--' '%s' 'x'\n'printf' '%s\n' 'y'\n'true'",
		"rg '$(x) `y` *' 'two\nlines'":          "'rg' '$(x) `y` *' 'two\nlines'",
	} {
		got := shellwords.Parse(text)
		if !got.Plain || got.Quoted != want {
			t.Errorf("Parse(%q) = %+v, want plain and %s", text, got, want)
		}
		again := shellwords.Parse(got.Quoted)
		if !again.Plain || again.Quoted != got.Quoted || !reflect.DeepEqual(again.Calls, got.Calls) {
			t.Errorf("what is quoted is read otherwise: %+v, then %+v", got, again)
		}
	}
}

func TestWhatIsNotPlainSaysSo(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "  ", "# nothing", "git status &", "git status & rm x", "(git status)", "{ git status; }", "! git status", "time git status",
		"A=b git status", "A=b", "git+=x", "a[0]=1 git status", "PATH=. git status", `git "$X"`, "git $X", "git ${X}", "git `x`", "git $(x)", `git "$(x)"`, "git <(x)", "git $((1))", "git $[1]",
		"git *", "git a?", "git [ab]", "git {a,b}", "git {1..3}", "git ~", "git ~root", "git --x=~", "git a:~", "git @(a|b)", "git +(a)",
		"git $'x'", `git $"x"`, "git status > x", "git status >> x", "git status < x", "git status &> /dev/null", "git status >& /dev/null", "git status >| /dev/null", "git status |& tail",
		"git status < /dev/null", "git status 3>/dev/null", "git status 2>&-", "git status >&2", "git status {x}>/dev/null", "git status 2>& x", "> /dev/null",
		"cat <<E\nx\nE", "cat <<< x", "if true; then git status; fi", "for i in a; do git status; done", "while true; do x; done", "case a in a) x;; esac", "f() { x; }; f", "function f { x; }",
		"select a in b; do x; done", "coproc x", "[[ a ]]", "((1))", "let x=1", "export PATH=.", `"export" PATH=.`, `\export PATH=.`, "'unset' PATH", "eval x", "'eval' x", `\eval x`, "source x", ". x", "exec x", "command x", "builtin x", "trap x EXIT", "alias git=rm",
		"set -k", "hash -p ./x git", "enable -f x y", "shopt -s expand_aliases", "read PATH", "printf -v PATH .", "printf -vPATH .", "'test' -v 'a[$(x)]'", "test x", "'[' x ']'", "mapfile x", "'if' x", "'time' x", "''", "%1", "'A=b' x", "a!b", "'!' x",
		"git\rstatus", "git status\r\nrm x", "git\vstatus", "git\x01status", "git\x7f", "git\u00a0status", "git\u3000status", "git \u202estatus", "git \u200bstatus", "git \xff", "git \\", "git status |", "git status; ; x", "git status )", "git 'x", "git status\x00rm",
		"git status && ! x", "git status || { x; }", "wait", "ulimit -n 1", "git a#b", "umask 0", "cd a b && git status", "git status # x\\\nrm x", "git status # x\\\n",
		strings.Repeat("a && ", 1000) + "a", "git " + strings.Repeat("x", 64<<10), strings.Repeat("(", 300) + "a" + strings.Repeat(")", 300),
	} {
		if got := shellwords.Parse(text); got.Plain || got.Quoted != "" || got.Within != nil {
			t.Errorf("Parse(%.60q) = %+v, want not plain", text, got)
		}
	}
}

// Rules that deny see the calls of a command wherever they are.
func TestCallsAreFoundBehindWrappers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"npm install", "env npm install", "env -i A=b -u C npm install", "env -S 'npm install'", "sudo -u root -E npm install", "sudo A=b npm install", "nohup npm install", "nice -n 5 npm install", "nice -5 npm install",
		"timeout -k 5 10 npm install", "timeout --signal=KILL 10 npm install", "xargs -n1 npm install", "xargs -0r -P 4 npm install", "time npm install", "command npm install", "command -p npm install", "exec npm install", "exec -a x npm install", "builtin npm install", "stdbuf -oL npm install", "setsid -f npm install",
		"bash -c 'npm install'", "sh -ec 'npm install'", "bash -c -e 'npm install'", "bash -o errexit -c 'npm install' x", "dash -c 'npm install'", "/bin/zsh -c 'npm install'", "env bash -c 'npm install'", `bash -c "bash -c 'npm install'"`, "sudo sh -c 'cd x && npm install'",
		"find . -name x -exec npm install ';'", `find . -execdir sh -c 'npm install' \;`, "eval npm install", "eval 'npm install'", "trap 'npm install' EXIT", "alias x='npm install'", "flock /tmp/x npm install", "flock /tmp/x -c 'npm install'", "su -c 'npm install' ann", "watch npm install", "watch -n 1 'npm install'", "script -c 'npm install'",
		"busybox npm install", "chroot / npm install", "strace -f -e trace=all npm install", "env -i sudo -u x nice timeout 5 npm install", "ionice -c 3 npm install",
		"setarch -R npm install", "setarch x86_64 npm install", "linux32 npm install", "linux64 -R npm install", "i386 npm install", "x86_64 npm install", "uname26 npm install", "choom -n 5 -- npm install", "uclampset -m 5 npm install", "runcon -t x npm install", "runcon a:b:c npm install", "chrt -f 5 npm install", "taskset -c 1 npm install",
		"tini -s -- npm install", "dumb-init -c npm install", "gosu ann npm install", "su-exec ann npm install", "systemd-inhibit --why=x npm install", "systemd-run --user --pty npm install", "cpulimit -l 5 npm install", "prlimit --nofile=9 npm install", "unshare -r npm install", "nsenter -t 1 -m npm install",
		"script -qc 'npm install' /dev/null", "script /dev/null -- npm install", "script -ec'npm install' x", "parallel ::: 'npm install'", "parallel ::: x 'npm install'", "eval -- npm install", "trap -- 'npm install' EXIT", "ls | entr -s 'npm install'", "conda run -n x npm install", "xargs -rn1 npm install", "xargs -0I% npm install", "parallel npm install ::: x", "npx -y npm install", "npx -c 'npm install'", "bunx npm install", "pnpm dlx npm install", "yarn dlx npm install", "npm exec -- npm install", "npm --silent exec npm install", "npm x npm install", "toybox npm install", "/lib64/ld-linux-x86-64.so.2 /usr/bin/npm install", "csh -c 'npm install'", "find . -ok npm install ';'", "find . -okdir npm install ';'",
		"echo $(npm install)", "echo `npm install`", "cat <(npm install)", "echo \"$(npm install)\"", "x=$(npm install)", "cat <<E\n$(npm install)\nE", "(npm install)", "{ npm install; }", "! npm install", "npm install &", "if npm install; then :; fi", "for i in 1; do npm install; done", "while :; do npm install; done", "case x in x) npm install;; esac", "f() { npm install; }; f", "coproc npm install", "a=(`npm install`)", "[[ -n $(npm install) ]]", "echo $((`npm install`))", "echo ${x:-$(npm install)}", "export X=$(npm install)",
		"sh <<E\nnpm install\nE", "bash -s <<'E'\nnpm install\nE", "bash <<< 'npm install'", "sudo bash <<E\nnpm install\nE", "cat <<E | sh\nnpm install\nE", "echo npm install | sh", "echo 'npm install' | sudo bash -s x", "printf 'npm install' | env sh", "sh /dev/stdin <<E\nnpm install\nE", ". /dev/stdin <<E\nnpm install\nE",
		"n'p'm install", `\npm install`, `"npm" install`, "$'npm' install", "X=y npm install", "npm install > x", "npm install &> x", "true && npm install", "true\nnpm install", "npm\\\n install", "npm i''nstall",
	} {
		got := shellwords.Parse(text)
		if !slices.ContainsFunc(slices.Concat(got.Calls, got.Within), func(call []string) bool {
			return len(call) > 1 && shellwords.Program(call[0]) == "npm" && call[1] == "install"
		}) {
			t.Errorf("Parse(%q) finds %s within %s, want npm install", text, said(got.Calls), said(got.Within))
		}
	}
}

// What is computed when it runs is told as far as it is known.
func TestPartialCallsAreToldAsFarAsTheyAreKnown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"$X install": `[[]]`, "np* x": `[[]]`, "`which npm` install": `[[]]`, "npm $X": `[["npm"] []]`, "npm run $X y": `[["npm" "run"]]`,
		"xargs npm": `[["npm"] []]`, "xargs ls": `[["ls"]]`, "env $X npm": `[["env"] []]`, "bash -c \"$X\"": `[["bash" "-c"] []]`, "echo x | tee | sh": `[[]]`, "bash -c 'if'": `[[]]`,
		"find . -exec npm {} +": `[["npm"] []]`, `$'\x6epm' install`: `[[]]`, "git status": `[]`, "ls # x\\\nnpm install": `[[]]`, "test -v 'a[$(npm)]'": `[[]]`, "echo @($(npm))": `[["echo"] []]`,
	} {
		if got := shellwords.Parse(text); said(got.Partial) != want {
			t.Errorf("Parse(%q) tells the partial calls %s, want %s", text, said(got.Partial), want)
		}
	}
}

// A plain command keeps the calls behind its wrappers apart: no rule that allows looks there.
func TestPlainCommandsKeepWhatIsWithinApart(t *testing.T) {
	t.Parallel()
	got := shellwords.Parse("env A=b npm install | bash -c 'rm x'")
	if !got.Plain || said(got.Calls) != `[["env" "A=b" "npm" "install"] ["bash" "-c" "rm x"]]` || said(got.Within) != `[["npm" "install"] ["rm" "x"]]` {
		t.Errorf("got %+v", got)
	}
}

// Code that is not read may call anything.
func TestCodeThatIsNotReadMayCallAnything(t *testing.T) {
	t.Parallel()
	anything := func(text string) bool {
		return slices.ContainsFunc(shellwords.Parse(text).Partial, func(call []string) bool { return len(call) == 0 })
	}
	for _, text := range []string{
		`perl -e 'system "rm x"'`, `perl -pe x a`, `python -c 'import os'`, `python3.12 -c x`, `python3 -m timeit x`, `python3 -`, `echo x | python3`, `python3 <<E` + "\nx\nE", `node -e x`, `node --eval=x`, `ruby -e x`, `php -r x`, `lua -e x`, `tclsh`, `guile -c x`, `elixir -e x`, `Rscript -e x`, `julia -E x`, `osascript -e x`, `pwsh -c x`, `deno eval x`, `bun -e x`, `swift -e x`, `expect -c x`, `fish -c x`, `csh -c x`, `env perl -e x`, `find . -exec perl -e x {} +`,
		`awk 'BEGIN{system("rm x")}'`, `awk '{print | "sh"}'`, `gawk 'BEGIN{f="sys" "tem";@f("rm")}'`, `awk "$X"`, `sed 's/x/rm x/e' a`, `sed '1e rm x' a`, `sed -n 's/x/y/;e rm' a`, `sed --e='s/x/y/e' a`, `sed p -e 'e rm'`, `sed "$X" a`,
		`ssh h rm x`, `tmux new 'rm x'`, `vim -c '!rm x'`, `sqlite3 a '.shell rm'`, `at now`, `docker run a rm x`, `docker compose exec a rm x`, `kubectl exec a -- rm x`, `make SHELL=rm`, `make --eval='x:;rm x'`, `make -f - x`, `tar --to-command='rm x' -xf a`, `tar --to='rm x' -xf a`, `tar xIf rm a`, `rsync -e 'rm x' a b`, `rg --pre rm x`, `sort --compress-program=rm`, `go test -exec 'rm x'`, `nc -le rm`,
		`git -c alias.x='!rm x' x`, `git --config-env=a=b x`, `git difftool -x 'rm x'`, `git rebase -x 'rm x' a`, `git bisect run rm x`, `git submodule foreach 'rm x'`, `git config alias.x '!rm x'`, `git push --receive-pack='rm x' a`, `git fetch --upload 'rm x' a`, `git grep -Orm x`, `git clone -u rm a`, `git $X`,
		`BASH_ENV=f bash -c :`, `ENV=f sh -c :`, `env BASH_ENV=f bash -c :`, `sudo ENV=f sh`, `export BASH_ENV=f`, `'export' BASH_ENV=f`, `BASH_ENV=f`, `PROMPT_COMMAND='rm x' bash -i`, `LD_PRELOAD=./x ls`, `GIT_SSH_COMMAND='rm x' git fetch`, `GIT_EDITOR=rm git commit`, `EDITOR+=x y`, `PAGER=rm man ls`, `NODE_OPTIONS=x node a`,
		`mapfile -C 'rm x' a <f`, `complete -C 'rm x' y`, `bind -x '"a":rm x'`, `hash -p /bin/rm q; q x`, `enable -f x rm`, `prlimit --x 9 rm x`, `bwrap --bind / / rm x`, `less +!rm x`, `cargo watch -x x`, `nix develop -c rm x`, `xterm -e rm x`, `xargs -I% sh -c %`, `xargs -0I% sh -c %`, `xargs -0I % sh -c %`, `fd --exec=rm`, `fd . -xrm`,
	} {
		if !anything(text) {
			t.Errorf("%q is said to call nothing but %s", text, said(shellwords.Parse(text).Calls))
		}
	}
	for _, text := range []string{
		"python3 x.py -c y", "python3 -u -B x.py", "python3 -m pytest -k x", "python --version", "node x.js", "perl x.pl", "ruby x.rb -e", "deno run x.ts", "awk '{print $1}' a", "awk -F: '/x/{n++} END{print n}' a", "sed -n '1,20p' a", "sed -i.bak 's/a/b/g' a", "sed -E -e 's|a|b|' -e '$d' a", "sed 5q a",
		"make -j 8 test", "tar xzf a.tgz", "tar -czf a.tgz b", "git status", "git commit -m x", "git -C x log", "git push", "go test ./...", "npm install x rm", "rg x", "sort -u a", "docker ps", "rsync -a a b", "X=1 ls", "export X=1", "FOO_ENV=1 ls", "timeout 5 ls", "nice -n 5 ls", "find . -name x", "mapfile -t a <f", "hash -r", "./x", "gcc -c a.c",
	} {
		if anything(text) {
			t.Errorf("%q is said to call anything", text)
		}
	}
}

func TestInterpretersAndWrappersAreKnown(t *testing.T) {
	t.Parallel()
	for _, call := range strings.Split("sh;/bin/bash;env;sudo;xargs;find;python3.12;python;node;awk;make;perl5.36;BASH.exe;setarch;linux64;i386;choom;tini;csh;tcsh;fish;nu;guile;elixir;dart;swift;deno;bun;lua5.4;php8.2;Rscript;julia;osascript;pwsh;ssh;tmux;gradle;cmake;gcc;go run;go generate;go tool;cargo run;npm exec;npm run;yarn dlx;pnpm dlx;docker run;docker exec;kubectl exec;git push;git config", ";") {
		if !shellwords.RunsOthers(strings.Fields(call)...) {
			t.Errorf("%s is not known to run others", call)
		}
	}
	for _, call := range []string{"git status", "go test", "go build", "npm install", "cargo test", "ls", "grep", "7z", "git", "yarn build", "pytest -k"} {
		if shellwords.RunsOthers(strings.Fields(call)...) {
			t.Errorf("%s is said to run others", call)
		}
	}
	if shellwords.RunsOthers() {
		t.Error("no words are said to run others")
	}
}

// No text takes long, and none yields more than is kept.
func TestHugeAndNestedTextsAreBounded(t *testing.T) {
	t.Parallel()
	bound := 5 * time.Second
	if propertytest.Raced {
		bound *= 10 // it takes ten times as long
	}
	for _, part := range []string{"(", "$(", "{ ", "`", "if ", "$((", "${a:-", "!", "\"$(", "<(", "a[", "${a[", "f() ", "time ", "a&&", "a|", "a\n", "<<A ", "env -X ", "bash -c '", "xargs ", "$(a ", "find -exec ", "echo a|sh;", "sh<<<'sh<<<x;';", "env -S 'env' "} {
		text := strings.Repeat(part, (64<<10)/len(part))
		begun := time.Now()
		got := shellwords.Parse(text)
		size := len(got.Quoted)
		for _, call := range slices.Concat(got.Calls, got.Within, got.Partial) {
			for _, w := range call {
				size += len(w)
			}
		}
		if took := time.Since(begun); took > bound || size > 1<<20 {
			t.Errorf("64 KiB of %q take %s and yield %d bytes", part, took, size)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{"short": "go test ./... 2>&1 | tail -n 20", "heredoc": "cat > x <<'E'\n" + strings.Repeat("some words in a line\n", 1000) + "E\n"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				shellwords.Parse(text)
			}
		})
	}
}

// Parse never panics, and what it calls plain is plain when it is quoted.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"git status && x 2>&1 | y", "env -S 'a b' c", "sh <<E\n$(x)\nE", "find . -exec a {} \\;", "a=(b) c `d` ${e:-$(f)} <(g) $'h'", "x\\\ny \"a\\\"b\" '…'", "xargs -I% sh -c '%'", "flock x -c y", "f() { a; }; f", "[[ a =~ b ]] && @(c|d)", "\"\\\n\"", "a\\", "sudo -", "env -", "su -c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := shellwords.Parse(text)
		if !got.Plain {
			if got.Quoted != "" || got.Within != nil {
				t.Errorf("%q is not plain, and %+v", text, got)
			}
			return
		}
		again := shellwords.Parse(got.Quoted)
		if !again.Plain || !reflect.DeepEqual(again.Calls, got.Calls) || again.Quoted != got.Quoted {
			t.Errorf("%q\nis %+v\nthen %+v", text, got, again)
		}
	})
}
