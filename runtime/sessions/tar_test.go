package sessions_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/runtime/sessions"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// streamed returns the backup of a session as a running program sends it.
func streamed(t *testing.T, path string) []byte {
	t.Helper()
	store, err := boltdb.Open(path)
	must(t, err)
	var backup bytes.Buffer
	must(t, sessions.StreamBackup(t.Context(), store, &backup), store.Close())
	return backup.Bytes()
}

// received writes a backup to a new file, as a screen elsewhere does.
func received(path string, backup []byte) (sessions.Written, error) {
	return sessions.ReceiveBackup(path, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(backup))
		return err
	})
}

func TestABackupThatIsSentHoldsTheBytesBesideTheStore(t *testing.T) {
	t.Parallel()
	p := withResult(t)
	backup := streamed(t, p.path)
	dir := t.TempDir()

	there := filepath.Join(dir, "there.db")
	w, err := received(there, backup)
	must(t, err, sessions.Check(there))
	if result(t, there) != longResult || w.Folder == "" || len(beside(t, there)) != 1 {
		t.Errorf("%+v: the text is another one, beside it lie %v", w, beside(t, there))
	}
	if _, err := received(there, backup); !errors.Is(err, os.ErrExist) || result(t, there) != longResult {
		t.Errorf("a file of that name: %v", err)
	}

	file, imported := filepath.Join(dir, "backup.tar"), filepath.Join(dir, "society.db")
	must(t, os.WriteFile(file, backup, 0o600))
	lost, err := sessions.Import(imported, file, protocol.English)
	must(t, err, sessions.Check(imported))
	if result(t, imported) != longResult || len(lost) > 0 {
		t.Errorf("the text is another one; lost %v", lost)
	}

	q := crowd(t, 2) // without bytes beside it
	must(t, q.store.Close())
	plain := streamed(t, q.path)
	alone := filepath.Join(dir, "alone.db")
	w, err = received(alone, plain)
	must(t, err, sessions.Check(alone))
	if w.Folder != "" || len(beside(t, alone)) > 0 || bytes.Contains(plain[:512], []byte("ustar")) {
		t.Errorf("a session without bytes came as %+v, beside it lie %v", w, beside(t, alone))
	}
}

// Nothing of a tar that somebody else has made gets anywhere but beside the new file, and
// nothing is left of one that is refused.
func TestATarThatIsNoBackupIsRefusedAndLeavesNothing(t *testing.T) {
	t.Parallel()
	name := string(storage.HashOf([]byte("x")))
	packed := func(entries ...tar.Header) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, h := range entries {
			content := "x"
			if h.Typeflag == 0 {
				h.Typeflag = tar.TypeReg
			}
			if h.Typeflag == tar.TypeReg {
				h.Size = int64(len(content))
			}
			h.Mode = 0o600
			must(t, w.WriteHeader(&h))
			if h.Typeflag == tar.TypeReg {
				_, err := io.WriteString(w, content)
				must(t, err)
			}
		}
		must(t, w.Close())
		return b.Bytes()
	}
	whole := streamed(t, withResult(t).path)
	for what, backup := range map[string][]byte{
		"without a store":             packed(tar.Header{Name: "society.blobs/" + name}),
		"with a path outside":         packed(tar.Header{Name: "society.blobs/" + name}, tar.Header{Name: "society.blobs/../../" + name}),
		"with an absolute path":       packed(tar.Header{Name: "/tmp/" + name}),
		"with a link":                 packed(tar.Header{Name: "society.db", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}),
		"with another name's content": packed(tar.Header{Name: "society.blobs/" + strings.Repeat("0", 64)}),
		"that is cut off":             whole[:len(whole)/2],
		"that is cut off in its head": whole[:400],
	} {
		dir := t.TempDir()
		if _, err := received(filepath.Join(dir, "in", "x.db"), backup); err == nil {
			t.Errorf("%s: received into a folder that is not there", what)
		}
		path := filepath.Join(dir, "x.db")
		_, err := received(path, backup)
		if what != "that is cut off in its head" && err == nil {
			t.Errorf("%s: received", what)
		}
		if err == nil {
			continue // it is a file like any other, and no session
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: %v are left, %v", what, left, err)
		}
		file := filepath.Join(t.TempDir(), "x.tar")
		must(t, os.WriteFile(file, backup, 0o600))
		if _, err := sessions.Import(path, file, protocol.English); err == nil {
			t.Errorf("%s: imported", what)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s: an import leaves %v, %v", what, left, err)
		}
	}
}
