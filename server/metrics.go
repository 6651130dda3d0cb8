package server

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"
)

// namespace begins the name of every metric of our own.
const namespace = "read_finder"

// statuses are all that the server answers with, other than what net/http itself says to what is not HTTP.
var statuses = [...]int{
	http.StatusOK, http.StatusNoContent, http.StatusNotModified, http.StatusBadRequest, http.StatusNotFound,
	http.StatusMethodNotAllowed, http.StatusInternalServerError, http.StatusServiceUnavailable,
}

// latencyBuckets are the bounds of the latency histogram, in seconds: a search takes from 10 us to some ms.
var latencyBuckets = []float64{50e-6, 100e-6, 250e-6, 500e-6, 1e-3, 2.5e-3, 5e-3, 10e-3, 25e-3, 50e-3, 100e-3, 250e-3, 1}

// metrics are what the server counts. They are safe for concurrent use.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
}

// newMetrics returns the metrics of s, the Go runtime's and the process's among them.
func newMetrics(s *Server, version string) (*metrics, error) {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: "requests_total",
			Help: "Requests answered, by route and status."}, []string{"route", "code"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: "request_duration_seconds",
			Help: "Time to make the answer, without sending it.", Buckets: latencyBuckets}, []string{"route"}),
	}
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, value)
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "build_info", Help: "1, for the version that runs.",
		ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	for _, c := range []prometheus.Collector{
		m.requests, m.latency, build,
		gauge("requests_in_flight", "Requests whose answer is being made.", func() float64 { return float64(s.inFlight.Load()) }),
		gauge("connections", "Open connections to the API.", func() float64 { return float64(s.connections.Load()) }),
		gauge("ready", "1 if every corpus is there, as /readyz says.", func() float64 { return oneIf(s.Ready()) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	} {
		if err := m.registry.Register(c); err != nil {
			return nil, fmt.Errorf("set up metrics: %w", err)
		}
	}
	return m, nil
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// A meter counts the requests of one route. Its parts are looked up once, not for each request.
type meter struct {
	route    string
	requests [len(statuses)]prometheus.Counter
	latency  prometheus.Observer
}

func (m *metrics) meter(route string) *meter {
	n := &meter{route: route, latency: m.latency.WithLabelValues(route)}
	for i, status := range statuses {
		n.requests[i] = m.requests.WithLabelValues(route, strconv.Itoa(status))
	}
	return n
}

// observe counts one answer, and the time that it took to make.
func (m *meter) observe(status int, took time.Duration) {
	m.latency.Observe(took.Seconds())
	for i, s := range statuses {
		if s == status {
			m.requests[i].Inc()
			return
		}
	}
}

// page answers GET /metrics, in the text format of Prometheus.
func (m *metrics) page(a *answer, _ *mount, _ *http.Request) error {
	families, err := m.registry.Gather()
	if err != nil {
		return fmt.Errorf("gather metrics: %w", err)
	}
	out := bytes.NewBuffer(a.text)
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(out, family); err != nil {
			return fmt.Errorf("write metrics: %w", err)
		}
	}
	a.text = out.Bytes()
	a.uncached(string(expfmt.NewFormat(expfmt.TypeTextPlain)))
	return nil
}
