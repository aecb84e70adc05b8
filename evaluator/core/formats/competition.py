"""competition.yaml, Codabench's schema version 2, key by key.

Defaults are those of Codabench's unpacker (see site/organisers/bundles.md for the table).
"""

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, field_validator, model_validator

from evaluator.core.formats.extension import Extension, SubmissionRule
from evaluator.core.formats.fact_sheet import Question
from evaluator.core.formats.parsing import Strict
from evaluator.core.formats.quantities import Moment

# Keys that Codabench's web interface writes and its unpacker does not read.
IGNORED_KEYS = frozenset(
    {"allow_robot_submissions", "published", "collaborators", "whitelist_emails", "competition_key"}
)
RULES = get_args(SubmissionRule)

Text = Annotated[str, Field(min_length=1)]

Optional = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]


class Page(Strict):
    """A page of the organiser's."""

    title: Text
    file: Text


class TaskEntry(Strict):
    """An entry of ``tasks``. A file is a directory, a zip, or the key of a stored data set."""

    index: int
    key: str | None = None
    name: str = ""
    description: Optional = ""
    scoring_program: str | None = None
    ingestion_program: str | None = None
    input_data: str | None = None
    reference_data: str | None = None
    ingestion_only_during_scoring: bool = False
    is_public: bool = False


class SolutionEntry(Strict):
    """An entry of ``solutions``: a submission of the organiser's, a baseline."""

    index: int
    tasks: list[int] = []
    path: str | None = None
    key: str | None = None
    name: str = ""
    description: Optional = ""


class PhaseEntry(Strict):
    """An entry of ``phases``. A limit of 0 means no limit."""

    index: int
    name: Text
    description: Optional = ""
    start: Moment
    end: Moment | None = None
    tasks: list[int] = Field(min_length=1)
    solutions: list[int] = []
    max_submissions_per_day: int = Field(default=5, ge=0)
    max_submissions: int = Field(default=100, ge=0)
    execution_time_limit: int = Field(default=600, ge=0)
    """Seconds, for each step."""
    auto_migrate_to_this_phase: bool = False
    hide_output: bool = False
    hide_prediction_output: bool = False
    hide_score_output: bool = False
    starting_kit: str | None = None
    public_data: str | None = None
    accepts_only_result_submissions: bool = False


class ColumnEntry(Strict):
    """A column of a leaderboard."""

    title: Annotated[str, Field(min_length=1, max_length=64)]
    key: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[^\x00-\x1f\x7f]+$")]
    index: int
    sorting: Literal["asc", "desc"] = "desc"
    precision: int = Field(default=2, ge=0, le=16)
    hidden: bool = False
    computation: Literal["avg", "sum", "min", "max"] | None = None
    computation_indexes: list[int] | None = None

    @field_validator("key", mode="before")
    @classmethod
    def _key_is_text(cls, value: object) -> object:
        return str(value) if isinstance(value, int) and not isinstance(value, bool) else value

    @model_validator(mode="after")
    def _computation_has_both_halves(self) -> "ColumnEntry":
        if (self.computation is None) != (not self.computation_indexes):
            raise ValueError("'computation' and 'computation_indexes' belong together")
        return self


class LeaderboardEntry(Strict):
    """An entry of ``leaderboards``."""

    index: int = 0
    title: Annotated[str, Field(min_length=1, max_length=64)]
    key: Annotated[str, Field(min_length=1, max_length=64)]
    primary_index: int = 0
    hidden: bool = False
    submission_rule: SubmissionRule = "Add"
    columns: list[ColumnEntry] = Field(min_length=1)


class Competition(Strict):
    """The whole file."""

    version: Annotated[
        Literal["2"],
        BeforeValidator(lambda value: _version(value), json_schema_input_type=Literal[2, "2"]),
    ]
    title: Text
    description: Optional = ""
    image: Text
    terms: Text
    pages: list[Page]
    docker_image: str = "codalab/codalab-legacy:py37"
    registration_auto_approve: bool = False
    enable_detailed_results: bool = False
    make_programs_available: bool = False
    make_input_data_available: bool = False
    show_detailed_results_in_submission_panel: bool = True
    show_detailed_results_in_leaderboard: bool = True
    auto_run_submissions: bool = True
    can_participants_make_submissions_public: bool = True
    forum_enabled: bool = True
    queue: str | None = None
    competition_type: Literal["competition", "benchmark"] = "competition"
    reward: str | None = None
    contact_email: str | None = None
    fact_sheet: dict[str, Question] | None = None
    tasks: list[TaskEntry] = Field(min_length=1)
    solutions: list[SolutionEntry] = []
    phases: list[PhaseEntry] = Field(min_length=1)
    leaderboards: list[LeaderboardEntry] = Field(min_length=1)
    pullbench: Extension = Extension.model_construct()

    @field_validator("fact_sheet", "solutions", "pullbench", mode="before")
    @classmethod
    def _empty_is_default(cls, value: object, info: Any) -> object:
        if value is None and info.field_name != "fact_sheet":
            return {} if info.field_name == "pullbench" else []
        return value


def _version(value: object) -> str:
    text = str(value)
    if text not in {"2", "2.0"}:
        raise ValueError("must be 2; a CodaLab bundle (version 1) comes in with `pullbench import`")
    return "2"
