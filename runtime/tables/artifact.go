package tables

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// A StoredVersion is the stored record of one version of an artifact. Its content is Text,
// or Data if it is no text, or lies beside the store if it is large.
type StoredVersion struct {
	Artifact society.ArtifactID `json:"artifact"`
	N        uint64             `json:"n"` // counted from 1
	Type     string             `json:"type"`
	Size     int                `json:"size"`
	By       society.AgentID    `json:"by"`
	At       time.Time          `json:"at"`
	Text     string             `json:"text,omitempty"`
	Data     []byte             `json:"data,omitempty"`
	Kept     *conversation.Kept `json:"kp,omitempty"`
}

func versionKey(id society.ArtifactID, n uint64) []byte { return numbered(society.AgentID(id), n) }

// keepArtifact writes an artifact and its newest version.
func keepArtifact(p *recordWriter, e society.ArtifactKept) error {
	a := e.Artifact
	v := StoredVersion{Artifact: a.ID, N: uint64(a.Version), Type: a.Type, Size: a.Size, By: a.By, At: a.At}
	key := versionKey(v.Artifact, v.N)
	switch {
	case len(e.Data) > besideSize:
		blob, err := p.PutBlob(ownerOf(versions, key), e.Data)
		if err != nil {
			return err
		}
		v.Kept = &conversation.Kept{Hash: string(blob.Hash), Size: blob.Size}
	case utf8.Valid(e.Data):
		v.Text = string(e.Data)
	default:
		v.Data = e.Data
	}
	if err := p.put(artifacts, []byte(a.ID), &a); err != nil {
		return err
	}
	return p.add(versions, key, &v)
}

// Artifacts returns the artifacts of all tasks.
func Artifacts(tx storage.Tx) (list []society.Artifact, err error) {
	err = all(tx, artifacts, func(a *society.Artifact) { list = append(list, *a) })
	return list, err
}

// Artifact returns an artifact, and false if there is none.
func Artifact(tx storage.Tx, id society.ArtifactID) (a society.Artifact, found bool, err error) {
	found, err = get(tx, artifacts, []byte(id), &a)
	return a, found, err
}

// Versions returns the versions of an artifact, without their content, oldest first.
func Versions(tx storage.Tx, id society.ArtifactID) ([]StoredVersion, error) {
	from, to := within(society.AgentID(id))
	var list []StoredVersion
	for key, raw := range tx.Range(versions, from, to) {
		var v StoredVersion
		if err := decode(tx, versions, key, raw, &v); err != nil {
			return nil, err
		}
		v.Text, v.Data = "", nil
		list = append(list, v)
	}
	return list, nil
}

// Content returns a version of an artifact with its content; found is false if there is
// none. The error wraps storage.ErrLost if the content is missing or damaged.
func Content(tx storage.Tx, id society.ArtifactID, n int) (v StoredVersion, data []byte, found bool, err error) {
	found, err = get(tx, versions, versionKey(id, uint64(max(n, 0))), &v)
	switch {
	case err != nil || !found:
		return v, nil, false, err
	case v.Kept != nil:
		data, err = tx.Blob(storage.Hash(v.Kept.Hash))
		return v, data, true, err
	case v.Text != "":
		return v, []byte(v.Text), true, nil
	}
	return v, v.Data, true, nil
}

// checkArtifacts reports artifacts without a version that they have.
func checkArtifacts(tx storage.Tx) error {
	list, err := Artifacts(tx)
	problems := []error{err}
	for _, a := range list {
		all, err := Versions(tx, a.ID)
		if err == nil && len(all) != a.Version {
			err = fmt.Errorf("%w: of %d versions of the artifact %s there are %d", storage.ErrDamaged, a.Version, a.ID, len(all))
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}
