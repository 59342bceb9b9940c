package repair

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"society-tui/runtime/society"
	"society-tui/runtime/tables"
)

// lostVersion stands for a version of an artifact whose record is lost.
const lostVersion = "[This version was lost with a damaged file.]"

// restoreArtifacts replaces lost versions with placeholders, and lost artifacts of which
// there are versions with ones that only the user can read.
func (b *rebuilder) restoreArtifacts() {
	b.counters.FileChanges = max(b.counters.FileChanges, b.lastFileChange)
	for id, all := range b.versions {
		n, err := strconv.ParseUint(strings.TrimPrefix(string(id), "a"), 10, 53)
		if b.artifacts[id] != nil || err != nil || n == 0 || society.ArtifactID(fmt.Sprintf("a%d", n)) != id {
			continue
		}
		b.losef("the record of the artifact %s; it is there again, in no task", id)
		var v tables.StoredVersion
		last := slices.Max(slices.Collect(maps.Keys(all)))
		if last > 50 || all[last].Read(&v) != nil {
			continue
		}
		b.artifacts[id] = &society.Artifact{ID: id, N: n, Name: "artifact " + string(id), Version: int(last), Type: v.Type, Size: v.Size, By: v.By, At: v.At, Bytes: int64(v.Size)}
	}
	for id, a := range b.artifacts {
		if a.Version < 1 || a.Version > 50 || string(id) != fmt.Sprintf("a%d", a.N) {
			b.losef("the artifact %s, which has number %d and %d versions", id, a.N, a.Version)
			delete(b.artifacts, id)
			continue
		}
		b.counters.Artifacts = max(b.counters.Artifacts, a.N)
		b.needTask(a.Task)
		for n := uint64(1); n <= uint64(a.Version); n++ {
			if _, there := b.versions[id][n]; there {
				continue
			}
			b.losef("version %d of the artifact %s", n, id)
			raw, err := json.Marshal(tables.StoredVersion{Artifact: id, N: n, Type: "text/plain; charset=utf-8", Size: len(lostVersion), By: a.By, At: a.At, Text: lostVersion})
			if err != nil {
				panic(fmt.Sprintf("repair: a version cannot be written: %v", err))
			}
			if b.versions[id] == nil {
				b.versions[id] = map[uint64]tables.Row{}
			}
			b.versions[id][n] = tables.Row{Table: "versions", ID: string(id), N: n, Record: raw}
		}
	}
}
