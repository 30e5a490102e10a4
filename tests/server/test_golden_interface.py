"""The golden interface: every path, method, schema and property that was recorded is still there."""

from __future__ import annotations

from support.golden_interface import Interface, grown, interface, recorded

_LISTED = "what is accepted has not changed; the description now lists it"
_DESCRIBED = "what is answered has not changed; it was not described before"
_FOR_STAFF = "the event is told to staff alone now, and what is not public may be left out"
_BLIND = "nobody is told what a tray should hold while it is counted"
ALLOWED: dict[str, str] = {
    "operations: GET /api/pit/{table}/events: query language is Language, not string": _LISTED,
    "operations: GET /api/shift-report: query language is Language, not string": _LISTED,
    "operations: GET /api/shift-report: query format is ReportFormat, not string": _LISTED,
    "operations: GET /healthz: 200 application/json is Healthy, not anything": _DESCRIBED,
    "operations: GET /healthz: 503 is gone": _DESCRIBED,
    **{
        f"components: Event.{name}: patron is string, not string!": _FOR_STAFF
        for name in ("BoughtIn", "CashedOut", "LossLimited", "LossLimitEased")
    },
    **{f"components: StaffView: {name} is integer or null!, not integer!": _BLIND for name in ("commission", "float_")},
}
"""What may differ from the recording, as the test tells it, and why."""


def _differences(now: Interface, then: Interface) -> list[str]:
    found = []
    for part, entries in then.items():
        for name, known in entries.items():
            described = now[part].get(name)
            if described is None:
                found.append(f"{part}: {name} is gone")
                continue
            for key, kind in known.items():
                where = f"{part}: {name}: {key or 'itself'}"
                if key not in described:
                    found.append(f"{where} is gone")
                elif not grown(described[key], kind):
                    found.append(f"{where} is {described[key]}, not {kind}")
    return found


def test_the_interface_only_grows() -> None:
    assert [each for each in _differences(interface(), recorded()) if each not in ALLOWED] == []


def test_what_is_allowed_to_differ_does() -> None:
    assert set(ALLOWED) <= set(_differences(interface(), recorded()))


def test_a_property_that_is_gone_is_told() -> None:
    now, then = interface(), recorded()
    del now["components"]["SignIn"]["name"]
    now["operations"].pop("GET /api/tables")
    found = [each for each in _differences(now, then) if each not in ALLOWED]
    assert found == ["operations: GET /api/tables is gone", "components: SignIn: name is gone"]
