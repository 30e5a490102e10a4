"""The same answer from a cluster: a real one, of two processes on this machine."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator

import pytest
import ray
from support.command import refused, run_json

from punto import load, simulate
from punto.simulate import ray_cluster
from punto.simulate.simulation import CHUNK


@pytest.fixture
def two_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two processes on this machine, and nothing of them left behind."""
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    # Its sockets do not bear long paths.
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as folder:
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=folder)
        yield
        ray.shutdown()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of Ray's own
@pytest.mark.usefixtures("two_processes")
@pytest.mark.long
def test_a_cluster_gives_the_answer_of_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "CHUNKS_IN_A_TASK", 2)
    shoes, told = 5 * CHUNK + 77, list[int]()
    there = simulate(load("tiger"), shoes, seed=3, on="ray", progress=lambda done, _: told.append(done))
    listed = run_json("simulate", "tiger", "--shoes", str(shoes), "--seed", "3", "--on", "ray", "--workers", "2")
    here = simulate(load("tiger"), shoes, seed=3, workers=1)
    assert there.wagers == here.wagers
    assert (there.shoes, there.rounds, there.partial) == (here.shoes, here.rounds, False)
    assert told[-1] == shoes
    assert listed["rounds"] == here.rounds


def test_without_ray_it_is_said_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "needs Ray: pip install 'punto[ray]'" in refused("simulate", "tiger", "--shoes", "1", "--on", "ray")
