package programtest

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// answered lets root and three agents below it answer the first example.
func (x *terminal) answered() {
	x.t.Helper()
	x.example(1, "enter")
	x.sees("Planner")
	x.until("the answer", func(rows []string) bool {
		return stands(rows, "No language model made this") && strings.Contains(rows[0], "·4 ")
	})
}

// Terminated agents stay in the sums.
func TestUsageIsSummedUpAndIncludesTerminatedAgents(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	x := h.open(160, 40).opened()
	x.answered()
	sums := func(rows []string) (header, tree int) {
		for _, row := range rows {
			if m := regexp.MustCompile(`^ society-tui .* (\S+) tok `).FindStringSubmatch(row); m != nil {
				header = tokens(t, m[1])
			}
			if m := regexp.MustCompile(`tree     in (\S+)\s+out (\S+)`).FindStringSubmatch(row); m != nil {
				tree = tokens(t, m[1]) + tokens(t, m[2])
			}
		}
		return header, tree
	}
	x.press("alt+3")
	header, tree := sums(x.sees("tree     in"))
	if header < 1000 || tree < header*9/10 || tree > header*11/10 { // each is rounded
		t.Fatalf("the header says %d, root's subtree %d", header, tree)
	}
	x.press("alt+1", "home", "down", "down", "T")
	x.sees("Terminate Planner?")
	x.confirms()
	x.until("planner-1 has gone", func(rows []string) bool {
		return !shows(rows, "── ", "Planner") && strings.Contains(rows[0], "·3 ")
	})
	x.press("home", "down")
	x.sees("Inspector · root")
	if again, below := sums(x.sees("tree     in")); again != header || below != tree {
		t.Errorf("without planner-1 the header says %d and root's subtree %d; before %d and %d", again, below, header, tree)
	}
}

// tokens parses a number as it is shown: 870, 5.1k, 23k.
func tokens(t *testing.T, text string) int {
	t.Helper()
	number, kilo := strings.CutSuffix(text, "k")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Fatal(err)
	}
	if kilo {
		n *= 1000
	}
	return int(n)
}

// With the bytes that terminals send.
func TestEveryNewlineKeyBreaksTheLineAndEnterSendsOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 36).opened()
	x.write("line 0")
	for i, key := range []string{"\x1b[13;2u", "\x1b[27;2;13~", "\x1b\r", "\n", "\\\r"} {
		x.write(key)
		x.write("line " + strconv.Itoa(i+1))
		x.sees("  line " + strconv.Itoa(i+1))
	}
	x.press("enter")
	x.sees("Write to root", "root → you")
	x.press("alt+2", "g")
	rows := x.sees("▌ line 0", "▌ line 5")
	sent := 0
	for _, row := range rows {
		sent += strings.Count(row, "▌ line 0")
	}
	if sent != 1 {
		t.Errorf("it was sent %d times", sent)
	}
}
