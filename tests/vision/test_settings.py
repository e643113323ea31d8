"""Every threshold explains itself."""

from flowvision.vision.settings import Settings, thresholds


def test_every_threshold_has_a_unit_and_a_reason():
    """The debug page lists them: none may be a bare number."""
    listed = list(thresholds(Settings()))
    assert len({threshold.name for threshold in listed}) == len(listed) > 50
    for threshold in listed:
        assert threshold.unit, threshold.name
        assert len(threshold.reason) > 10, threshold.name
