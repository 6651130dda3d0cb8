package generator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func orDefault(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

// denied matches Hugo's message about a request or a program that its security policy forbids.
var denied = regexp.MustCompile(`"([^"]+)" is not whitelisted in policy "security\.(http\.urls|exec\.allow)"`)

// skipped says in our words what Hugo was not allowed to do. "": the message is of something else.
func skipped(message string) string {
	m := denied.FindStringSubmatch(message)
	switch {
	case m == nil:
		return ""
	case m[2] == "http.urls":
		return fmt.Sprintf("skipped, the network is off: %q; --allow-network turns it on", m[1])
	default:
		return fmt.Sprintf("skipped, external programs are off: %q; --allow-exec turns them on", m[1])
	}
}

// hugoEnvironment resolves the environment as Hugo's own commands do.
func hugoEnvironment(o Options) string {
	env := o.Environment
	for _, name := range []string{"HUGO_ENVIRONMENT", "HUGO_ENV"} {
		if env == "" {
			env = lookupEnv(o.Environ, name)
		}
	}
	return orDefault(env, "production")
}

func lookupEnv(environ []string, name string) string {
	for _, kv := range environ {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v
		}
	}
	return ""
}

// hugoEnviron adds the settings that must win over the site's configuration: Hugo applies its environment last,
// while nested keys of the flags do not stick.
func hugoEnviron(o Options, r *repairs) []string {
	env := slices.Clone(o.Environ)
	if !o.AllowNetwork {
		env = append(env, "HUGO_SECURITY_HTTP_URLS=none")
	}
	if !o.AllowExec {
		env = append(env, "HUGO_SECURITY_EXEC_ALLOW=none")
	}
	if r.anyContent {
		env = append(env, "HUGO_SECURITY_ALLOWCONTENT=.*")
	}
	return env
}
