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
import evaluator.plugins.races.page as m8
import evaluator.plugins.samples.page as m9
import evaluator.core.formats.extension as m10
import evaluator.ci.policy.keys as m11
import evaluator.ci.policy.entrants as m12
import evaluator.plugins.controls.keys as m13
import evaluator.plugins.races.accept as m14
import evaluator.plugins.races.passes as m15
import evaluator.plugins.reproduce.tolerance as m16
import pydantic as m17
import evaluator.plugins.samples.keys as m18
import evaluator.site.content.settings as m19
import evaluator.core.planning.rules as m20
import evaluator.plugins.datasets.tasks as m21
import evaluator.plugins.feedback.keys as m22
import evaluator.importing.checks as m23
import evaluator.plugins.openml.suites.file as m24
import evaluator.plugins.races.promoted as m25
import evaluator.plugins.screening.checks as m26
import evaluator.site.content.lineage as m27
import evaluator.core.formats.columns as m28
import evaluator.plugins.races.pass_rates as m29
import evaluator.core.scores.running as m30
import evaluator.plugins.archive.archived as m31
import evaluator.core.scores.jobs as m32
import evaluator.plugins.controls.controls as m33
import evaluator.plugins.samples.curves as m34
import evaluator.core.compute.engines as m35
import evaluator.core.compute.engine.docker_engine as m36
import evaluator.plugins.host.host_kinds as m37
import evaluator.core.compute.executors as m38
import evaluator.plugins.dask.executor as m39
import evaluator.core.cli.boards as m40
import evaluator.core.leaderboard.tables as m41
import evaluator.site.boards.exports.board_json as m42
import evaluator.site.boards.exports.paper_tables as m43
import evaluator.ci.policy.reviews as m44
import evaluator.plugins.feedback.feedback as m45
import evaluator.plugins.insight.insight as m46
import evaluator.plugins.insight.plots.over_time as m47
import evaluator.plugins.insight.plots.trade_off as m48
import evaluator.plugins.insight.plots.curves as m49
import evaluator.plugins.insight.plots.distribution as m50
import evaluator.plugins.insight.plots.difficulty as m51
import evaluator.plugins.insight.plots.ranks as m52
import evaluator.core.git.repository as m53
import evaluator.ci.git.advice as m54
import evaluator.core.planning.snapshot as m55
import evaluator.importing.verb as m56
import evaluator.plugins.openml.amlb.adding as m57
import evaluator.plugins.codalab.importer as m58
import evaluator.plugins.openml.tasks.importing as m59
import evaluator.plugins.openml.amlb.importing as m60
import evaluator.plugins.openml.suites.importing as m61
import evaluator.ci.steps.change_table as m62
import evaluator.ci.scores.record_faults as m63
import evaluator.core.formats.kinds.kind as m64
import evaluator.core.formats.kinds.code as m65
import evaluator.core.formats.kinds.results as m66
import evaluator.plugins.cited_scores.kind as m67
import evaluator.plugins.datasets.kind as m68
import evaluator.core.compute.worker as m69
import evaluator.plugins.parallel.playing as m70
import evaluator.core.git.commands as m71
import evaluator.ci.git.partial_clone as m72
import evaluator.site.boards.ranking_note as m73
import evaluator.plugins.reproduce.ties as m74
import evaluator.core.planning.plan as m75
import evaluator.ci.ledger.quotas as m76
import evaluator.ci.cli.pulls as m77
import evaluator.plugins.screening.verb as m78
import evaluator.importing.private_parts as m79
import evaluator.core.planning.entries as m80
import evaluator.core.cli.submissions as m81
import evaluator.ci.steps.receive as m82
import evaluator.core.cli.evaluation as m83
import evaluator.ci.git.amounts as m84
import evaluator.ci.ledger.queues as m85
import evaluator.ci.steps.draft as m86
import evaluator.core.ranking.rule as m87
import evaluator.core.ranking.rules as m88
import evaluator.ci.policy.races as m89
import evaluator.plugins.races.contenders as m90
import evaluator.plugins.openml.exchange.amlb_results as m91
import evaluator.plugins.openml.exchange.table as m92
import evaluator.plugins.openml.exchange.openml_runs as m93
import evaluator.plugins.screening.screening as m94
import evaluator.plugins.screening.likeness as m95
import evaluator.site.boards.comparison as m96
import evaluator.plugins.samples.blocks as m97
import evaluator.site.build.data_files as m98
import evaluator.plugins.insight.study_form as m99
import evaluator.plugins.insight.plots.figure as m100
import evaluator.core.scores.sealing as m101
import evaluator.ci.scores.encryption as m102
import evaluator.core.formats.settings as m103
import evaluator.plugins.attest.settings as m104
import evaluator.site.content.reading as m105
import evaluator.ci.scores.status as m106
import evaluator.ci.scores.ledger_records as m107
import evaluator.plugins.attest.signing as m108
import evaluator.importing.private_data as m109
import evaluator.plugins.attest.keys as m110
import evaluator.ci.steps.reports as m111
import evaluator.plugins.attest.reading as m112
import evaluator.plugins.attest.vouching as m113
import evaluator.plugins.dask.shared_store as m114
import evaluator.core.formats.submission as m115
import evaluator.core.cli.group as m116
import evaluator.plugins.archive.verbs as m117
import evaluator.plugins.attest.verbs as m118
import evaluator.ci.cli.collection as m119
import evaluator.plugins.codalab.codabench_bundle as m120
import evaluator.plugins.controls.verb as m121
import evaluator.plugins.feedback.verb as m122
import evaluator.plugins.forge_setup.verbs as m123
import evaluator.importing.unlocking as m124
import evaluator.plugins.insight.verbs as m125
import evaluator.plugins.logs.verb as m126
import evaluator.plugins.openml.verbs as m127
import evaluator.plugins.openml.suites.verbs as m128
import evaluator.plugins.reproduce.verb as m129
import evaluator.plugins.scaffold.verbs as m130
import evaluator.site.build.verbs as m131


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


serves(m0.WITHOUT_LINKS, m1.without_links)
serves(m0.WITHOUT_NAMES, m1.without_names)
serves(m2.ANONYMOUS_PHASES, m1.anonymous_phases)
fits(m3.ATTACHMENTS, m4.DETAILED_PAGE)
fits(m3.ATTACHMENTS, m5.SAMPLE_FILE)
fits(m3.ATTACHMENTS, m5.CURVE_FILE)
fits(m6.BOARD_PAGES, m7.controls_page)
fits(m6.BOARD_PAGES, m8.records_page)
fits(m6.BOARD_PAGES, m9.samples_page)
fits(m10.Extension.plugin_keys, m11.Policy)
fits(m10.Extension.plugin_keys, m12.Participants)
fits(m10.Extension.plugin_keys, m12.AcceptTerms)
fits(m10.Extension.plugin_keys, m13.Controls)
fits(m10.Extension.plugin_keys, m14.Accept)
fits(m10.Extension.plugin_keys, m15.Passes)
fits(m10.Extension.plugin_keys, m16.Tolerances)
fits(m10.Extension.plugin_keys, m17.StrictBool)
fits(m10.Extension.plugin_keys, m18.CurvesKey)
fits(m10.Extension.plugin_keys, m19.Citation)
fits(m10.Extension.plugin_keys, m19.Tags)
fits(m20.CHECKS, m13.check_controls)
fits(m20.CHECKS, m21.check_datasets)
fits(m20.CHECKS, m22.check_feedback)
fits(m20.CHECKS, m23.check_bundles)
fits(m20.CHECKS, m24.check_suites)
fits(m20.CHECKS, m14.check_accept)
fits(m20.CHECKS, m15.check_passes)
fits(m20.CHECKS, m25.check_phases)
fits(m20.CHECKS, m16.check_tolerances)
fits(m20.CHECKS, m26.check_screens)
fits(m20.CHECKS, m27.check_lineage)
fits(m20.CHECKS, m1.check_phases)
fits(m28.FURTHER_COLUMNS, m29.pass_columns)
fits(m28.FURTHER_COLUMNS, m18.area_columns)
fits(m30.CONTENT_SOURCES, m31.fetch_archived)
fits(m32.CONTROLS, m33.Controls)
fits(m6.CURVES, m34.board_curves)
fits(m35.ENGINES, m36.DOCKER)
fits(m35.ENGINES, m37.SUBPROCESS)
fits(m35.ENGINES, m37.WARM)
fits(m38.EXECUTORS, m38.LocalExecutor)
fits(m38.EXECUTORS, m39.DaskExecutor)
fits(m40.EXPORTERS, m41.to_text)
fits(m40.EXPORTERS, m41.to_csv)
fits(m40.EXPORTERS, m42.to_json)
fits(m40.EXPORTERS, m43.to_latex)
fits(m40.EXPORTERS, m43.to_markdown)
fits(m44.FEEDBACK, m45.PRIVATE)
fits(m46.FIGURES, m47.over_time)
fits(m46.FIGURES, m48.against_time)
fits(m46.FIGURES, m48.against_memory)
fits(m46.FIGURES, m48.against_cost)
fits(m46.FIGURES, m49.curves)
fits(m46.FIGURES, m50.distribution)
fits(m46.FIGURES, m51.difficulty)
fits(m46.FIGURES, m52.ranks)
fits(m53.ADVICE, m54.what_to_do)
fits(m55.GROWTH, m21.with_datasets)
fits(m56.ImportGroup.contract, m57.amlb_framework)
fits(m56.IMPORTERS, m58.IMPORTER)
fits(m56.IMPORTERS, m59.IMPORTER)
fits(m56.IMPORTERS, m60.IMPORTER)
fits(m56.IMPORTERS, m61.IMPORTER)
fits(m62.CONCLUDES, m46.INSIGHT)
fits(m6.INSIGHTS, m46.INSIGHT)
serves(m30.RECORD_FAULT, m63.record_fault)
fits(m64.KINDS, m65.CODE)
fits(m64.KINDS, m66.RESULTS)
fits(m64.KINDS, m67.REPORTED_SCORES)
fits(m64.KINDS, m68.DATA_SET)
serves(m69.PLAY, m70.play)
fits(m71.OBJECT_SOURCES, m72.fetch_missing)
fits(m10.PhaseExtension.plugin_keys, m11.OpenEntries)
fits(m10.PhaseExtension.plugin_keys, m22.FeedbackKey)
fits(m10.PhaseExtension.plugin_keys, m25.Promote)
fits(m10.PhaseExtension.plugin_keys, m1.AnonymousUntil)
fits(m73.PHASE_NOTES, m25.note)
fits(m73.PHASE_NOTES, m74.note)
fits(m75.POLICIES, m76.local_quotas)
fits(m75.POLICIES, m25.policy)
fits(m77._Steps.contract, m78.screen)
serves(m30.PRIVATE_PARTS, m79.LocalPrivateParts)
fits(m80.PROMOTIONS, m25.promoted)
serves(m81.JUDGE, m82.judge_branches)
serves(m83.MERGE, m82.merge_branches)
serves(m83.OVERSIZED, m84.oversized)
serves(m83.TO_MATRIX, m85.to_matrix)
serves(m81.VALIDATE_HERE, m86.validate_here)
fits(m87.RULES, m88.MEAN)
fits(m87.RULES, m88.FIRST_TASK)
fits(m87.RULES, m88.MEAN_RANK)
fits(m87.RULES, m88.WIN_RATE)
fits(m89.BESTS, m90.compare)
fits(m56.RESULTS_IMPORTERS, m91.IMPORTER)
fits(m56.RESULTS_IMPORTERS, m92.IMPORTER)
fits(m56.RESULTS_IMPORTERS, m93.IMPORTER)
fits(m56.RESULTS_IMPORTERS, m93.RUN_IMPORTER)
fits(m44.REVIEWS, m94.Screens)
fits(m44.REVIEWS, m95.Copies)
fits(m96.ROW_MARKS, m74.tie_marks)
fits(m6.SAMPLES, m97.board_samples)
fits(m98.SCHEMA_TYPES, m99.AnalysisData)
fits(m98.SCHEMA_TYPES, m99.ConfidenceData)
fits(m98.SCHEMA_TYPES, m100.PlotsData)
fits(m98.SCHEMA_TYPES, m100.FigureData)
fits(m98.SCHEMA_TYPES, m24.Suite)
fits(m98.SCHEMA_TYPES, m8.RecordsData)
serves(m101.CLOSE, m102.close)
serves(m101.OPEN, m102.open_envelope)
serves(m101.SEAL, m102.seal)
fits(m103.Settings.plugin_keys, m104.Attest)
fits(m103.Settings.plugin_keys, m11.PolicySettings)
fits(m103.Settings.plugin_keys, m19.SiteSettings)
fits(m105.SITE_STATUS, m106.read_status)
serves(m107.KEEP, m108.sign_records)
serves(m107.KEPT, m108.signed_records)
serves(m109.NEW_SIGNING_KEY, m110.new_key)
serves(m107.SIGN, m108.sign_scores)
serves(m111.TIP, m112.tip)
serves(m105.VOUCH, m113.vouch)
serves(m30.SHARED_FOLDERS, m114.shared_store)
fits(m115.SubmissionFile.plugin_keys, m12.TermsAccepted)
fits(m115.SubmissionFile.plugin_keys, m27.BasedOn)
fits(m116.VERBS, m81.validate)
fits(m116.VERBS, m83.plan)
fits(m116.VERBS, m83.run)
fits(m116.VERBS, m40.leaderboard)
fits(m116.VERBS, m117.archive)
fits(m116.VERBS, m117.restore)
fits(m116.VERBS, m118.verify)
fits(m116.VERBS, m118.attest)
fits(m116.VERBS, m77.submit)
fits(m116.VERBS, m119.rerun)
fits(m116.VERBS, m119.withdraw)
fits(m116.VERBS, m119.disqualify)
fits(m116.VERBS, m119.overdue)
fits(m116.VERBS, m77.pr)
fits(m116.VERBS, m119.commit)
fits(m116.VERBS, m119.collect)
fits(m116.VERBS, m119.hand_in)
fits(m116.VERBS, m120.export)
fits(m116.VERBS, m121.controls)
fits(m116.VERBS, m122.feedback)
fits(m116.VERBS, m123.github)
fits(m116.VERBS, m56.imports)
fits(m116.VERBS, m109.pin)
fits(m116.VERBS, m109.keygen)
fits(m116.VERBS, m124.unlock)
fits(m116.VERBS, m125.analyze)
fits(m116.VERBS, m126.log)
fits(m116.VERBS, m127.results)
fits(m116.VERBS, m128.suite)
fits(m116.VERBS, m129.reproduce)
fits(m116.VERBS, m130.enter)
fits(m116.VERBS, m130.init)
fits(m116.VERBS, m130.fact_sheet)
fits(m116.VERBS, m130.solutions)
fits(m116.VERBS, m131.site)
