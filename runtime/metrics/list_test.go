package metrics

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

var described = regexp.MustCompile(`fqName: "(society_\w+)".*variableLabels: {([^}]*)}`)

// list returns our metrics with their labels, sorted by name.
func (m *Metrics) list(t *testing.T) (lines []string) {
	t.Helper()
	all := make(chan *prometheus.Desc)
	go func() {
		defer close(all)
		m.registry.Describe(all)
		(&sums{}).Describe(all)
	}()
	for d := range all {
		found := described.FindStringSubmatch(d.String())
		if found == nil { // Go's own, and the process's
			continue
		}
		line := found[1]
		if found[2] != "" {
			line += fmt.Sprintf("{%s}", found[2])
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// The reference lists every metric of ours, in both languages.
func TestDocsListEveryMetric(t *testing.T) {
	t.Parallel()
	want := "    " + strings.Join(New("1").list(t), "\n    ") + "\n"
	if strings.Count(want, "society_") < 10 {
		t.Fatalf("few metrics:\n%s", want)
	}
	for _, path := range []string{"../../tui/docs/api.md", "../../tui/docs/zh/api.md"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\n"+want) {
			t.Errorf("%s does not list the metrics:\n%s", path, want)
		}
	}
}
