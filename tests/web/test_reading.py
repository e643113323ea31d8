"""Pictures are read: dropped, pasted, several at once; what is tried is seen, and can be stopped."""

from __future__ import annotations

from tests.drawing import FIVE, SEVERAL
from tests.web.chromium import Held, Tab, needs_chromium, picture_of
from tests.web.covered import NO_ORANGE

pytestmark = needs_chromium


def test_a_picture_is_dropped_or_pasted(tab: Tab) -> None:
    """As files of a drag, and from the clipboard."""
    for event, field in (("drop", "dataTransfer"), ("paste", "clipboardData")):
        transfer = tab.page.evaluate_handle(
            """(bytes) => { const made = new DataTransfer();
            made.items.add(new File([new Uint8Array(bytes)], 'a.png', {type: 'image/png'}));
            return made; }""",
            list(picture_of(FIVE)),
        )
        tab.page.evaluate(
            """([event, field, transfer]) => { const made = event === 'drop'
            ? new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true})
            : new ClipboardEvent('paste', {clipboardData: transfer, bubbles: true, cancelable: true});
            document.body.dispatchEvent(made); }""",
            [event, field, transfer],
        )
        tab.hears("exactly one solution")
        tab.page.click("#home")
        tab.page.wait_for_selector("#start:not([hidden])")


def test_what_is_tried_is_seen_while_a_picture_is_read(tab: Tab) -> None:
    """Where its cells lie, how many they are, and that the reason is being looked for."""
    said = tab.page.evaluate_handle(
        """() => { const [said, more] = [[], document.querySelector("#more")];
        const tried = () => document.querySelector("#overlay .shot path").getAttribute("d");
        const listen = new MutationObserver(() => said.push([more.textContent, tried()]));
        listen.observe(more, {childList: true}); return said; }"""
    )
    tab.page.set_input_files(
        "#file", {"name": "a.png", "mimeType": "image/png", "buffer": picture_of(NO_ORANGE)}
    )
    tab.hears("no partner")
    seen = said.json_value()
    assert any(
        "Tried: 5 rows and 5 columns." in words and (path or "").startswith("M") for words, path in seen
    )
    assert any("looking for the reason" in words for words, _ in seen)
    assert tab.page.locator("#overlay .shot path").get_attribute("d") == ""


def test_what_is_being_read_can_be_stopped(tab: Tab) -> None:
    """The picture of before is there again."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    held = Held(tab, "**/api/solve*")
    tab.page.set_input_files(
        "#file", {"name": "b.png", "mimeType": "image/png", "buffer": picture_of(SEVERAL)}
    )
    held.wait()
    tab.press("Stop").hears("exactly one solution")
    assert tab.page.locator("body.busy").count() == 0
    held.let_go()


def test_another_picture_is_chosen_at_once(tab: Tab) -> None:
    """Without a way over the empty page; whoever thinks better of it is where they were."""
    tab.choose(picture_of(FIVE)).hears("exactly one solution")
    with tab.page.expect_file_chooser() as asked:
        tab.press("Another picture")
    tab.hears("exactly one solution")
    asked.value.set_files({"name": "b.png", "mimeType": "image/png", "buffer": picture_of(SEVERAL)})
    tab.hears("solutions; this is one of them")


def test_a_picture_opens_solved_wherever_one_was(tab: Tab) -> None:
    """In the middle of a game, too."""
    tab.choose(picture_of(SEVERAL), "first.png").hears("solutions").tab("Play")
    tab.choose(picture_of(FIVE), "second.png").hears("Solved: there is exactly one solution")
    tab.press("Save")


def test_several_pictures_are_counted(tab: Tab) -> None:
    """While they are read, and at the end; a bad one is named, below what is touched."""
    files = [
        {"name": f"{n}.png", "mimeType": "image/png", "buffer": data}
        for n, data in enumerate((picture_of(FIVE), picture_of(NO_ORANGE), b"no picture"))
    ]
    said = tab.page.evaluate_handle(
        """() => { const [said, words] = [[], document.querySelector("#words")];
        const listen = new MutationObserver(() => said.push(words.textContent));
        listen.observe(words, {childList: true}); return said; }"""
    )
    tab.page.set_input_files("#file", files)
    notice = tab.page.locator("#notice")
    notice.filter(has_text="paste it under “Make”. 1 of 3 pictures are solved.").wait_for()
    assert {"Reading picture 1 of 3 …", "Reading picture 2 of 3 …"} <= set(said.json_value())
    tab.page.set_input_files("#file", files[2] | {"name": "again.png"})
    notice.filter(has_text="again.png: This file holds text, not a picture.").wait_for()
    header, box = tab.page.locator("header").bounding_box(), notice.bounding_box()
    assert box["y"] > header["y"] + header["height"]
    tab.page.mouse.click(box["x"] + 20, box["y"] + 20)
    assert notice.is_hidden()
    tab.wrong.clear()
