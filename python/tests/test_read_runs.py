"""CSVs of other programs: the frame has the names and types of our columns, and what the binary says of the file is said."""

import warnings
from pathlib import Path

import pytest

import evogrid

TEXT = "Method;Instance;Cost;FEs;rate\nannealing;a;1,5;100;0,5\nannealing;a;2,25;120;0,5\ntabu;a;3,0;90;\n"
COLUMNS = {"algorithm": "Method", "objective": "Cost", "evaluations": "FEs"}


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    path = tmp_path / "theirs.csv"
    path.write_text(TEXT)
    return path


def test_a_csv_of_another_program_has_our_columns(theirs: Path) -> None:
    with pytest.warns(UserWarning, match="semicolons separate the columns.*`Instance` is `instance`"):
        runs = evogrid.read_runs(theirs, columns=COLUMNS)
    kinds = {name: str(kind) for name, kind in runs.schema.items()}
    assert kinds == {
        "algorithm": "Categorical",
        "rate": "Float64",
        "instance": "Categorical",
        "objective": "Float64",
        "evaluations": "Int64",
    }
    assert runs["objective"].to_list() == [1.5, 2.25, 3.0]
    assert runs["evaluations"].to_list() == [100, 120, 90]
    assert runs["rate"].to_list() == [0.5, 0.5, None]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_file_beside_it_says_the_same_and_the_argument_goes_first(theirs: Path) -> None:
    expected = evogrid.read_runs(theirs, columns=COLUMNS)
    theirs.with_suffix(".columns.toml").write_text('algorithm = "Method"\nobjective = "None"\nevaluations = "FEs"\n')
    assert evogrid.read_runs(theirs, columns={"objective": "Cost"}).equals(expected)
    frame = evogrid.read_runs(theirs, columns={"objective": "Cost"}, backend="pandas")
    assert str(frame["evaluations"].dtype) == "Int64"


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({}, "no column `algorithm`; .*did you mean `--column algorithm=Method`"),
        ({"algoritm": "Method"}, "did you mean `algorithm`"),
        ({"algorithm": "Methd"}, "did you mean `Method`"),
    ],
)
def test_what_is_missing_is_named(theirs: Path, columns: dict[str, str], said: str) -> None:
    with pytest.raises(evogrid.ResultsError, match=said):
        evogrid.read_runs(theirs, columns=columns)
    with pytest.raises(evogrid.ResultsError, match="does not exist"):
        evogrid.read_runs(theirs.with_name("none.csv"))


def test_runs_of_ours_are_read_without_a_warning(results: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runs = evogrid.read_runs(results / "runs.csv")
    assert runs["objective"].equals(evogrid.load(results).runs["objective"])
