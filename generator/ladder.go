package generator

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
)

// The rungs of the ladder of tolerances, in the order in which a load climbs them.
const (
	RungFrontMatter = "front matter" // repaired, or the file is left out
	RungShortcode   = "shortcode"    // missing, shows its inner text
	RungContent     = "content"      // indexed by its source's text
	RungModule      = "module"       // theme or module that cannot be found, left out
	RungTranslation = "translation"  // file that cannot be read, left out
	RungConfig      = "config"       // setting that Hugo does not know, left out
	RungTemplate    = "template"     // that Hugo cannot parse, emptied; or that it does not have, called for nothing
	RungLogged      = "logged error" // that did not keep Hugo from going on
	RungContentOnly = "content only" // no layouts at all
)

// maxAttempts bounds the loads of one site. Each must repair something that the one before did not.
const maxAttempts = 200

// A ladder loads a site with as few repairs as it needs. Hugo stops at the first error: it is repaired, all files are
// searched for more of its kind where that can be done without Hugo, and the site is loaded again.
type ladder struct {
	opts       Options
	source     string // absolute
	repairs    repairs
	tolerances *tolerances

	scanned    bool              // all front matter was looked at
	shortcodes map[string]*usage // of all content, nil before it was looked at
	bared      int               // content files without their shortcodes
	lastResort string            // why there are no layouts
}

// loadSite loads the site, reporting what it was made to bear.
func loadSite(o Options, w *warnings, t *tolerances) (*hugoSite, error) {
	source, err := filepath.Abs(o.Source)
	if err != nil {
		return nil, err
	}
	l := &ladder{
		opts: o, source: source, tolerances: t,
		repairs: repairs{files: map[string][]byte{}, hidden: map[string]bool{}},
	}
	for range maxAttempts {
		log := newHugoLog(source)
		s, err := loadHugo(o, source, &l.repairs, log)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("source folder: %w", err)
		}
		failed := new(loadError)
		if err == nil || !errors.As(err, &failed) {
			if s != nil && l.repairHooks(s) {
				s.close()
				continue
			}
			if s != nil {
				log.reportTo(w, t)
				l.reportModules(s.missingModules)
				if l.repairs.contentOnly {
					t.add(RungContentOnly, "", l.lastResort)
				}
			}
			return s, err
		}
		if !l.repair(failed) {
			w.merge(log.warnings)
			return nil, failed
		}
	}
	return nil, fmt.Errorf("load site: %d repairs were not enough; the last were %s", maxAttempts, t.last())
}

// repair mends what made a load fail, and returns whether there was anything to mend.
func (l *ladder) repair(e *loadError) bool {
	if l.repairConfig(e.message) || l.repairModules(e.message) {
		return true
	}
	if m := errorPosition.FindStringSubmatch(e.message); m != nil {
		file, reason := m[1], ownLine(m[3])
		if !filepath.IsAbs(file) {
			file = filepath.Join(l.source, filepath.FromSlash(file))
		}
		switch {
		case isContent(file, e.contentDirs):
			line, _, _ := strings.Cut(m[2], ":")
			return l.repairContent(file, line, reason, e)
		case strings.Contains(reason, "translations"):
			return l.replace(RungTranslation, file, nil, "left out: "+reason)
		case strings.Contains(reason, "template") && !l.has(file):
			return l.replace(RungTemplate, file, nil, "emptied: "+brief(reason))
		}
	}
	return l.repairTemplate(e) || l.defineOutput(e.message) || l.dropLayouts(e.message)
}

func (l *ladder) has(file string) bool {
	_, ok := l.repairs.files[file]
	return ok
}

// replace lays data over a file and reports it. It returns false when that was done before.
func (l *ladder) replace(rung, file string, data []byte, reason string) bool {
	if old, ok := l.repairs.files[file]; ok && string(old) == string(data) {
		return false
	}
	l.repairs.files[file] = data
	l.tolerances.add(rung, relativeTo(l.source, file), reason)
	return true
}

// modulesFailed matches Hugo's errors about themes and modules that it cannot find or may not download.
var modulesFailed = regexp.MustCompile(`failed to (load|download|get|list) modules|module .* not found`)

// repairModules makes Hugo ignore what it cannot find. Which that is, is known when the site is loaded.
func (l *ladder) repairModules(message string) bool {
	if !modulesFailed.MatchString(message) {
		return false
	}
	if !l.repairs.noModules {
		l.repairs.noModules = true
		return true
	}
	mod := filepath.Join(l.source, "go.mod") // with it, Hugo asks go for the modules
	if l.repairs.hidden[mod] {
		return false
	}
	l.repairs.hidden[mod] = true
	return true
}

func (l *ladder) reportModules(missing []string) {
	reason := "not found, the site is loaded without it"
	if l.repairs.hidden[filepath.Join(l.source, "go.mod")] {
		reason = "not downloaded, the site is loaded without it; --allow-exec lets Hugo start go, --allow-network fetch it"
	}
	for _, path := range missing {
		l.tolerances.add(RungModule, path, reason)
	}
}

// dropLayouts is the last rung: content only.
func (l *ladder) dropLayouts(message string) bool {
	if l.repairs.contentOnly {
		return false
	}
	l.repairs.contentOnly, l.repairs.noModules = true, true
	l.repairs.hidden[filepath.Join(l.source, "go.mod")] = true
	l.shortcodes = nil
	for _, file := range configFiles(l.opts, l.source) {
		l.editConfig(file, func(root map[string]any, name string) bool {
			return deleteKeys(root, "theme", "module") || name == "module" && deleteAll(root)
		})
	}
	l.lastResort = firstLine(message)
	return true
}
