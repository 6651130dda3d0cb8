package generator

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Each site has one thing that Hugo does and that would put a wrong text, a wrong path or no article into the index. What
// its articles say and what is reported, all of it, is compared.
func TestTraps(t *testing.T) {
	const config = "-- hugo.toml --\nbaseURL = 'https://example.org/'\n"
	type bodies = map[string]string // of all languages, by the URL's end
	none := []string{}
	for _, tt := range []struct {
		name, archive string
		want          bodies
		report        []string // "file: message" of every warning and tolerance
	}{
		{"canonifyURLs below a path", "-- hugo.toml --\nbaseURL = 'https://example.org/docs/'\ncanonifyURLs = true\n-- content/a/one.md --\nSee [two](/a/two/) &amp; more\n",
			bodies{"/docs/a/one/ is /a/one": "See two & more"}, none},
		{"relativeURLs", "-- hugo.toml --\nbaseURL = 'https://example.org/docs/'\nrelativeURLs = true\n-- content/a/one.md --\nSee [two](/a/two/)\n",
			bodies{"/docs/a/one/ is /a/one": "See two"}, none},
		{"a relative base URL", "-- hugo.toml --\nbaseURL = '/docs/'\n-- content/a/one.md --\nText\n",
			bodies{"/docs/a/one/ is /a/one": "Text"}, none},
		{"no base URL", "-- hugo.toml --\ntitle = 'x'\n-- content/a/one.md --\nText\n",
			bodies{"/a/one/ is /a/one": "Text"}, none},
		{"uglyURLs in one section", config + "[uglyURLs]\na = true\n-- content/a/one.md --\nUgly\n-- content/b/two/index.md --\nPretty\n",
			bodies{"/a/one.html is /a/one.html": "Ugly", "/b/two/ is /b/two": "Pretty"}, none},
		{"permalinks of dates and titles", config + "[permalinks.page]\na = '/:year/:month/:slug/'\nb = '/:sections/:title'\n-- content/a/one.md --\n---\ndate: 2024-05-06\ntitle: A Fine Title\n---\nText\n-- content/b/c/two.md --\n---\ntitle: Déjà vu?\nslug: unused\n---\nMore\n",
			bodies{"/2024/05/a-fine-title/ is /2024/05/a-fine-title": "Text", "/b/d%C3%A9j%C3%A0-vu/ is /b/d%C3%A9j%C3%A0-vu": "More"}, none},
		{"slug and url below a path", "-- hugo.toml --\nbaseURL = 'https://example.org/docs/'\n-- content/a/one.md --\n---\nslug: uno\n---\nSlug\n-- content/a/two.md --\n---\nurl: dos.html\n---\nURL\n-- content/a/three.md --\n---\nurl: /:year/:slug/\nslug: tres\ndate: 2024-05-06\n---\nTokens\n",
			bodies{"/docs/a/uno/ is /a/uno": "Slug", "/docs/dos.html is /dos.html": "URL", "/docs/2024/tres/ is /2024/tres": "Tokens"}, none},
		{"names in upper case and with accents", config + "disablePathToLower = true\nremovePathAccents = true\n-- content/a/Été.md --\nSummer\n",
			bodies{"/a/Ete/ is /a/Ete": "Summer"}, none},
		{"languages below a path", "-- hugo.toml --\nbaseURL = 'https://example.org/docs/'\ndefaultContentLanguageInSubdir = true\n[languages.en]\n[languages.fr]\n-- content/a/one.md --\nOne\n-- content/a/one.fr.md --\nUn\n",
			bodies{"/docs/en/a/one/ is /en/a/one": "One", "/docs/fr/a/one/ is /fr/a/one": "Un"}, none},
		{"hosts below a path", "-- hugo.toml --\n[languages.en]\nbaseURL = 'https://example.org/en/'\n[languages.fr]\nbaseURL = 'https://example.fr/x/'\n-- content/a/one.md --\nOne\n-- content/a/one.fr.md --\nUn\n",
			bodies{"/en/a/one/ is /a/one": "One", "/x/a/one/ is /a/one": "Un"}, none},
		{"languages in folders of their own", config + "[languages.en]\ncontentDir = 'english'\n[languages.fr]\ncontentDir = 'french'\n-- english/a/one.md --\nOne\n-- french/a/deux.md --\nDeux\n",
			bodies{"/a/one/ is /a/one": "One", "/fr/a/deux/ is /fr/a/deux": "Deux"}, none},
		{"a page from data", "-- data/books.yaml --\n- {name: Moby Dick, text: 'Call me *Ishmael*'}\n- {name: Emma, text: handsome & clever}\n-- content/books/_content.gotmpl --\n{{ range hugo.Data.books }}{{ $.AddPage (dict \"path\" (urlize .name) \"title\" .name \"content\" (dict \"mediaType\" \"text/markdown\" \"value\" .text)) }}{{ end }}\n",
			bodies{"/books/moby-dick/ is /books/moby-dick": "Call me Ishmael", "/books/emma/ is /books/emma": "handsome & clever"}, none},
		{"a shortcode from data", "-- data/facts.json --\n{\"height\": \"828 m\"}\n-- layouts/_shortcodes/fact.html --\n{{ index hugo.Data.facts (.Get 0) }}\n-- content/a/one.md --\nIt is {{< fact height >}} high\n",
			bodies{"/a/one/ is /a/one": "It is 828 m high"}, none},
		{"cascade", config + "[[cascade]]\nsearchExclude = true\n[cascade.target]\npath = '/b/**'\n-- content/a/_index.md --\n---\ncascade: {draft: true}\n---\n-- content/a/one.md --\nDraft\n-- content/a/two.md --\n---\ndraft: false\n---\nNot\n" +
			"-- content/b/one.md --\nExcluded\n-- content/c/_index.md --\n---\ncascade: {build: {render: never}}\n---\n-- content/c/one.md --\nNot rendered\n",
			bodies{"/a/two/ is /a/two": "Not"}, none},
		{"build", "-- content/a/one.md --\n---\nbuild: {list: never}\n---\n-- content/a/two.md --\n---\nbuild: {render: never}\n---\n-- content/a/three.md --\n---\nbuild: {render: link}\n---\n-- content/a/four.md --\n---\nbuild: {publishResources: false}\n---\nText\n-- content/a/five.md --\n---\nbuild: {list: local}\n---\nLocal\n",
			bodies{"/a/four/ is /a/four": "Text", "/a/five/ is /a/five": "Local"}, none},
		{"_build", "-- content/a/one.md --\n---\n_build: {list: never}\n---\n-- content/a/two.md --\n---\n_build: {render: false}\n---\n-- content/a/three.md --\n---\n_build: {publishResources: false}\n---\nText\n",
			bodies{"/a/three/ is /a/three": "Text"}, []string{`: The "_build" front matter key was deprecated in Hugo 0.145.0 and subsequently removed. Use "build" instead. See https://gohugo.io/content-management/build-options.`}},
		{"bundles", "-- content/a/_index.md --\nBranch\n-- content/a/leaf/index.md --\nLeaf {{< part >}}\n-- content/a/leaf/part.md --\nand its *part*\n-- content/a/leaf/picture.txt --\nno page\n-- content/a/note.txt --\nno page\n" +
			"-- content/a/headless/index.md --\n---\nheadless: true\n---\n-- layouts/_shortcodes/part.html --\n{{ (.Page.Resources.GetMatch \"part.md\").Content }}\n",
			bodies{"/a/leaf/ is /a/leaf": "Leaf and its part"}, none},
		{"no front matter", "-- content/a/one.md --\n# Heading\n\nText\n-- content/a/empty.md --\n",
			bodies{"/a/one/ is /a/one": "Heading Text", "/a/empty/ is /a/empty": ""}, none},
		{"HTML files", config + "[security]\nallowContent = ['.*']\n-- content/a/page.html --\n---\ntitle: x\n---\n<p>R&amp;D</p><p>too</p>\n-- content/a/bare.html --\n<p>bare</p>\n",
			bodies{"/a/page/ is /a/page": "R&D too", "/a/bare/ is /a/bare": "bare"}, none},
		{"a draft that is broken", "-- content/a/one.md --\nText\n-- content/a/draft.md --\n---\ndraft: true\ndraft: true\n---\n{{< gone >}}\n",
			bodies{"/a/one/ is /a/one": "Text"}, []string{`content/a/draft.md: repeated "draft", the last one counts`, `content/a/draft.md: shortcode "gone" is missing, its inner text stands for it`}},
		{"summaries and tables of contents", "-- content/a/one.md --\n---\ntitle: One\n---\nFirst.\n<!--more-->\n## Two\nLast.\n-- layouts/_shortcodes/toc.html --\n{{ .Page.TableOfContents }}\n-- content/a/toc.md --\n---\ntitle: Two\n---\n{{< toc >}}\n\n## H\n",
			bodies{"/a/one/ is /a/one": "First. Two Last.", "/a/toc/ is /a/toc": "H H"}, none},
		{"no section", "-- content/one.md --\nText\n",
			bodies{}, []string{": language \"en\" has no articles: no published page lies in a section that is indexed\n  sections = [\"/\"] in [params.readFinder] indexes those in no section too"}},
		{"section pages only", "-- content/a/_index.md --\nText\n-- content/a/b/_index.md --\n---\ntitle: B\n---\n",
			bodies{}, []string{": language \"en\" has no articles: no published page lies in a section that is indexed\n  1 section page (_index.md) with text; only regular pages are articles"}},
		{"no section, indexed", config + "[params.readFinder]\nsections = ['/']\n-- content/one.md --\nText\n-- content/a/two.md --\nMore\n",
			bodies{"/one/ is /one": "Text", "/a/two/ is /a/two": "More"}, none},
		{"no page kind", config + "disableKinds = ['page']\n-- content/a/one.md --\nText\n",
			bodies{}, []string{`: language "en" has no articles: no published page lies in a section that is indexed`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := load(t, tt.archive)
			got := bodies{}
			for _, p := range l.pubs {
				for _, a := range p.Articles {
					got[urlPath(a.URL)+" is "+a.Path] = a.Body
				}
			}
			equal(t, "bodies", got, tt.want)
			equal(t, "report", l.report(), tt.report)
		})
	}
}

// TestPermitted is of what TestOffline forbids. The site's own settings permit it, and do not matter.
func TestPermitted(t *testing.T) {
	server := serveText(t, "fetched")
	cache := t.TempDir()
	dir := writeSite(t, `
-- hugo.toml --
baseURL = 'https://example.org/'
enableGitInfo = true
[security.http]
urls = ['.*']
[security.exec]
allow = ['.*']
-- layouts/_shortcodes/remote.html --
{{ (resources.GetRemote (.Get 0)).Content }}
-- layouts/_shortcodes/author.html --
{{ with .Page.GitInfo }}{{ .AuthorName }}{{ end }}
-- content/a/one.md --
From {{< remote "`+server+`/x" >}} by {{< author >}}
`)
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=Jane Doe", "-c", "user.email=jane@example.org", "commit", "-qm", "site"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v %s", args, err, out)
		}
	}
	environ := append(os.Environ(), "HUGO_CACHEDIR="+cache, "HUGO_SECURITY_HTTP_URLS=.*", "HUGO_SECURITY_EXEC_ALLOW=.*")
	before := tree(t, dir)

	l := loadFrom(t, dir, Options{Environ: environ})
	equal(t, "off", l.report(), []string{
		`: skipped, external programs are off: "git" for enableGitInfo; --allow-exec turns them on`,
		`content/a/one.md: indexed by its source's text: skipped, the network is off: "` + server + `/x"; --allow-network turns it on`,
	})
	equal(t, "body", l.article(t, "/one").Body, "From by")

	l = loadFrom(t, dir, Options{Environ: environ, AllowNetwork: true, AllowExec: true})
	equal(t, "on", l.report(), []string{})
	equal(t, "body", l.article(t, "/one").Body, "From fetched by Jane Doe")

	equal(t, "the site's files", tree(t, dir), before)
	if files, err := filepath.Glob(filepath.Join(cache, "*")); err != nil || len(files) > 0 {
		t.Errorf("in the cache folder: %q, %v", files, err)
	}
}

// serveText answers every HTTP request with the text, and returns where.
func serveText(t *testing.T, text string) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			request := bufio.NewReader(conn)
			for line := ""; line != "\r\n" && err == nil; {
				line, err = request.ReadString('\n')
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"+text)
			conn.Close()
		}
	}()
	return "http://" + listener.Addr().String()
}
