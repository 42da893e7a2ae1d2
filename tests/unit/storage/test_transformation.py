"""What a signed URL says of a transformation is what was asked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from minato.storage.imaging.transformation import GRAVITIES, Transformation

SIDES = st.integers(0, 5000)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "width": SIDES,
            "height": SIDES,
            "resize": st.sampled_from(["cover", "contain", "fill"]),
            "quality": st.integers(20, 100),
            "format": st.sampled_from(["avif", "webp"]),
            "gravity": st.sampled_from([name for name in GRAVITIES if name != "fp"]),
        },
    )
)
def test_a_claim_reads_back_as_what_it_was_written_from(options: dict[str, object]) -> None:
    wanted = Transformation.read(options)
    again = Transformation.from_claim(wanted.claim)
    assert again.claim == wanted.claim
    assert again.header == wanted.header


def test_a_focus_point_survives_the_claim() -> None:
    wanted = Transformation.read({"width": 9, "gravity": "fp", "x_offset": 0.25, "y_offset": 2.0})
    assert wanted.claim == "width:9,resize:cover,gravity:fp:0.25:1"
    assert Transformation.from_claim(wanted.claim) == wanted
