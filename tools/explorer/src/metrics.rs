//! Counts requests for `/metrics`, in the text format of OpenMetrics.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::route_table::ROUTES;

/// Upper bounds of the latency histogram in microseconds.
const BOUNDS: [u64; 11] =
    [1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 2_500_000, 10_000_000];

/// Counters of a server.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Requests by route, in the order of [`ROUTES`], and of all other addresses; by class of status: 2, 3, 4, 5.
    requests: [[AtomicU64; 4]; ROUTES.len() + 1],
    buckets: [AtomicU64; BOUNDS.len() + 1],
    microseconds: AtomicU64,
    pub(crate) cache_hits: AtomicU64,
    pub(crate) cache_misses: AtomicU64,
    pub(crate) budget_stops: AtomicU64,
    pub(crate) abandoned: AtomicU64,
}

impl Metrics {
    /// Counts a request; `route` is its place in [`ROUTES`].
    pub(crate) fn count(&self, route: Option<usize>, status: u16, time: Duration) {
        let class = usize::from(status / 100).clamp(2, 5) - 2;
        self.requests[route.unwrap_or(ROUTES.len())][class].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.buckets[BOUNDS.partition_point(|bound| *bound < micros)].fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(micros, Ordering::Relaxed);
    }

    /// Returns the text of `/metrics`; `cache_bytes` is the length of all answers that are kept, `answer_bytes` that of all answers in
    /// memory.
    pub(crate) fn text(&self, cache_bytes: u64, answer_bytes: usize) -> String {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut text = String::new();
        let _ = writeln!(
            text,
            "# TYPE pdn_requests counter\n# HELP pdn_requests Requests by route and class of status."
        );
        for (place, classes) in self.requests.iter().enumerate() {
            let route = ROUTES.get(place).map_or("other", |route| route.path);
            for (class, count) in classes.iter().enumerate().filter(|(_, count)| load(count) > 0) {
                let class = class + 2;
                let _ = writeln!(
                    text,
                    "pdn_requests_total{{route=\"{route}\",status=\"{class}xx\"}} {}",
                    load(count)
                );
            }
        }
        let _ = writeln!(
            text,
            "# TYPE pdn_request_duration_seconds histogram\n# UNIT pdn_request_duration_seconds seconds\n\
             # HELP pdn_request_duration_seconds Time from the end of the header to the response."
        );
        let mut sum = 0;
        for (place, bucket) in self.buckets.iter().enumerate() {
            sum += load(bucket);
            let bound = BOUNDS
                .get(place)
                .map_or_else(|| "+Inf".to_owned(), |bound| (*bound as f64 / 1e6).to_string());
            let _ = writeln!(text, "pdn_request_duration_seconds_bucket{{le=\"{bound}\"}} {sum}");
        }
        let _ = writeln!(text, "pdn_request_duration_seconds_count {sum}");
        let _ = writeln!(text, "pdn_request_duration_seconds_sum {}", load(&self.microseconds) as f64 / 1e6);
        for (name, help, counter) in [
            ("pdn_cache_hits", "Answers found in the cache.", &self.cache_hits),
            ("pdn_cache_misses", "Answers that had to be computed.", &self.cache_misses),
            ("pdn_budget_stops", "Answers stopped because they took too long.", &self.budget_stops),
            ("pdn_abandoned_requests", "Answers stopped because the client went away.", &self.abandoned),
        ] {
            let _ =
                writeln!(text, "# TYPE {name} counter\n# HELP {name} {help}\n{name}_total {}", load(counter));
        }
        let _ = writeln!(
            text,
            "# TYPE pdn_cache_bytes gauge\n# UNIT pdn_cache_bytes bytes\n\
             # HELP pdn_cache_bytes Memory of the answers that are kept.\npdn_cache_bytes {cache_bytes}\n\
             # TYPE pdn_answer_bytes gauge\n# UNIT pdn_answer_bytes bytes\n\
             # HELP pdn_answer_bytes Memory of the answers that are kept or not sent yet.\npdn_answer_bytes {answer_bytes}"
        );
        text.push_str("# EOF\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_status_and_time() {
        let metrics = Metrics::default();
        metrics.count(Some(0), 200, Duration::from_micros(900));
        metrics.count(Some(0), 304, Duration::from_millis(3));
        metrics.count(None, 404, Duration::from_secs(60));
        let text = metrics.text(4096, 5000);
        let first = ROUTES[0].path;
        for line in [
            &format!("pdn_requests_total{{route=\"{first}\",status=\"2xx\"}} 1"),
            "pdn_requests_total{route=\"other\",status=\"4xx\"} 1",
            "pdn_request_duration_seconds_bucket{le=\"0.001\"} 1",
            "pdn_request_duration_seconds_bucket{le=\"0.005\"} 2",
            "pdn_request_duration_seconds_bucket{le=\"+Inf\"} 3",
            "pdn_request_duration_seconds_count 3",
            "pdn_cache_bytes 4096",
            "pdn_answer_bytes 5000",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
