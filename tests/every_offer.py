"""Offers by contract, for mypy. Written by ``python -m tests.test_contracts``."""

# ruff: noqa: I001
from evaluator.core.plugins import Contract, Service, T
import evaluator.core.leaderboard.published as m0
import evaluator.site.content.anonymity as m1
import evaluator.core.leaderboard.snapshot_boards as m2
import evaluator.core.formats.attachments as m3
import evaluator.core.compute.scoring as m4
import evaluator.plugins.samples.stored as m5
import evaluator.site.content.insight as m6
import evaluator.plugins.controls.page as m7
import evaluator.plugins.samples.page as m8
import evaluator.core.formats.extension as m9
import evaluator.ci.policy.keys as m10
import evaluator.ci.policy.entrants as m11
import evaluator.plugins.controls.keys as m12
import evaluator.plugins.reproduce.tolerance as m13
import pydantic as m14
import evaluator.plugins.samples.keys as m15
import evaluator.site.content.settings as m16
import evaluator.core.planning.rules as m17
import evaluator.plugins.datasets.tasks as m18
import evaluator.plugins.feedback.keys as m19
import evaluator.importing.checks as m20
import evaluator.plugins.openml.suites.file as m21
import evaluator.plugins.screening.checks as m22
import evaluator.site.content.lineage as m23
import evaluator.core.formats.columns as m24
import evaluator.core.scores.running as m25
import evaluator.plugins.archive.archived as m26
import evaluator.core.scores.jobs as m27
import evaluator.plugins.controls.controls as m28
import evaluator.plugins.samples.curves as m29
import evaluator.core.compute.engines as m30
import evaluator.core.compute.engine.docker_engine as m31
import evaluator.plugins.host.host_kinds as m32
import evaluator.core.compute.executors as m33
import evaluator.plugins.dask.executor as m34
import evaluator.core.cli.boards as m35
import evaluator.core.leaderboard.tables as m36
import evaluator.site.boards.exports.board_json as m37
import evaluator.site.boards.exports.paper_tables as m38
import evaluator.ci.policy.reviews as m39
import evaluator.plugins.feedback.feedback as m40
import evaluator.plugins.insight.insight as m41
import evaluator.plugins.insight.plots.over_time as m42
import evaluator.plugins.insight.plots.trade_off as m43
import evaluator.plugins.insight.plots.curves as m44
import evaluator.plugins.insight.plots.distribution as m45
import evaluator.plugins.insight.plots.difficulty as m46
import evaluator.plugins.insight.plots.ranks as m47
import evaluator.core.git.repository as m48
import evaluator.ci.git.advice as m49
import evaluator.core.planning.snapshot as m50
import evaluator.importing.verb as m51
import evaluator.plugins.openml.amlb.adding as m52
import evaluator.plugins.codalab.importer as m53
import evaluator.plugins.openml.tasks.importing as m54
import evaluator.plugins.openml.amlb.importing as m55
import evaluator.plugins.openml.suites.importing as m56
import evaluator.ci.steps.change_table as m57
import evaluator.ci.scores.record_faults as m58
import evaluator.core.formats.kinds.kind as m59
import evaluator.core.formats.kinds.code as m60
import evaluator.core.formats.kinds.results as m61
import evaluator.plugins.cited_scores.kind as m62
import evaluator.plugins.datasets.kind as m63
import evaluator.core.compute.worker as m64
import evaluator.plugins.parallel.playing as m65
import evaluator.core.git.commands as m66
import evaluator.ci.git.partial_clone as m67
import evaluator.site.boards.ranking_note as m68
import evaluator.plugins.reproduce.ties as m69
import evaluator.core.planning.plan as m70
import evaluator.ci.ledger.quotas as m71
import evaluator.ci.cli.pulls as m72
import evaluator.plugins.screening.verb as m73
import evaluator.importing.private_parts as m74
import evaluator.core.cli.submissions as m75
import evaluator.ci.steps.receive as m76
import evaluator.core.cli.evaluation as m77
import evaluator.ci.git.amounts as m78
import evaluator.ci.ledger.queues as m79
import evaluator.ci.steps.draft as m80
import evaluator.core.ranking.rule as m81
import evaluator.core.ranking.rules as m82
import evaluator.plugins.openml.exchange.amlb_results as m83
import evaluator.plugins.openml.exchange.table as m84
import evaluator.plugins.openml.exchange.openml_runs as m85
import evaluator.plugins.screening.screening as m86
import evaluator.plugins.screening.likeness as m87
import evaluator.site.boards.comparison as m88
import evaluator.plugins.samples.blocks as m89
import evaluator.site.build.data_files as m90
import evaluator.plugins.insight.study_form as m91
import evaluator.plugins.insight.plots.figure as m92
import evaluator.core.scores.sealing as m93
import evaluator.ci.scores.encryption as m94
import evaluator.core.formats.settings as m95
import evaluator.plugins.attest.settings as m96
import evaluator.site.content.reading as m97
import evaluator.ci.scores.status as m98
import evaluator.ci.scores.ledger_records as m99
import evaluator.plugins.attest.signing as m100
import evaluator.importing.private_data as m101
import evaluator.plugins.attest.keys as m102
import evaluator.ci.steps.reports as m103
import evaluator.plugins.attest.reading as m104
import evaluator.plugins.attest.vouching as m105
import evaluator.plugins.dask.shared_store as m106
import evaluator.core.formats.submission as m107
import evaluator.core.cli.group as m108
import evaluator.plugins.archive.verbs as m109
import evaluator.plugins.attest.verbs as m110
import evaluator.ci.cli.collection as m111
import evaluator.plugins.codalab.codabench_bundle as m112
import evaluator.plugins.controls.verb as m113
import evaluator.plugins.feedback.verb as m114
import evaluator.plugins.forge_setup.verbs as m115
import evaluator.importing.unlocking as m116
import evaluator.plugins.insight.verbs as m117
import evaluator.plugins.logs.verb as m118
import evaluator.plugins.openml.verbs as m119
import evaluator.plugins.openml.suites.verbs as m120
import evaluator.plugins.reproduce.verb as m121
import evaluator.plugins.scaffold.verbs as m122
import evaluator.site.build.verbs as m123


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


serves(m0.WITHOUT_LINKS, m1.without_links)
serves(m0.WITHOUT_NAMES, m1.without_names)
serves(m2.ANONYMOUS_PHASES, m1.anonymous_phases)
fits(m3.ATTACHMENTS, m4.DETAILED_PAGE)
fits(m3.ATTACHMENTS, m5.SAMPLE_FILE)
fits(m3.ATTACHMENTS, m5.CURVE_FILE)
fits(m6.BOARD_PAGES, m7.controls_page)
fits(m6.BOARD_PAGES, m8.samples_page)
fits(m9.Extension.plugin_keys, m10.Policy)
fits(m9.Extension.plugin_keys, m11.Participants)
fits(m9.Extension.plugin_keys, m11.AcceptTerms)
fits(m9.Extension.plugin_keys, m12.Controls)
fits(m9.Extension.plugin_keys, m13.Tolerances)
fits(m9.Extension.plugin_keys, m14.StrictBool)
fits(m9.Extension.plugin_keys, m15.CurvesKey)
fits(m9.Extension.plugin_keys, m16.Citation)
fits(m9.Extension.plugin_keys, m16.Tags)
fits(m17.CHECKS, m12.check_controls)
fits(m17.CHECKS, m18.check_datasets)
fits(m17.CHECKS, m19.check_feedback)
fits(m17.CHECKS, m20.check_bundles)
fits(m17.CHECKS, m21.check_suites)
fits(m17.CHECKS, m13.check_tolerances)
fits(m17.CHECKS, m22.check_screens)
fits(m17.CHECKS, m23.check_lineage)
fits(m17.CHECKS, m1.check_phases)
fits(m24.FURTHER_COLUMNS, m15.area_columns)
fits(m25.CONTENT_SOURCES, m26.fetch_archived)
fits(m27.CONTROLS, m28.Controls)
fits(m6.CURVES, m29.board_curves)
fits(m30.ENGINES, m31.DOCKER)
fits(m30.ENGINES, m32.SUBPROCESS)
fits(m30.ENGINES, m32.WARM)
fits(m33.EXECUTORS, m33.LocalExecutor)
fits(m33.EXECUTORS, m34.DaskExecutor)
fits(m35.EXPORTERS, m36.to_text)
fits(m35.EXPORTERS, m36.to_csv)
fits(m35.EXPORTERS, m37.to_json)
fits(m35.EXPORTERS, m38.to_latex)
fits(m35.EXPORTERS, m38.to_markdown)
fits(m39.FEEDBACK, m40.PRIVATE)
fits(m41.FIGURES, m42.over_time)
fits(m41.FIGURES, m43.against_time)
fits(m41.FIGURES, m43.against_memory)
fits(m41.FIGURES, m43.against_cost)
fits(m41.FIGURES, m44.curves)
fits(m41.FIGURES, m45.distribution)
fits(m41.FIGURES, m46.difficulty)
fits(m41.FIGURES, m47.ranks)
fits(m48.ADVICE, m49.what_to_do)
fits(m50.GROWTH, m18.with_datasets)
fits(m51.ImportGroup.contract, m52.amlb_framework)
fits(m51.IMPORTERS, m53.IMPORTER)
fits(m51.IMPORTERS, m54.IMPORTER)
fits(m51.IMPORTERS, m55.IMPORTER)
fits(m51.IMPORTERS, m56.IMPORTER)
fits(m57.CONCLUDES, m41.INSIGHT)
fits(m6.INSIGHTS, m41.INSIGHT)
serves(m25.RECORD_FAULT, m58.record_fault)
fits(m59.KINDS, m60.CODE)
fits(m59.KINDS, m61.RESULTS)
fits(m59.KINDS, m62.REPORTED_SCORES)
fits(m59.KINDS, m63.DATA_SET)
serves(m64.PLAY, m65.play)
fits(m66.OBJECT_SOURCES, m67.fetch_missing)
fits(m9.PhaseExtension.plugin_keys, m10.OpenEntries)
fits(m9.PhaseExtension.plugin_keys, m19.FeedbackKey)
fits(m9.PhaseExtension.plugin_keys, m1.AnonymousUntil)
fits(m68.PHASE_NOTES, m69.note)
fits(m70.POLICIES, m71.local_quotas)
fits(m72._Steps.contract, m73.screen)
serves(m25.PRIVATE_PARTS, m74.LocalPrivateParts)
serves(m75.JUDGE, m76.judge_branches)
serves(m77.MERGE, m76.merge_branches)
serves(m77.OVERSIZED, m78.oversized)
serves(m77.TO_MATRIX, m79.to_matrix)
serves(m75.VALIDATE_HERE, m80.validate_here)
fits(m81.RULES, m82.MEAN)
fits(m81.RULES, m82.FIRST_TASK)
fits(m81.RULES, m82.MEAN_RANK)
fits(m81.RULES, m82.WIN_RATE)
fits(m51.RESULTS_IMPORTERS, m83.IMPORTER)
fits(m51.RESULTS_IMPORTERS, m84.IMPORTER)
fits(m51.RESULTS_IMPORTERS, m85.IMPORTER)
fits(m51.RESULTS_IMPORTERS, m85.RUN_IMPORTER)
fits(m39.REVIEWS, m86.Screens)
fits(m39.REVIEWS, m87.Copies)
fits(m88.ROW_MARKS, m69.tie_marks)
fits(m6.SAMPLES, m89.board_samples)
fits(m90.SCHEMA_TYPES, m91.AnalysisData)
fits(m90.SCHEMA_TYPES, m91.ConfidenceData)
fits(m90.SCHEMA_TYPES, m92.PlotsData)
fits(m90.SCHEMA_TYPES, m92.FigureData)
fits(m90.SCHEMA_TYPES, m21.Suite)
serves(m93.CLOSE, m94.close)
serves(m93.OPEN, m94.open_envelope)
serves(m93.SEAL, m94.seal)
fits(m95.Settings.plugin_keys, m96.Attest)
fits(m95.Settings.plugin_keys, m10.PolicySettings)
fits(m95.Settings.plugin_keys, m16.SiteSettings)
fits(m97.SITE_STATUS, m98.read_status)
serves(m99.KEEP, m100.sign_records)
serves(m99.KEPT, m100.signed_records)
serves(m101.NEW_SIGNING_KEY, m102.new_key)
serves(m99.SIGN, m100.sign_scores)
serves(m103.TIP, m104.tip)
serves(m97.VOUCH, m105.vouch)
serves(m25.SHARED_FOLDERS, m106.shared_store)
fits(m107.SubmissionFile.plugin_keys, m11.TermsAccepted)
fits(m107.SubmissionFile.plugin_keys, m23.BasedOn)
fits(m108.VERBS, m75.validate)
fits(m108.VERBS, m77.plan)
fits(m108.VERBS, m77.run)
fits(m108.VERBS, m35.leaderboard)
fits(m108.VERBS, m109.archive)
fits(m108.VERBS, m109.restore)
fits(m108.VERBS, m110.verify)
fits(m108.VERBS, m110.attest)
fits(m108.VERBS, m72.submit)
fits(m108.VERBS, m111.rerun)
fits(m108.VERBS, m111.withdraw)
fits(m108.VERBS, m111.disqualify)
fits(m108.VERBS, m111.overdue)
fits(m108.VERBS, m72.pr)
fits(m108.VERBS, m111.commit)
fits(m108.VERBS, m111.collect)
fits(m108.VERBS, m111.hand_in)
fits(m108.VERBS, m112.export)
fits(m108.VERBS, m113.controls)
fits(m108.VERBS, m114.feedback)
fits(m108.VERBS, m115.github)
fits(m108.VERBS, m51.imports)
fits(m108.VERBS, m101.pin)
fits(m108.VERBS, m101.keygen)
fits(m108.VERBS, m116.unlock)
fits(m108.VERBS, m117.analyze)
fits(m108.VERBS, m118.log)
fits(m108.VERBS, m119.results)
fits(m108.VERBS, m120.suite)
fits(m108.VERBS, m121.reproduce)
fits(m108.VERBS, m122.enter)
fits(m108.VERBS, m122.init)
fits(m108.VERBS, m122.fact_sheet)
fits(m108.VERBS, m122.solutions)
fits(m108.VERBS, m123.site)
