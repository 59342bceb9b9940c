package httpserver

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
)

const tokenBytes = 32

// ReadToken returns the token of a session, as ReadTokenFile does.
func ReadToken(folder, name string) (string, error) {
	token, err := readToken(session.Token(folder, name))
	if wrong, ok := errors.AsType[*i18n.Message](err); ok {
		return "", textReplaceToken.With(wrong)
	}
	return token, err
}

// ReadTokenFile returns the token in a file that the user has copied. It refuses one that
// another user can read or may have written: the *i18n.Message names the remedy.
func ReadTokenFile(path string) (string, error) {
	token, err := readToken(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = textTokenMissing.With(path)
	}
	wrong, ok := errors.AsType[*i18n.Message](err)
	switch {
	case ok && wrong.Text == textTokenOpen:
		return "", textCloseToken.With(wrong, path)
	case ok:
		return "", textCopyToken.With(wrong)
	}
	return token, err
}

// readToken returns the token in a file. A *i18n.Message is what is wrong with the file.
func readToken(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", textTokenNoFile.With(path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return "", err
	}
	if uid, ok := owner(info); ok && uid != os.Geteuid() {
		return "", textTokenForeign.With(path)
	} else if ok && info.Mode().Perm()&0o077 != 0 {
		return "", textTokenOpen.With(path, info.Mode().Perm())
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil {
		return "", err
	}
	token := strings.TrimSuffix(string(text), "\n")
	if raw, err := base64.RawURLEncoding.DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", textTokenEmpty.With(path)
	}
	return token, nil
}

// NewToken replaces the token of a session, and returns the new one. A running server
// refuses the old one from then on.
func NewToken(folder, name string) (token string, err error) {
	raw := make([]byte, tokenBytes)
	_, _ = rand.Read(raw) // it never fails
	token = base64.RawURLEncoding.EncodeToString(raw)
	path := session.Token(folder, name)
	draftPath := removeTokenDraft(path)
	draft, err := os.OpenFile(draftPath, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	defer os.Remove(draftPath)
	_, err = draft.WriteString(token + "\n")
	if err = errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return "", err
	}
	return token, os.Rename(draftPath, path)
}

// removeTokenDraft removes the draft of a program that was killed, and returns its path.
func removeTokenDraft(path string) string {
	draft := path + ".new"
	_ = os.Remove(draft)
	return draft
}

// makeToken makes the token of a session unless there is one. It refuses one that
// ReadToken refuses.
func makeToken(folder, name string) error {
	removeTokenDraft(session.Token(folder, name))
	_, err := ReadToken(folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = NewToken(folder, name)
	}
	if err != nil {
		return textNoToken.With(err)
	}
	return nil
}
