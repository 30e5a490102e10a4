"""Where a request comes from: the peer of its connection or, behind a proxy the operator named, whom that names.

``X-Forwarded-For`` and ``X-Forwarded-Proto`` are claims of the sender, so they count only from trusted proxies. Each
proxy appends the address it was asked from: the right-most address that is no trusted proxy is the client's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

Network = IPv4Network | IPv6Network
Headers = Iterable[tuple[bytes, bytes]]

IPV6_PREFIX = 64
"""Bits of an IPv6 address that count as one sender: a household or a machine chooses the rest freely."""
_SCHEMES = frozenset({"http", "https"})
_SECURED = {"http": "https", "ws": "wss", "https": "https", "wss": "wss"}
_PLAIN = {"http": "http", "ws": "ws", "https": "http", "wss": "ws"}


@dataclass(frozen=True, slots=True)
class Proxies:
    """The proxies whose word about a client counts; by default there are none."""

    networks: Sequence[Network] = ()

    @classmethod
    def of(cls, names: Iterable[str]) -> Proxies:
        """Return proxies by address or network; raise ``ValueError`` if one is neither."""
        return cls(tuple(ip_network(name) for name in names))

    def trusts(self, host: str) -> bool:
        """Whether this address is a trusted proxy's."""
        address = _address(host)
        return address is not None and any(address in network for network in self.networks)

    def client(self, peer: str, headers: Headers) -> str:
        """Return the address of the client of a request that came from a peer."""
        if not self.networks or not self.trusts(peer):
            return peer
        named = [each.strip() for each in _values(headers, b"x-forwarded-for")]
        client = peer
        for host in reversed(named):
            if _address(host) is None:
                break  # what stands to the left of nonsense was not written by a trusted proxy
            client = _without_port(host)
            if not self.trusts(client):
                break
        return client

    def scope(self, scope: Scope) -> Scope:
        """Return the scope of a request as its client sees it: its address, and the scheme it uses."""
        peer = scope.get("client")
        if not self.networks or peer is None or not self.trusts(peer[0]):
            return scope
        seen = {**scope, "client": (self.client(peer[0], scope["headers"]), 0)}
        scheme = next(reversed(_values(scope["headers"], b"x-forwarded-proto")), "").strip().lower()
        if scheme in _SCHEMES:
            seen["scheme"] = (_SECURED if scheme == "https" else _PLAIN)[scope["scheme"]]
        return seen


NO_PROXIES = Proxies()


def _values(headers: Headers, wanted: bytes) -> list[str]:
    return [each for name, value in headers if name == wanted for each in value.decode("latin-1").split(",")]


def _without_port(host: str) -> str:
    """Return an address as it stands, without brackets and a port that some proxies add."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host


@lru_cache(maxsize=4096)
def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(_without_port(host))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


@lru_cache(maxsize=4096)
def sender(host: str) -> str:
    """Return the sender an address stands for: an IPv4 address itself, an IPv6 address its network of 64 bits."""
    address = _address(host)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, IPV6_PREFIX), strict=False))
    return str(address or host)
