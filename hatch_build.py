"""Compiles the C runtime and the templates when a wheel is built, so that the first model need not wait for them.

An editable installation gets them in the user's cache. Without a C compiler the wheel is built all the same, and they
are compiled when they are first needed.
"""

from __future__ import annotations

import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """What hatchling calls before and after it packs a wheel."""

    _scratch: Path

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the objects to the wheel, or to the user's cache if hsfpy will run from the checkout."""
        self._scratch = Path(tempfile.mkdtemp(prefix="hsfpy-"))
        sys.path.insert(0, self.root)
        try:
            self._compile(version == "editable", build_data)
        except Exception as error:  # an aid and never a condition
            self.app.display_warning(f"the C runtime is not compiled beforehand: {error}")
        finally:
            sys.path.remove(self.root)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes what is in the wheel now."""
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _compile(self, is_editable: bool, build_data: dict[str, Any]) -> None:
        from hsfpy.compiler import find_compiler
        from hsfpy.emit import ship_templates
        from hsfpy.objects import ship, warm_up

        compiler = find_compiler()
        if is_editable:
            warm_up(compiler, self._scratch)
            return
        objects, templates = self._scratch / "objects", self._scratch / "templates"
        objects.mkdir()
        ship(compiler, self._scratch, objects)
        ship_templates(templates)
        build_data["force_include"] |= {str(objects): "hsfpy/_objects", str(templates): "hsfpy/_compiled"}
        build_data["pure_python"] = False
        # They are for this kind of machine, and for every Python.
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"py3-none-{platform}"
