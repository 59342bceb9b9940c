package workspace

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"time"
)

// Bounds of Find: who types does not wait for more.
const (
	findMost = 50_000 // entries that are walked
	findTime = time.Second
)

// A Found is a file that Find found.
type Found struct {
	Name string
	Size int64
}

var errEnough = errors.New("enough was found")

// Find returns at most so many files whose path contains like, in small or capital letters:
// those first whose path or name begins with it, and of those the ones near the root. What a
// .gitignore says is left out. In a folder that is too large it knows the files of a part.
func (f *Folder) Find(ctx context.Context, like string, most int) ([]Found, error) {
	type match struct {
		name        string
		rank, depth int
	}
	var found []match
	like = strings.ToLower(strings.TrimPrefix(path.Clean("/"+like), "/"))
	limited, cancel := context.WithTimeout(ctx, findTime)
	defer cancel()
	walked := 0
	err := f.Walk(limited, ".", false, func(e Entry) error {
		if walked++; walked > findMost {
			return errEnough
		}
		if e.Info.IsDir() {
			return nil
		}
		lower := strings.ToLower(e.Name)
		rank := 2
		switch {
		case strings.HasPrefix(lower, like):
			rank = 0
		case strings.HasPrefix(path.Base(lower), like):
			rank = 1
		case !strings.Contains(lower, like):
			return nil
		}
		found = append(found, match{e.Name, rank, strings.Count(e.Name, "/")})
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.depth, b.depth))
	})
	var list []Found
	for _, m := range found[:min(max(most, 0), len(found))] {
		if info, err := f.Stat(m.name); err == nil { // it is there still
			list = append(list, Found{m.name, info.Size()})
		}
	}
	return list, nil
}
