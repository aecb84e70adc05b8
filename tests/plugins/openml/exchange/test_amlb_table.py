"""results.csv as AMLB writes it, and what it writes in other versions."""

import csv
import io

import pytest

from evaluator.core.errors import InvalidInputError
from evaluator.plugins.openml.exchange.amlb_table import FIXED, AmlbRow, read_rows, write_rows

# Written by AMLB: a loss, a failure of an endless framework, and inference times.
AMLB = """\
id,task,framework,constraint,fold,type,result,metric,mode,version,params,app_version,utc,duration,\
training_duration,predict_duration,models_count,seed,info,acc,auc,balacc,logloss,infer_batch_size_df_1
openml.org/t/3913,kc2,RandomForest,test,0,binary,0.865801,auc,local,1.2.2,,"dev [NA, NA, NA]",\
2026-01-01T10:00:00,7.2,3.5,0.05,2000,3029240368,,0.792453,0.865801,0.634199,0.51,0.0123
openml.org/t/59,iris,RandomForest,test,1,multiclass,-0.0306457,neg_logloss,local,1.2.2,,\
"dev [NA, NA, NA]",2026-01-01T10:00:10,6.1,3.4,0.1,,1,,1.0,,1.0,0.0306457,
openml.org/t/59,iris,Endless,test,0,,,logloss,local,,,"dev [NA, NA, NA]",\
2026-01-01T10:00:30,10.0,,,,\
2,NoResultError: Interrupting thread MainThread [ident=1] after 10s timeout.,,,,,
"""


def test_what_amlb_writes_is_read_and_written_again() -> None:
    rows = read_rows(AMLB.encode(), "results.csv")
    assert [(row.task, row.fold, row.result, row.metric) for row in rows] == [
        ("kc2", 0, 0.865801, "auc"),
        ("iris", 1, -0.0306457, "neg_logloss"),
        ("iris", 0, None, "logloss"),
    ]
    assert rows[2].info.startswith("NoResultError: Interrupting")
    assert rows[1].value("logloss", ()) == 0.0306457
    assert write_rows(rows) == AMLB
    assert read_rows(write_rows(rows).encode(), "again.csv") == rows


def test_a_loss_without_a_column_is_turned_round() -> None:
    row = AmlbRow(task="t", framework="f", fold=0, result=-2.5, metric="neg_rmse")
    assert row.value("rmse", ()) == 2.5
    assert row.value("result", ["neg_rmse"]) == -2.5
    assert row.value("mae", ()) is None


def test_columns_and_numbers_are_amlbs() -> None:
    row = AmlbRow(
        task="t", framework="f", fold=3, result=-0.123456789, metric="neg_rmse",
        texts={"info": "x" * 300, "id": "t"},
        numbers={
            "duration": 0.0478, "training_duration": 12.345, "predict_duration": 1e-7,
            "models_count": 3.0, "rmse": 0.123456789, "mae": 123456789.0, "r2": float("nan"),
            "infer_batch_size_file_10000": 0.000012345678, "another": 1.0,
        },
    )  # fmt: skip
    text = write_rows([row])
    (line,) = csv.DictReader(io.StringIO(text))
    head = text.splitlines()[0].split(",")
    assert tuple(head[: len(FIXED)]) == FIXED
    assert head[len(FIXED) :] == ["mae", "r2", "rmse", "another", "infer_batch_size_file_10000"]
    assert line["duration"] == "0.05"
    assert line["training_duration"] == "12.3"
    assert line["predict_duration"] == "1e-07"
    assert line["models_count"] == "3"
    assert line["fold"] == "3"
    assert line["result"] == "-0.123457"
    assert line["mae"] == "123457000.0"
    assert line["r2"] == ""
    assert line["infer_batch_size_file_10000"] == "1.23457e-05"
    assert len(line["info"]) == 200
    assert line["info"].endswith("…")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "lacks the columns task, framework, fold, result; it has a, b"),
        ("task;framework;fold;result\nA;B;0;0,5\n", "it has task;framework;fold;result"),
        ("task,framework,fold,result\nt,f,x,1\n", "has the fold 'x'"),
        ("task,framework,fold,result\nt,f,-1,1\n", "has the fold '-1'"),
        ("task,framework,fold,result\nt,f,0\n", "not as many fields"),
        ("task,framework,fold,result\n,f,0,1\n", "names no task"),
        ("\xff", "not UTF-8"),
        ("", "lacks the columns"),
    ],
)
def test_what_is_no_table_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_rows(text.encode("latin-1"), "results.csv")
    assert message in str(caught.value)


def test_every_bad_row_is_named() -> None:
    with pytest.raises(InvalidInputError) as caught:
        read_rows(b"task,framework,fold,result\nt,f,x,1\nt,f,0,1\n,f,0,1\n", "results.csv")
    assert [problem.line for problem in caught.value.problems] == [2, 4]
