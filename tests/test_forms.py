import re

import pytest

from flowvision.errors import OutputError
from flowvision.forms import FORMS, SUFFIXES, form_of, suffix_words
from flowvision.image.codec import ENCODERS


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_suffix_tells_the_form(suffix: str) -> None:
    assert form_of(f"a{suffix}") is form_of(f"a{suffix.upper()}") is SUFFIXES[suffix]


def test_standard_output_is_a_png() -> None:
    assert form_of("-") is FORMS["png"]
    assert form_of("-", animate=True) is FORMS["apng"]


def test_every_still_picture_has_an_encoder() -> None:
    assert set(ENCODERS) == {suffix for suffix, form in SUFFIXES.items() if form.content == "picture"}


@pytest.mark.parametrize("form", FORMS.values(), ids=lambda form: form.name)
def test_a_moving_form_is_in_the_table(form) -> None:
    if form.animated is not None:
        assert FORMS[form.animated].animated == form.animated
    assert any(form.name in (other.name, other.animated) for other in SUFFIXES.values())


@pytest.mark.parametrize(("place", "animate"), [("a.bmp", False), ("a", False), ("a.jpg", True)])
def test_what_cannot_be_written_is_refused(place: str, animate: bool) -> None:
    with pytest.raises(OutputError) as raised:
        form_of(place, animate)
    assert ".png" in raised.value.hint
    assert ".gif" in raised.value.hint


def test_help_names_the_usual_suffixes() -> None:
    usual = {form.suffixes[0] for form in FORMS.values() if form.suffixes}
    assert set(re.findall(r"\.\w+", suffix_words())) == usual
