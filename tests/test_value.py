"""A value type is what a frozen dataclass with slots is: that of the standard library is the oracle."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import pydoc
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any, ClassVar, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flowvision.value import value_type

VALUES = st.one_of(st.integers(-2, 2), st.text("ab", max_size=2), st.none(), st.just(0.5), st.just([1]))
NAMES = "abcdef"


class Shape(NamedTuple):
    """What a class is made of: the options of the decorator, its fields, its docstring."""

    options: dict[str, bool]
    fields: dict[str, dict[str, Any]]
    doc: str | None


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Up to five fields of all sorts."""
    options = {name: draw(st.booleans()) for name in ("eq", "repr", "kw_only")}
    described = {}
    for name in draw(st.lists(st.sampled_from(NAMES), max_size=5, unique=True)):
        one: dict[str, Any] = {key: draw(st.booleans()) for key in ("repr", "compare", "kw_only")}
        one["hash"] = draw(st.sampled_from([None, True, False]))
        match draw(st.sampled_from(["needed", "usual", "made"])):
            case "usual":
                one["default"] = draw(st.integers(0, 3))
            case "made":
                one["default_factory"] = draw(st.sampled_from([list, tuple, dict]))
        described[name] = one
    return Shape(options, described, draw(st.sampled_from(["Some fields.", None])))


def made(shape: Shape, decorator: Callable[..., Any], base: type[Any] = object) -> Any:
    """The class of that shape."""
    body: dict[str, Any] = {name: field(**described) for name, described in shape.fields.items()}
    body |= {"__annotations__": dict.fromkeys(shape.fields, "int"), "__module__": __name__}
    return decorator(**shape.options)(type("Made", (base,), body | {"__doc__": shape.doc}))


def oracle(**options: bool) -> Any:
    """The decorator of the standard library."""
    return dataclass(frozen=True, slots=True, **options)


def outcome(work: Callable[[], Any]) -> Any:
    """What comes of it, or the type of its error."""
    try:
        return work()
    except Exception as error:
        return type(error)


@st.composite
def twins(draw: st.DrawFn) -> tuple[Any, Any]:
    """A class made both ways, in one of two cases on top of another one."""
    theirs: Any = object
    ours: Any = object
    for shape in draw(st.lists(shapes(), min_size=1, max_size=2)):
        theirs = outcome(lambda s=shape, base=theirs: made(s, oracle, base))
        assume(theirs is not TypeError)  # a field without a default stands after one that has one
        ours = made(shape, value_type, ours)
    return theirs, ours


def about(kind: Any) -> Any:
    """What can be told of a class."""
    fields = [(one.name, one.type, one.init, one.kw_only) for one in dataclasses.fields(kind)]
    hashed = [
        kind.__hash__ is object.__hash__,
        kind.__eq__ is object.__eq__,
        kind.__repr__ is object.__repr__,
    ]
    return fields, hashed, kind.__match_args__, kind.__doc__, kind.__slots__, str(inspect.signature(kind))


def behaviour(kind: Any, values: list[Any], named: dict[str, Any]) -> Any:
    """What an object of these values is and does; or the type of the error if there can be none."""
    try:
        one = kind(*values, **named)
    except TypeError:
        return TypeError
    by_value = kind.__eq__ is not object.__eq__
    names = list(dataclasses.asdict(one))
    copies = [copy.copy(one), copy.deepcopy(one), dataclasses.replace(one)]
    changed = [dataclasses.replace(one, **{name: 7}) for name in names]
    return {
        "repr": kind.__repr__ is object.__repr__ or repr(one),
        "names": dataclasses.asdict(one),
        "hash": by_value and outcome(lambda: hash(one)),
        "equal": [one == some for some in [*copies, one, *changed, kind, 3]],
        "copies": [dataclasses.astuple(some) for some in [*copies, *changed]],
        "unknown": outcome(lambda: dataclasses.replace(one, g=7)),
        "assigned": [outcome(lambda n=name: setattr(one, n, 1)) for name in names],
        "deleted": [outcome(lambda n=name: delattr(one, n)) for name in names],
        "has a dict": hasattr(one, "__dict__"),
    }


@given(twins())
def test_a_class_is_told_as_that_of_the_standard_library(pair: tuple[Any, Any]) -> None:
    """Its fields, which methods it has, how it is matched, documented and called."""
    theirs, ours = pair
    assert about(ours) == about(theirs)


def test_an_inherited_repr_shows_the_fields_of_its_own_type() -> None:
    """Where a type has none of its own, as in the standard library."""

    def twin(decorator: Callable[..., Any]) -> Any:
        base = made(Shape({}, {"a": {}}, None), decorator)
        return made(Shape({"repr": False}, {"b": {}}, None), decorator, base)

    assert repr(twin(value_type)(1, 2)) == repr(twin(oracle)(1, 2))


@given(twins(), st.data())
def test_an_object_does_what_that_of_the_standard_library_does(
    pair: tuple[Any, Any], data: st.DataObject
) -> None:
    """Whatever it is made of: both are made or both are refused, and then they do the same."""
    theirs, ours = pair
    names = [one.name for one in dataclasses.fields(theirs)]
    values = data.draw(st.lists(VALUES, max_size=len(names)))
    rest = names[len(values) :]
    named = {name: data.draw(VALUES) for name in rest if data.draw(st.integers(0, 5))}
    if not data.draw(st.integers(0, 5)):
        named |= data.draw(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=1))
    assert behaviour(ours, values, named) == behaviour(theirs, values, named)


@given(twins())
def test_objects_of_two_types_differ(pair: tuple[Any, Any]) -> None:
    """Even where one is a subclass of the other: its fields may mean something else."""
    for kind in pair:
        below = type("Below", (kind,), {})
        try:
            made_of_it, one = below(), kind()
        except TypeError:
            assume(False)
        assert one != made_of_it


@value_type
class Place:
    """A value that other processes can be sent."""

    corner: ClassVar[str] = "top left"
    row: int
    col: int = 0
    names: tuple[str, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        if self.row < 0:
            raise ValueError("above the first row")


@value_type
class Line:
    """A value that keeps what follows from the others."""

    start: Place
    length: int
    end: Place = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "end", Place(self.start.row, self.start.col + self.length))


@value_type(repr=False)
class Named(Place):
    """A value with methods of its own."""

    name: str = ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Plain(Place):
    """A subclass that is no value type itself."""

    def __init__(self, square: int) -> None:
        super().__init__(square, square)


@pytest.mark.parametrize(
    ("values", "named", "said"),
    [
        ((), {}, r"^Place needs row\.$"),
        ((1, 2, 3), {}, r"^Place takes 2 values by position, not 3\.$"),
        ((1,), {"row": 2}, r"^Place was given row twice\.$"),
        ((1,), {"size": 2}, r"^Place has no size\. It has row, col, names\.$"),
        ((1,), {"rwo": 2, "cl": 2}, r"^Place has no cl, rwo\. It has row, col, names\.$"),
    ],
)
def test_what_is_wrong_is_named(values: tuple[int, ...], named: dict[str, int], said: str) -> None:
    """An error names the type and the fields."""
    with pytest.raises(TypeError, match=said):
        Place(*values, **named)  # type: ignore[arg-type]


def test_a_value_may_check_itself() -> None:
    """``__post_init__`` is called on what is made, in every way to make it."""
    for work in (lambda: Place(-1), lambda: Place(row=-1), lambda: dataclasses.replace(Place(1), row=-1)):
        with pytest.raises(ValueError, match="above the first row"):
            work()


def test_a_value_may_keep_what_follows_from_it() -> None:
    """A field with ``init=False`` is set afterwards, cannot be given, and goes along with copies."""
    line = Line(Place(1, 2), 3)
    assert line.end == Place(1, 5)
    assert pickle.loads(pickle.dumps(line)).end == line.end
    assert dataclasses.replace(line, length=4).end == Place(1, 6)
    with pytest.raises(TypeError, match=r"Line has no end\. It has start, length\."):
        Line(Place(1), 2, end=Place(1))  # type: ignore[call-arg]


@pytest.mark.parametrize("value", [Place(1, 2, names=("a",)), Line(Place(1), 2), Named(1, name="a")])
def test_values_go_to_other_processes(value: Any) -> None:
    """By every protocol that pickles slots."""
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        sent = pickle.loads(pickle.dumps(value, protocol))
        assert sent == value
        assert dataclasses.astuple(sent) == dataclasses.astuple(value)
        with pytest.raises(FrozenInstanceError):
            sent.row = 3


def test_a_class_may_have_methods_of_its_own() -> None:
    """They are kept."""
    assert repr(Named(1, name="a")) == "<a>"
    assert Named(1, name="a") == Named(2, name="a") != Named(2, name="b")
    assert hash(Named(1, name="a")) == hash(Named(2, name="a"))


def test_a_value_that_holds_itself_is_shown() -> None:
    """Without end it would be no text."""
    holder: list[Any] = []
    holder.append(Place(1, names=holder))  # type: ignore[arg-type]
    assert repr(holder[0]) == "Place(row=1, col=0, names=[...])"


def test_what_belongs_to_the_class_is_no_field() -> None:
    """It is neither given nor copied."""
    assert [one.name for one in dataclasses.fields(Place)] == ["row", "col", "names"]
    assert (Place.corner, Place(1).corner, Place.__slots__) == (
        "top left",
        "top left",
        ("row", "col", "names"),
    )


def test_values_are_matched() -> None:
    """By position, as they are made."""
    match Place(1, 2):
        case Place(row, 2):
            assert row == 1
        case _:
            pytest.fail("It is one.")


def test_help_shows_the_fields() -> None:
    """As for any dataclass: what people see who ask for ``help``."""
    shown = pydoc.render_doc(Place, renderer=pydoc.plaintext)
    assert "Place(row: 'int', col: 'int' = 0, *, names: 'tuple[str, ...]' = ()) -> None" in shown
    assert not re.findall(r"__\w+__ = _(?!Dataclass)\w+\(", shown)
    assert "__init__ = " not in shown


def test_a_plain_subclass_is_called_as_it_says() -> None:
    """The fields of the value type are not its own parameters."""
    assert str(inspect.signature(Plain)) == "(square: 'int') -> 'None'"
    assert Plain(2).col == 2
    assert Plain(2) != Place(2, 2)
