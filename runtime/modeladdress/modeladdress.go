// Package modeladdress mends the addresses of models as users type them. It asks nobody, so
// that an attached screen can do it where the user types.
package modeladdress

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"society-tui/llm/chatapi"
	"society-tui/runtime/api"
	"society-tui/runtime/apikey"
	"society-tui/runtime/i18n"
)

// TextNoAddress tells why an address cannot be asked.
var TextNoAddress = i18n.Text{EN: "this address cannot be asked: %s", ZH: "无法访问这个地址：%s"}

// What is wrong with an address, and what it is to look like. None repeats a part that may be a
// password.
var (
	textEmpty        = i18n.Text{EN: "There is no address. It looks like https://api.example.com/v1", ZH: "没有填写地址。地址应类似 https://api.example.com/v1"}
	textUnreadable   = i18n.Text{EN: "This is not an address. It looks like https://api.example.com/v1, or localhost:11434 on this machine", ZH: "这不是地址。地址应类似 https://api.example.com/v1，本机则类似 localhost:11434"}
	textScheme       = i18n.Text{EN: "An address begins with https:// or http://, for example https://api.example.com/v1, and not with %s:", ZH: "地址以 https:// 或 http:// 开头，例如 https://api.example.com/v1，而不是 %s:"}
	textPassword     = i18n.Text{EN: "The address contains a user name or a password. Leave them out, as in https://api.example.com/v1, and enter the key in the next step", ZH: "地址中含有用户名或密码。请去掉，例如 https://api.example.com/v1，并在下一步输入密钥"}
	textFragment     = i18n.Text{EN: "The address contains a # and something behind it. Leave them out, as in https://api.example.com/v1", ZH: "地址中含有 # 及其后的内容。请去掉，例如 https://api.example.com/v1"}
	textNoModelThere = i18n.Text{EN: "%s is not the address of a server. It looks like https://api.example.com/v1, or localhost:11434 on this machine", ZH: "%s 不是服务器的地址。地址应类似 https://api.example.com/v1，本机则类似 localhost:11434"}
	textKeyInAddress = i18n.Text{EN: "The address contains a key (%s). Leave it out, and enter it in the next step", ZH: "地址中含有密钥（%s）。请去掉，并在下一步输入"}
	textAzurePath    = i18n.Text{EN: "The address of Azure needs a path: https://%s/openai/v1, where models have the names of your deployments, or https://%s/openai/deployments/NAME?api-version=DATE", ZH: "Azure 的地址需要路径：https://%s/openai/v1（模型名即部署名），或 https://%s/openai/deployments/名称?api-version=日期"}
)

var textMended = i18n.Text{EN: "This address is used: %s", ZH: "使用的地址：%s"}

// fewSlashes matches the beginning of an address that lacks a slash, or has one too many.
var fewSlashes = regexp.MustCompile(`(?i)^(https?):/*`)

// Mend mends an address as it was typed.
func Mend(raw string) (api.ModelAddress, error) {
	given := strings.TrimSpace(raw)
	address, query, err := split(given)
	if err != nil {
		return api.ModelAddress{}, err
	}
	slashed := fewSlashes.ReplaceAllString(address, "$1://")
	fixed, err := chatapi.FixBaseURL(slashed)
	if err != nil {
		return api.ModelAddress{}, explain(slashed)
	}
	u, err := url.Parse(fixed)
	if err != nil {
		return api.ModelAddress{}, textUnreadable.With()
	}
	if host := u.Hostname(); IsAzure(fixed) && isBare(slashed) {
		return api.ModelAddress{}, textAzurePath.With(host, host)
	}
	a := api.ModelAddress{URL: fixed, Query: query}
	if fixed != strings.TrimRight(address, "/") {
		a.Mended = append(a.Mended, textMended.With(fixed))
	}
	if ip, err := netip.ParseAddr(u.Hostname()); u.Scheme == "http" && !isLoopback(u.Hostname()) {
		a.Plain, a.Public = true, err == nil && !chatapi.IsPrivate(ip)
	}
	return a, nil
}

// explain returns what is wrong with an address that cannot be asked.
func explain(address string) error {
	if address == "" {
		return textEmpty.With()
	}
	scheme, _, found := strings.Cut(address, "://")
	if !found {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	switch {
	case found && scheme != "" && !strings.ContainsAny(scheme, "/@ ") && !fewSlashes.MatchString(address):
		return textScheme.With(scheme)
	case err != nil || u.Hostname() == "":
		return textUnreadable.With()
	case u.User != nil:
		return textPassword.With()
	case u.Fragment != "" || u.RawQuery != "":
		return textFragment.With()
	}
	return textNoModelThere.With(u.Hostname())
}

// azure are what the hosts of Azure end in, each before a resource of its own.
var azure = []string{".openai.azure.com", ".services.ai.azure.com"}

// IsAzure reports whether an address is one of Azure, which takes keys in a header of its own.
func IsAzure(address string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.ContainsFunc(azure, func(end string) bool { return strings.HasSuffix(strings.ToLower(u.Hostname()), end) })
}

// isBare reports whether an address has no path but what FixBaseURL adds, or the one above those
// of Azure.
func isBare(address string) bool {
	_, rest, found := strings.Cut(address, "://")
	if !found {
		rest = address
	}
	_, path, _ := strings.Cut(rest, "/")
	return slices.Contains([]string{"", "v1", "openai"}, strings.Trim(path, "/"))
}

// split splits the query off an address.
func split(given string) (address string, query map[string]string, err error) {
	address, raw, found := strings.Cut(given, "?")
	if !found || raw == "" {
		return address, nil, nil
	}
	values, err := url.ParseQuery(raw)
	if err != nil || strings.Contains(raw, "#") {
		return given, nil, nil // which is then refused
	}
	query = map[string]string{}
	for name := range values {
		if apikey.NamesSecret(name) {
			return "", nil, textKeyInAddress.With(name)
		}
		query[name] = values.Get(name)
	}
	return address, query, nil
}

// isLoopback reports whether a host is this machine by its name or address.
func isLoopback(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	host = strings.TrimSuffix(host, ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}
