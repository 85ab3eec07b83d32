"""Charts are those of the binary, number for number, and the summary is shown as HTML."""

import json
from pathlib import Path

import altair
import polars as pl
from conftest import call

import evogrid
from evogrid import page


def test_charts_are_those_that_the_binary_draws(results: Path, tmp_path: Path) -> None:
    loaded = evogrid.load(results)
    call("plot", results, "--format", "vega", "--out", tmp_path)
    drawn = {path.name.removesuffix(".vl.json"): json.loads(path.read_text()) for path in tmp_path.glob("*.vl.json")}
    charts = loaded.charts()
    assert set(charts) == set(drawn)
    assert {"success", "ecdf", "convergence"} <= set(charts)
    for name, description in drawn.items():
        assert loaded.chart_description(name) == description
        assert isinstance(charts[name], altair.TopLevelMixin)


def test_options_are_those_of_the_binary(results: Path) -> None:
    loaded = evogrid.load(results)
    narrow, wide = (loaded.chart_description("ecdf", by=["algorithm"], width=width) for width in (85, 170))
    assert narrow != wide


def test_an_altair_chart_keeps_all_numbers(results: Path) -> None:
    loaded = evogrid.load(results)
    description = loaded.chart_description("success")
    kept = loaded.chart("success").to_dict()
    rows = [sorted(json.dumps(row, sort_keys=True) for row in values(one)) for one in (description, kept)]
    assert rows[0] == rows[1] != []


def values(part: object) -> list[object]:
    """All rows of data in a description, wherever they stand."""
    if isinstance(part, dict):
        own = part.get("values")
        named = [row for rows in part.get("datasets", {}).values() for row in rows]
        within = [row for key, inner in part.items() if key not in ("values", "datasets") for row in values(inner)]
        return [*(row for row in own or [] if isinstance(row, dict)), *named, *within]
    if isinstance(part, list):
        return [row for inner in part for row in values(inner)]
    return []


def test_the_summary_is_shown_as_html(results: Path) -> None:
    loaded = evogrid.load(results)
    shown = loaded._repr_html_()
    assert shown.count("<tr>") == 1 + min(loaded.summary.height, page.ROWS)
    assert "<h4>small: 840 runs</h4>" in shown
    assert "<th>success_rate (95 %)</th>" in shown
    assert "mean_gap" not in shown, "a column that says nothing is not shown"
    assert repr(loaded) == f"<evogrid.Results `small`: 840 runs, from {results}>"


def test_a_long_summary_shows_all_buckets_together_and_says_so(results: Path) -> None:
    summary = evogrid.load(results).summary
    many = pl.concat([summary] * 20)
    shown = page.render("many", ["note"], many)
    assert shown.index("<p>note</p>") < shown.index("<table>")
    assert shown.count("<tr>") == 1 + page.ROWS
    assert ">all</td>" in shown
    assert ">printed</td>" not in shown
    assert f"<p>30 of {many.height} rows; all are in `summary`</p>" in shown


def test_names_are_escaped() -> None:
    summary = pl.DataFrame(
        {
            "algorithm": ["<script>"],
            "bucket": ["a&b"],
            "runs": [1234],
            "solved": [None],
            "mean_gap": [12.346],
            "mean_gap_low": [10.0],
            "mean_gap_high": [1000.4],
        }
    )
    for name in [*page.FIGURES, "success_low", "success_high"]:
        if name not in summary.columns:
            summary = summary.with_columns(pl.lit(None, pl.Float64).alias(name))
    shown = page.render("<b>", ["1 < 2"], summary)
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "<h4>&lt;b&gt;</h4>" in shown
    assert "1 &lt; 2" in shown
    assert ">1,234</td>" in shown
    assert ">12.35 (10.00 to 1,000)</td>" in shown


def test_work_in_different_units_is_named_in_html(tmp_path: Path) -> None:
    (tmp_path / "board.csv").write_text("id,puzzle\nsmall,1...............\n")
    experiment = tmp_path / "units.toml"
    experiment.write_text(
        'experiment = { name = "units", seed = 1, repetitions = 2 }\n'
        'instances = [{ problem = "sudoku", path = "board.csv" }]\n'
        'algorithms.tree = { kind = "exact" }\n'
        'algorithms.drawn = { kind = "random-search", budget.evaluations = 10 }\n'
    )
    call("run", experiment, "--out", tmp_path / "units", "--quiet")
    assert "different units (evaluations, " in evogrid.load(tmp_path / "units")._repr_html_()
