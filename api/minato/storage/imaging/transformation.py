"""What is asked of a picture, as a query, as the claim of a signed URL and as the X-Transformations header."""

from __future__ import annotations

from dataclasses import dataclass

from minato.json_text import JsonMapping
from minato.storage.validation import Schema

SMALLEST, LARGEST = 1, 2000
# What imgproxy, which the reference puts to work, calls the ways to resize.
RESIZING_TYPES = {"cover": "fill", "contain": "fit", "fill": "force"}
# Gravity → the point of the source that the crop keeps to. imgproxy's smart choice (`sm`) is the centre here.
GRAVITIES = {
    "no": (0.5, 0.0),
    "so": (0.5, 1.0),
    "ea": (1.0, 0.5),
    "we": (0.0, 0.5),
    "noea": (1.0, 0.0),
    "nowe": (0.0, 0.0),
    "soea": (1.0, 1.0),
    "sowe": (0.0, 1.0),
    "ce": (0.5, 0.5),
    "sm": (0.5, 0.5),
    "fp": (0.5, 0.5),
}

PROPERTIES: Schema = {
    "height": {"type": "integer", "minimum": 0},
    "width": {"type": "integer", "minimum": 0},
    "resize": {"type": "string", "enum": list(RESIZING_TYPES)},
    "format": {"type": "string", "enum": ["origin", "avif", "webp"]},
    "quality": {"type": "integer", "minimum": 20, "maximum": 100},
    "gravity": {"type": "string", "enum": list(GRAVITIES)},
    "x_offset": {"type": "number"},
    "y_offset": {"type": "number"},
}
TRANSFORM: Schema = {"type": "object", "properties": PROPERTIES}


@dataclass(frozen=True)
class Transformation:
    """`width` and `height` in pixels, 0 where not asked; `format` is origin, avif, webp or empty; `focus` in 0..1."""

    width: int = 0
    height: int = 0
    resize: str = "cover"
    quality: int = 0
    format: str = ""
    gravity: str = ""
    focus: tuple[float, float] = (0.5, 0.5)

    @classmethod
    def read(cls, options: JsonMapping) -> Transformation:
        """Out of options that `TRANSFORM` has checked."""
        gravity = str(options.get("gravity", ""))
        focus = GRAVITIES.get(gravity, (0.5, 0.5))
        if gravity == "fp":
            focus = (_share(options.get("x_offset", 0.5)), _share(options.get("y_offset", 0.5)))
        return cls(
            width=_clamp(options.get("width", 0)),
            height=_clamp(options.get("height", 0)),
            resize=options.get("resize", "cover"),
            quality=options.get("quality", 0),
            format=options.get("format", ""),
            gravity=gravity,
            focus=focus,
        )

    @classmethod
    def from_claim(cls, claim: str) -> Transformation:
        """Out of a signed URL's `transformations`, which `claim` wrote.

        >>> Transformation.from_claim("height:9,width:8,resize:contain,quality:60").resize
        'contain'
        """
        options: dict[str, object] = {}
        for part in filter(None, claim.split(",")):
            name, _, value = part.partition(":")
            if name == "gravity":
                options["gravity"], *offsets = value.split(":")
                options |= dict(zip(("x_offset", "y_offset"), map(float, offsets), strict=False))
            elif name in ("width", "height", "quality"):
                options[name] = int(value)
            else:
                options[name] = value
        return cls.read(options)

    @property
    def claim(self) -> str:
        """As a signed URL carries it; empty when nothing is asked."""
        return ",".join(self._parts("resize", self.resize))

    @property
    def header(self) -> str:
        """As X-Transformations says it."""
        return ",".join(self._parts("resizing_type", RESIZING_TYPES[self.resize]))

    def _parts(self, resize_name: str, resize: str) -> list[str]:
        parts = [f"{name}:{value}" for name, value in (("height", self.height), ("width", self.width)) if value]
        if parts:
            parts.append(f"{resize_name}:{resize}")
        if self.quality:
            parts.append(f"quality:{self.quality}")
        if self.format and self.format != "origin":
            parts.append(f"format:{self.format}")
        if self.gravity:
            place = f":{self.focus[0]:g}:{self.focus[1]:g}" if self.gravity == "fp" else ""
            parts.append(f"gravity:{self.gravity}{place}")
        return parts


def _clamp(size: int) -> int:
    return min(max(size, SMALLEST), LARGEST) if size else 0


def _share(value: float) -> float:
    return min(max(float(value), 0.0), 1.0)
