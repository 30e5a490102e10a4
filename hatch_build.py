"""What hatchling asks before it packs Punto: a wheel or an sdist without the pages would serve nothing to look at."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PagesAreBuilt(BuildHookInterface):  # type: ignore[type-arg]
    """Refuses to pack a checkout whose pages are not built; an editable installation needs none yet."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        manifest = Path(self.root, "src", "punto", "server", "static", "pages.json")
        if version != "editable" and not manifest.is_file():
            raise RuntimeError("the pages are not built: `make setup` builds them, and `make package` then packs Punto")
