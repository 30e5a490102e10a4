"""What hatchling asks before it packs Punto: the pages are built, and a wheel lists the SHA-256 of all its files."""

from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MANIFEST = "punto/manifest.sha256"


class PagesAreBuilt(BuildHookInterface):  # type: ignore[type-arg]
    """Refuses to pack a checkout whose pages are not built; an editable installation needs neither them nor a list."""

    _aside: TemporaryDirectory[str] | None = None
    """Where the list lies until it is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        pages = Path(self.root, "src", "punto", "server", "static", "pages.json")
        if version != "editable" and not pages.is_file():
            raise RuntimeError("the pages are not built: `make setup` builds them, and `make package` then packs Punto")
        if version != "editable" and self.target_name == "wheel":
            self._aside = TemporaryDirectory()
            made = Path(self._aside.name, Path(MANIFEST).name)
            made.write_text("".join(self._lines()), "utf-8")
            build_data["force_include"][str(made)] = MANIFEST

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        if self._aside:
            self._aside.cleanup()

    def _lines(self) -> list[str]:
        """Return a line for each file of the package, as ``sha256sum`` writes it in the package's folder."""
        packed = self.build_config.builder.recurse_included_files()
        files = {Path(each.distribution_path).as_posix(): Path(each.path) for each in packed}
        named = sorted((name.removeprefix("punto/"), file) for name, file in files.items() if name.startswith("punto/"))
        return [f"{sha256(file.read_bytes()).hexdigest()}  {name}\n" for name, file in named]
