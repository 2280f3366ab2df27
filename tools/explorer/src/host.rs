//! Checks the Host header, so that no other site can reach a local server through a name that it controls.

use std::net::{IpAddr, SocketAddr};

/// The names under which the server answers.
#[derive(Clone, Debug)]
pub(crate) struct HostCheck {
    /// `true` if the server listens on loopback only.
    is_local: bool,
    names: Vec<String>,
}

impl HostCheck {
    /// Creates a check for a server at `address` that has further `names`.
    pub(crate) fn new(address: SocketAddr, names: &[String]) -> Self {
        Self { is_local: address.ip().is_loopback(), names: names.to_vec() }
    }

    /// Returns `true` if the value of a Host header is a name of the server: `localhost`, one of the names, a loopback
    /// address, or any address if the server listens to the network.
    pub(crate) fn accepts(&self, host: &str) -> bool {
        let name = without_port(host);
        if name.eq_ignore_ascii_case("localhost")
            || self.names.iter().any(|own| own.eq_ignore_ascii_case(name))
        {
            return true;
        }
        let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        address.is_ok_and(|address| !self.is_local || address.is_loopback())
    }
}

/// Returns a host without its port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !name.ends_with(':') && port.bytes().all(|b| b.is_ascii_digit()) => {
            if name.contains(':') && !name.ends_with(']') { host } else { name }
        }
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_the_server_are_accepted() {
        let local = HostCheck::new("127.0.0.1:5270".parse().unwrap(), &["draughts.example".to_owned()]);
        for host in ["127.0.0.1:5270", "localhost", "LocalHost:80", "[::1]:5270", "draughts.example:443"] {
            assert!(local.accepts(host), "{host}");
        }
        for host in ["evil.example", "evil.example:5270", "192.168.1.7:5270", "", "localhost.evil.example"] {
            assert!(!local.accepts(host), "{host}");
        }
        let open = HostCheck::new("0.0.0.0:5270".parse().unwrap(), &[]);
        assert!(open.accepts("192.168.1.7:5270"));
        assert!(!open.accepts("evil.example"));
    }
}
