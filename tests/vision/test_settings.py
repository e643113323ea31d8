"""Every threshold explains itself."""

from dataclasses import fields

from flowvision.vision.settings import Settings


def test_every_threshold_has_a_unit_and_a_reason():
    """The debug page lists them: none may be a bare number."""
    for entry in fields(Settings):
        assert entry.metadata["unit"], entry.name
        assert len(entry.metadata["reason"]) > 10, entry.name
