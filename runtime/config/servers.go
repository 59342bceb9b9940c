package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tomlfile"
)

// A Server is an [[mcp]] table: an MCP server whose tools agents can be given.
type Server struct {
	Name      string   `toml:"name" about:"Its name, which its tools and their group mcp_NAME have: letters, digits and - only." zh:"它的名称，也出现在其工具和工具组 mcp_名称 中：只用字母、数字和 -。"`
	Command   string   `toml:"command" about:"The program that is started: its name, found in PATH, or an absolute path." zh:"要启动的程序：在 PATH 中查找的名称，或绝对路径。"`
	Args      []string `toml:"args" about:"Its arguments." zh:"它的参数。"`
	Env       []string `toml:"env" about:"Names of environment variables that it is given. It gets no others but PATH, HOME and the like." zh:"传给它的环境变量的名称。除 PATH、HOME 等之外，它得不到其他变量。"`
	URL       string   `toml:"url" about:"Instead of a command: the address of a server that runs elsewhere, https, or http on this computer." zh:"代替命令：在别处运行的服务器的地址，用 https；在本机上可用 http。"`
	BearerEnv string   `toml:"bearer_env" about:"Environment variable that contains the token for url. Empty: no token." zh:"存放 url 所用令牌的环境变量。留空：不用令牌。"`
	Trusted   bool     `toml:"trusted" about:"Believe it when it says that a tool only reads: such a tool is called without asking you." zh:"相信它所说的只读工具：调用这样的工具无需询问你。"`

	// Token was found in the environment; empty for none.
	Token Secret `toml:"-"`
}

// serverName matches the name of an MCP server. It has no _, so that the names of its tools
// tell where it ends.
var serverName = regexp.MustCompile(`^[A-Za-z0-9-]{1,32}$`)

// mostServers bounds the MCP servers: each is a program that runs all the time.
const mostServers = 32

func serverAt(i int) string { return fmt.Sprintf("mcp[%d]", i) }

// serverFields returns the settings of one [[mcp]] table.
func (s *Settings) serverFields(i int) []field {
	return fieldsOf(serverAt(i)+".", reflect.ValueOf(&s.Servers[i]).Elem())
}

// findTokens takes the tokens of the MCP servers from the environment, and warns of variables
// that are not there.
func (s *Settings) findTokens(getenv func(string) string) []error {
	var problems []error
	for i := range s.Servers {
		v := &s.Servers[i]
		for _, name := range v.Env {
			text := getenv(name)
			if variable.MatchString(name) && text == "" {
				s.Warnings = append(s.Warnings, textServerVariable.With(v.Name, name))
			}
			if keyLike.MatchString(name) {
				s.serverKeys = append(s.serverKeys, text)
			}
		}
		if !variable.MatchString(v.BearerEnv) {
			continue // none, or told by checkServers
		}
		key := serverAt(i) + ".bearer_env"
		if err := v.Token.UnmarshalText([]byte(getenv(v.BearerEnv))); err != nil {
			problems = append(problems, &Problem{From: Origin{Variable: v.BearerEnv}, Key: key, Why: err})
		} else if v.Token.Reveal() == "" {
			problems = append(problems, &Problem{From: s.stands(key), Key: key, Why: textNoToken.With(v.BearerEnv)})
		}
	}
	return problems
}

// checkServers checks the [[mcp]] tables.
func (s *Settings) checkServers(wrong func(key string, why error)) {
	if len(s.Servers) > mostServers {
		wrong(serverAt(mostServers), textManyServers.With(mostServers, len(s.Servers)))
	}
	byName := map[string]int{}
	for i, v := range s.Servers {
		at := serverAt(i)
		switch other, twice := byName[strings.ToLower(v.Name)]; {
		case v.Name == "":
			wrong(at, textNamelessServer.With())
		case !serverName.MatchString(v.Name):
			wrong(at+".name", textBadServerName.With(v.Name))
		case twice:
			wrong(at+".name", textServerTwice.With(v.Name, serverAt(other)))
		default:
			byName[strings.ToLower(v.Name)] = i
		}
		switch {
		case v.Command == "" && v.URL == "":
			wrong(at, textNoServer.With())
		case v.Command != "" && v.URL != "":
			wrong(at+".url", textTwoServers.With())
		case v.URL != "":
			v.checkRemote(at, wrong)
		default:
			v.checkProgram(at, wrong)
		}
	}
}

func (v Server) checkProgram(at string, wrong func(key string, why error)) {
	if strings.ContainsAny(v.Command, `/\`) && !filepath.IsAbs(v.Command) {
		wrong(at+".command", textRelativeCommand.With(v.Command))
	}
	if strings.ContainsAny(v.Command, " \t") && !filepath.IsAbs(v.Command) {
		wrong(at+".command", textCommandLine.With(v.Command))
	}
	if v.BearerEnv != "" {
		wrong(at+".bearer_env", textOnlyURL.With())
	}
	for _, name := range v.Env {
		if !variable.MatchString(name) { // perhaps with its value: it is not repeated
			wrong(at+".env", textNoVariableName.With())
			break
		}
	}
}

func (v Server) checkRemote(at string, wrong func(key string, why error)) {
	u, err := url.Parse(v.URL)
	switch secret := checkAddress(v.URL); {
	case secret != nil:
		wrong(at+".url", secret)
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		wrong(at+".url", textNoURL.With(v.URL))
	case u.Scheme == "http" && !onThisComputer(u.Hostname()):
		wrong(at+".url", textPlainHTTP.With(v.URL))
	}
	switch {
	case len(v.Args) > 0:
		wrong(at+".args", textOnlyCommand.With())
	case len(v.Env) > 0:
		wrong(at+".env", textOnlyCommand.With())
	}
	if v.BearerEnv != "" && !variable.MatchString(v.BearerEnv) { // perhaps the token itself: it is not repeated
		wrong(at+".bearer_env", textNoTokenName.With())
	}
}

// onThisComputer reports whether a host is this computer, whatever names it by.
func onThisComputer(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

// unknownOfServer describes a key that no [[mcp]] table has.
func unknownOfServer(m tomlfile.Mistake) error {
	last := m.Key[len(m.Key)-1]
	if keyLike.MatchString(last) || slices.Contains([]string{"headers", "oauth"}, last) {
		return textTokenInServers.With()
	}
	return meant(textNotOfServer.With(strings.Join(tomlfile.Fields[Server](), ", ")), m.Meant)
}

// serversTemplate returns the part of a new settings file about MCP servers.
func serversTemplate(lang protocol.Lang) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n# %s\n# [[mcp]]\n", textServers.In(lang))
	for _, f := range fieldsOf("", reflect.ValueOf(new(Server)).Elem()) {
		fmt.Fprintf(&b, "#\n# %s\n# %s = %s\n", f.comment(lang), f.key, f.literal())
	}
	return b.String()
}
