package files

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/suggest"
	"society-tui/runtime/workspace"
)

const (
	similarMost = 3
	similarTime = 300 * time.Millisecond
)

// similar returns files with a name like one that does not exist.
func (c *call) similar(name string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), similarTime)
	defer cancel()
	type candidate struct {
		name  string
		slips int
	}
	var found []candidate
	wanted := strings.ToLower(path.Base(name))
	stem := strings.TrimSuffix(wanted, path.Ext(wanted))
	_ = c.in.Walk(ctx, ".", false, func(e workspace.Entry) error { // what was found in time is enough
		base := strings.ToLower(path.Base(e.Name))
		switch slips := suggest.Distance(wanted, base); {
		case base == wanted:
			found = append(found, candidate{e.Name, 0})
		case slips <= max(suggest.Slips(wanted), 1):
			found = append(found, candidate{e.Name, slips})
		case stem != "" && strings.TrimSuffix(base, path.Ext(base)) == stem:
			found = append(found, candidate{e.Name, 3})
		}
		return nil
	})
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.slips, b.slips), cmp.Compare(len(a.name), len(b.name)))
	})
	var similar []string
	for _, f := range found[:min(len(found), similarMost)] {
		similar = append(similar, f.name)
	}
	return similar
}
