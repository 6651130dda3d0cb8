package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/read-finder/read-finder/site/corpus"
)

// A corpusMetric is one number about the corpus of a feed. The content is the latest that was loaded, nil for none:
// then only what has always is told.
type corpusMetric struct {
	desc   *prometheus.Desc
	kind   prometheus.ValueType
	always bool
	value  func(*feed, *corpus.Corpus) float64
}

func corpusMetrics() []corpusMetric {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(namespace+"_corpus_"+name, help, []string{"corpus"}, nil)
	}
	const counter, gauge = prometheus.CounterValue, prometheus.GaugeValue
	return []corpusMetric{
		{desc("loads_total", "Times that a corpus was loaded, the first included."), counter, true,
			func(f *feed, _ *corpus.Corpus) float64 { return float64(f.loads.Load()) }},
		{desc("refusals_total", "New corpora refused because they are damaged, too large, or of another version."), counter, true,
			func(f *feed, _ *corpus.Corpus) float64 { return float64(f.refusals.Load()) }},
		{desc("fetch_failures_total", "Times that the source of the corpus became unreachable."), counter, true,
			func(f *feed, _ *corpus.Corpus) float64 { return float64(f.failures.Load()) }},
		{desc("failing", "1 while the source is unreachable or has a corpus that was refused."), gauge, true,
			func(f *feed, _ *corpus.Corpus) float64 { return oneIf(f.failing.Load()) }},
		{desc("loaded_timestamp_seconds", "When the corpus was loaded."), gauge, false,
			func(f *feed, _ *corpus.Corpus) float64 { return float64(f.loaded.Load()) }},
		{desc("generated_timestamp_seconds", "When the corpus was generated: its age is time() less this."), gauge, false,
			func(_ *feed, c *corpus.Corpus) float64 { return float64(c.Meta().GeneratedAt.Unix()) }},
		{desc("size_bytes", "Size of the corpus."), gauge, false,
			func(_ *feed, c *corpus.Corpus) float64 { return float64(c.Meta().Bytes) }},
		{desc("articles", "Articles in the corpus."), gauge, false,
			func(_ *feed, c *corpus.Corpus) float64 { return float64(c.Meta().Articles) }},
		{desc("companies", "Companies in the corpus."), gauge, false,
			func(_ *feed, c *corpus.Corpus) float64 { return float64(c.Meta().Companies) }},
	}
}

func corpusInfo() *prometheus.Desc {
	return prometheus.NewDesc(namespace+"_corpus_info", "1, for the corpus that is served.",
		[]string{"corpus", "fingerprint", "language", "prefix"}, nil)
}

// Describe implements prometheus.Collector.
func (l *Loader) Describe(to chan<- *prometheus.Desc) {
	to <- corpusInfo()
	for _, m := range corpusMetrics() {
		to <- m.desc
	}
}

// Collect implements prometheus.Collector.
func (l *Loader) Collect(to chan<- prometheus.Metric) {
	for _, f := range l.feeds {
		c := l.corpus(f)
		for _, m := range corpusMetrics() {
			if c != nil || m.always {
				to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(f, c), f.source.String())
			}
		}
		if c != nil {
			meta := c.Meta()
			to <- prometheus.MustNewConstMetric(corpusInfo(), prometheus.GaugeValue, 1,
				f.source.String(), meta.Fingerprint, meta.Language, meta.Prefix)
		}
	}
}
