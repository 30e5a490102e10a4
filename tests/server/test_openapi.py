"""The interface as it describes itself: the description is sound, and the server keeps to it, whoever asks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
import jsonschema_rs
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.live import Live, serving
from support.samples import Prepared, Sample, house_of, samples

from punto import load
from punto.server.realtime.messages import MESSAGES
from punto.store.codec import encoder
from punto.table.decide import COMMANDS
from punto.table.evolve import EVENTS

CHECKS: list[Any] = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
REJECTION: dict[int, list[Any]] = {413: []}
"""A body that is too long is rejected, though schemathesis does not count that as a rejection."""
SEALED, READING = "sealed", "reading"
NOBODY = "nobody"
BEFORE_IT_IS_READ = {
    b"Invalid HTTP request received.": 400,
    b"the address is too long": 414,
    b"the headers are too large": 431,
}
"""What is answered to a request that never becomes one of these operations."""
"""What is answered to bytes that are no request, before they come to any route."""
ASKERS = ("Gaming Shift Manager", NOBODY, "Ann", "Dealer", "Cashier", "Auditor", "Device")
FITTING, BROKEN = 6, 4
"""How many requests of each operation fit the description, and how many do not; everybody makes others."""
FEW = 2
"""So many are enough where there is nothing to vary, or where each takes long."""
MANY = 24
"""There are more commands than anything else."""


class House:
    """A server with tables in many states, its description, and somebody for every duty."""

    def __init__(self, live: Live, prepared: Prepared, tables: dict[str, Sample]) -> None:
        self.live, self.prepared, self.tables = live, prepared, list(tables)
        self.schema: Any = schemathesis.openapi.from_url(f"{live.address}/openapi.json")
        self.document: dict[str, Any] = httpx.get(f"{live.address}/openapi.json").json()
        self.validators: dict[str, jsonschema_rs.Validator] = {}
        self._addresses = count(1)

    def headers(self, asker: str, operation: str) -> dict[str, str]:
        """Of somebody who asks, each time from another address, as it comes from a proxy on the same machine.

        Figures are not for who comes through a proxy; and whoever signs out is no longer who he was, so nobody does.
        """
        number = next(self._addresses)
        headers = {} if operation == "GET /metrics" else {"x-forwarded-for": f"10.{number >> 8 & 255}.{number & 255}.1"}
        if asker != NOBODY and operation != "POST /api/sign-out":
            headers["authorization"] = f"Bearer {self.prepared.tokens[asker]}"
        return headers


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("openapi")
    known = [sample for sample in samples() if sample.row.command != "WindowElapsed"]
    tables = {f"t{number}": sample for number, sample in enumerate(known)}
    prepared = house_of(folder / "punto.db", tables, ("Ann", "Bob", "Zoe"))
    with serving(str(prepared.file), folder) as live:
        made = House(live, prepared, tables)
        manager = live.someone(prepared.tokens["Assistant Casino Manager"])
        opening = next(sample for sample in known if sample.row.name == "OpenTable by Method C").values
        for table, device in ((SEALED, "sealed"), (READING, "card-reading")):
            setting = json.loads(encoder.encode(opening["setting"])) | {"device": device, "method": "A"}
            manager.post("/api/tables", table=table, game="baccarat")
            manager.done(table, "OpenTable", setting=setting, float_=1_000_000)
        manager.post(f"/api/tables/{SEALED}/shoes")
        manager.done(READING, "LoadShoe", shoe="one")
        yield made


# --- what it says -----------------------------------------------------------------------------------------------------


def test_the_description_is_openapi(house: House) -> None:
    assert house.document["openapi"].startswith("3.1.")
    house.schema.validate()
    for name, schema in house.document["components"]["schemas"].items():
        assert jsonschema_rs.meta.is_valid(schema | {"$schema": "https://json-schema.org/draft/2020-12/schema"}), name


def references(within: Any) -> Iterator[str]:
    """Every reference there is, the discriminators' own among them."""
    if isinstance(within, dict):
        for key, value in within.items():
            if key == "$ref":
                yield value
            elif key == "mapping":
                yield from value.values()
            else:
                yield from references(value)
    elif isinstance(within, list):
        for each in within:
            yield from references(each)


def test_every_reference_leads_somewhere(house: House) -> None:
    found = set(references(house.document))
    assert len(found) > len(COMMANDS) + len(EVENTS)
    for reference in found:
        place: Any = house.document
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
        assert isinstance(place, dict), reference


def test_every_command_event_and_message_is_described(house: House) -> None:
    schemas = house.document["components"]["schemas"]
    for name in COMMANDS:
        assert schemas[name]["properties"]["command"] == {"enum": [name]}
        assert schemas[name]["additionalProperties"] is False
        assert not {"by", "at"} & set(schemas[name]["properties"]), "who gives it and when is not for him to say"
    assert set(schemas["Command"]["discriminator"]["mapping"]) == set(COMMANDS)
    for name in EVENTS:
        assert schemas[f"Event.{name}"]["type"] == "object"
    for kind in MESSAGES:
        assert schemas[kind.__name__]["properties"]["type"]["enum"]


def validator(house: House, name: str) -> jsonschema_rs.Validator:
    """Tells whether something is what the description says of this name."""
    if name not in house.validators:
        schema = {"$ref": f"#/components/schemas/{name}", "components": house.document["components"]}
        house.validators[name] = jsonschema_rs.Draft202012Validator(schema)
    return house.validators[name]


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.row.name.replace(" ", "-"))
def test_a_command_that_is_carried_out_fits_its_description(house: House, sample: Sample) -> None:
    said = body_of(sample)
    for name in (sample.row.command, "Command"):
        validator(house, name).validate(said)
        assert not validator(house, name).is_valid(said | {"by": "somebody"})
        assert not validator(house, name).is_valid(said | {"at": 1})


def body_of(sample: Sample) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(encoder.encode({"command": sample.row.command, **sample.values}))
    return said


def test_what_is_told_fits_its_description_for_staff_and_for_others(house: House) -> None:
    """Also where something is left out of it because it is nobody's business."""
    told, told_to_some = validator(house, "Told"), 0
    askers = [house.live.someone(house.prepared.tokens[each]) for each in ("Dealer", "Ann")] + [house.live.nobody()]
    for number, table in enumerate(house.tables):
        for asker in askers:
            asker.http.headers["x-forwarded-for"] = f"10.200.{number}.1"
            for event in asker.get(f"/api/tables/{table}/events"):
                told.validate(event)
                told_to_some += 1
    assert told_to_some > 1000


# --- what it does -----------------------------------------------------------------------------------------------------


def operations(house: House) -> list[Any]:
    found = [each.ok() for each in house.schema.get_all_operations()]
    assert len(found) >= 30
    return found


def examples_of(operation: Any, mode: GenerationMode) -> int:
    """How many requests are made of an operation."""
    if operation.label in ("POST /api/sign-in", "POST /api/me/password", "POST /api/me/unlock"):
        return FEW
    if operation.label == "POST /api/tables/{table}/commands" and mode.is_positive:
        return MANY
    if not operation.body and not operation.query:
        return FEW if mode.is_positive else 0
    return FITTING if mode.is_positive else BROKEN


@st.composite
def aimed(draw: st.DrawFn, operation: Any, mode: GenerationMode, house: House) -> Any:
    """A request of an operation; most are aimed at what there is, so that they come further than not found."""
    case = draw(operation.as_strategy(generation_mode=mode))
    known = {
        "table": [SEALED, READING, *house.tables],
        "shoe": [f"{SEALED} 1", "one"],
        "person": ["Bob", house.prepared.ids["Auditor"]],
        "device": [house.prepared.ids["Device"], "Bob"],
        "patron": ["Ann", "Bob"],
        "game": ["baccarat", "fabulous-4"],
        "digest": [load("baccarat").digest],
        "round": ["1", "2"],
        "number": ["1", "2"],
        "event": ["1", "2"],
        "slip": ["1", "2"],
        "session": ["1", "2"],
        "request": ["r1"],
    }
    if draw(st.integers(0, 3)) == 0:
        return case
    for name in case.path_parameters or {}:
        if mode.is_positive or name not in (
            "round",
            "number",
            "event",
            "slip",
            "session",
        ):  # a wrong number stays wrong
            case.path_parameters[name] = draw(st.sampled_from(known[name]))
    if mode.is_positive and isinstance(case.body, dict):
        if "command" in case.body and draw(st.booleans()):
            case.body = draw(st.sampled_from([body_of(sample) for sample in samples()]))
        for name in case.body.keys() & known.keys() - {"table"}:
            if isinstance(case.body[name], str):
                case.body[name] = draw(st.sampled_from(known[name]))
    return case


def ask(house: House, asker: str, operation: Any, mode: GenerationMode) -> Counter[int]:
    """Make requests of one operation; how they were answered, by status."""
    answers: Counter[int] = Counter()

    @seed(f"{asker} {operation.label}")
    @settings(
        max_examples=examples_of(operation, mode),
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=aimed(operation, mode, house))
    def once(case: Any) -> None:
        headers = house.headers(asker, operation.label)
        answer = case.call(session=session, headers=headers)
        answers[answer.status_code] += 1
        assert b"Traceback" not in answer.content
        if answer.status_code == BEFORE_IT_IS_READ.get(answer.content):
            return
        case.validate_response(answer, checks=[*CHECKS, *REJECTION.get(answer.status_code, [negative_data_rejection])])

    with requests.Session() as session:
        once()
    return answers


@pytest.mark.long
@pytest.mark.parametrize("asker", ASKERS)
def test_whoever_asks_whatever_is_answered_as_it_is_described(house: House, asker: str) -> None:
    """Nothing that anybody sends makes the server fail, and it answers nothing that it does not say it may."""
    answers: Counter[int] = Counter()
    for operation in operations(house):
        for mode in GenerationMode:
            if examples_of(operation, mode):
                answers += ask(house, asker, operation, mode)
    assert answers.total() > 200
    assert answers[200] > 0
    assert answers[422] > 0
    assert answers[429] == 0, "then there was nothing to learn"
    assert httpx.get(f"{house.live.address}/healthz").json()["ok"]
    failed = [line for line in house.live.log.read_text("utf-8").splitlines() if '"level": "error"' in line]
    assert failed == []
