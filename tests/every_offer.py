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
import evaluator.plugins.sealed.checks as m27
import evaluator.site.content.lineage as m28
import evaluator.core.formats.columns as m29
import evaluator.plugins.races.pass_rates as m30
import evaluator.core.scores.running as m31
import evaluator.plugins.archive.archived as m32
import evaluator.core.scores.jobs as m33
import evaluator.plugins.controls.controls as m34
import evaluator.plugins.samples.curves as m35
import evaluator.core.compute.engines as m36
import evaluator.core.compute.engine.docker_engine as m37
import evaluator.plugins.host.host_kinds as m38
import evaluator.core.compute.executors as m39
import evaluator.plugins.dask.executor as m40
import evaluator.core.cli.boards as m41
import evaluator.core.leaderboard.tables as m42
import evaluator.site.boards.exports.board_json as m43
import evaluator.site.boards.exports.paper_tables as m44
import evaluator.ci.policy.reviews as m45
import evaluator.plugins.feedback.feedback as m46
import evaluator.plugins.insight.insight as m47
import evaluator.plugins.insight.plots.over_time as m48
import evaluator.plugins.insight.plots.trade_off as m49
import evaluator.plugins.insight.plots.curves as m50
import evaluator.plugins.insight.plots.distribution as m51
import evaluator.plugins.insight.plots.difficulty as m52
import evaluator.plugins.insight.plots.ranks as m53
import evaluator.core.git.repository as m54
import evaluator.ci.git.advice as m55
import evaluator.core.planning.snapshot as m56
import evaluator.importing.verb as m57
import evaluator.plugins.openml.amlb.adding as m58
import evaluator.plugins.codalab.importer as m59
import evaluator.plugins.openml.tasks.importing as m60
import evaluator.plugins.openml.amlb.importing as m61
import evaluator.plugins.openml.suites.importing as m62
import evaluator.ci.steps.change_table as m63
import evaluator.ci.scores.record_faults as m64
import evaluator.core.formats.kinds.kind as m65
import evaluator.core.formats.kinds.code as m66
import evaluator.core.formats.kinds.results as m67
import evaluator.plugins.cited_scores.kind as m68
import evaluator.plugins.datasets.kind as m69
import evaluator.plugins.sealed.kind as m70
import evaluator.core.compute.worker as m71
import evaluator.plugins.parallel.playing as m72
import evaluator.core.git.commands as m73
import evaluator.ci.git.partial_clone as m74
import evaluator.plugins.sealed.keys as m75
import evaluator.site.boards.ranking_note as m76
import evaluator.plugins.reproduce.ties as m77
import evaluator.core.planning.plan as m78
import evaluator.ci.ledger.quotas as m79
import evaluator.ci.cli.pulls as m80
import evaluator.plugins.screening.verb as m81
import evaluator.importing.private_parts as m82
import evaluator.core.planning.entries as m83
import evaluator.core.cli.submissions as m84
import evaluator.ci.steps.receive as m85
import evaluator.core.cli.evaluation as m86
import evaluator.ci.git.amounts as m87
import evaluator.ci.ledger.queues as m88
import evaluator.ci.steps.draft as m89
import evaluator.core.ranking.rule as m90
import evaluator.core.ranking.rules as m91
import evaluator.ci.policy.races as m92
import evaluator.plugins.races.contenders as m93
import evaluator.plugins.openml.exchange.amlb_results as m94
import evaluator.plugins.openml.exchange.table as m95
import evaluator.plugins.openml.exchange.openml_runs as m96
import evaluator.plugins.screening.screening as m97
import evaluator.plugins.screening.likeness as m98
import evaluator.site.boards.comparison as m99
import evaluator.plugins.samples.blocks as m100
import evaluator.site.build.data_files as m101
import evaluator.plugins.insight.study_form as m102
import evaluator.plugins.insight.plots.figure as m103
import evaluator.core.scores.sealing as m104
import evaluator.ci.scores.encryption as m105
import evaluator.ci.scores.collecting as m106
import evaluator.plugins.sealed.opening as m107
import evaluator.ci.steps.submit as m108
import evaluator.plugins.sealed.sealing as m109
import evaluator.core.formats.settings as m110
import evaluator.plugins.attest.settings as m111
import evaluator.site.content.reading as m112
import evaluator.ci.scores.status as m113
import evaluator.ci.scores.ledger_records as m114
import evaluator.plugins.attest.signing as m115
import evaluator.importing.private_data as m116
import evaluator.plugins.attest.keys as m117
import evaluator.ci.steps.reports as m118
import evaluator.plugins.attest.reading as m119
import evaluator.plugins.attest.vouching as m120
import evaluator.plugins.dask.shared_store as m121
import evaluator.core.formats.submission as m122
import evaluator.core.cli.group as m123
import evaluator.plugins.archive.verbs as m124
import evaluator.plugins.attest.verbs as m125
import evaluator.ci.cli.collection as m126
import evaluator.plugins.codalab.codabench_bundle as m127
import evaluator.plugins.controls.verb as m128
import evaluator.plugins.feedback.verb as m129
import evaluator.plugins.forge_setup.verbs as m130
import evaluator.importing.unlocking as m131
import evaluator.plugins.insight.verbs as m132
import evaluator.plugins.logs.verb as m133
import evaluator.plugins.openml.verbs as m134
import evaluator.plugins.openml.suites.verbs as m135
import evaluator.plugins.reproduce.verb as m136
import evaluator.plugins.scaffold.verbs as m137
import evaluator.plugins.sealed.verb as m138
import evaluator.site.build.verbs as m139


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
fits(m20.CHECKS, m27.check_sealed)
fits(m20.CHECKS, m28.check_lineage)
fits(m20.CHECKS, m1.check_phases)
fits(m29.FURTHER_COLUMNS, m30.pass_columns)
fits(m29.FURTHER_COLUMNS, m18.area_columns)
fits(m31.CONTENT_SOURCES, m32.fetch_archived)
fits(m33.CONTROLS, m34.Controls)
fits(m6.CURVES, m35.board_curves)
fits(m36.ENGINES, m37.DOCKER)
fits(m36.ENGINES, m38.SUBPROCESS)
fits(m36.ENGINES, m38.WARM)
fits(m39.EXECUTORS, m39.LocalExecutor)
fits(m39.EXECUTORS, m40.DaskExecutor)
fits(m41.EXPORTERS, m42.to_text)
fits(m41.EXPORTERS, m42.to_csv)
fits(m41.EXPORTERS, m43.to_json)
fits(m41.EXPORTERS, m44.to_latex)
fits(m41.EXPORTERS, m44.to_markdown)
fits(m45.FEEDBACK, m46.PRIVATE)
fits(m47.FIGURES, m48.over_time)
fits(m47.FIGURES, m49.against_time)
fits(m47.FIGURES, m49.against_memory)
fits(m47.FIGURES, m49.against_cost)
fits(m47.FIGURES, m50.curves)
fits(m47.FIGURES, m51.distribution)
fits(m47.FIGURES, m52.difficulty)
fits(m47.FIGURES, m53.ranks)
fits(m54.ADVICE, m55.what_to_do)
fits(m56.GROWTH, m21.with_datasets)
fits(m57.ImportGroup.contract, m58.amlb_framework)
fits(m57.IMPORTERS, m59.IMPORTER)
fits(m57.IMPORTERS, m60.IMPORTER)
fits(m57.IMPORTERS, m61.IMPORTER)
fits(m57.IMPORTERS, m62.IMPORTER)
fits(m63.CONCLUDES, m47.INSIGHT)
fits(m6.INSIGHTS, m47.INSIGHT)
serves(m31.RECORD_FAULT, m64.record_fault)
fits(m65.KINDS, m66.CODE)
fits(m65.KINDS, m67.RESULTS)
fits(m65.KINDS, m68.REPORTED_SCORES)
fits(m65.KINDS, m69.DATA_SET)
fits(m65.KINDS, m70.SEALED)
serves(m71.PLAY, m72.play)
fits(m73.OBJECT_SOURCES, m74.fetch_missing)
fits(m10.PhaseExtension.plugin_keys, m11.OpenEntries)
fits(m10.PhaseExtension.plugin_keys, m22.FeedbackKey)
fits(m10.PhaseExtension.plugin_keys, m25.Promote)
fits(m10.PhaseExtension.plugin_keys, m75.Seal)
fits(m10.PhaseExtension.plugin_keys, m1.AnonymousUntil)
fits(m76.PHASE_NOTES, m25.note)
fits(m76.PHASE_NOTES, m77.note)
fits(m76.PHASE_NOTES, m27.note)
fits(m78.POLICIES, m79.local_quotas)
fits(m78.POLICIES, m25.policy)
fits(m80._Steps.contract, m81.screen)
serves(m31.PRIVATE_PARTS, m82.LocalPrivateParts)
fits(m83.PROMOTIONS, m25.promoted)
serves(m84.JUDGE, m85.judge_branches)
serves(m86.MERGE, m85.merge_branches)
serves(m86.OVERSIZED, m87.oversized)
serves(m86.TO_MATRIX, m88.to_matrix)
serves(m84.VALIDATE_HERE, m89.validate_here)
fits(m90.RULES, m91.MEAN)
fits(m90.RULES, m91.FIRST_TASK)
fits(m90.RULES, m91.MEAN_RANK)
fits(m90.RULES, m91.WIN_RATE)
fits(m92.BESTS, m93.compare)
fits(m57.RESULTS_IMPORTERS, m94.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m95.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m96.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m96.RUN_IMPORTER)
fits(m45.REVIEWS, m97.Screens)
fits(m45.REVIEWS, m98.Copies)
fits(m99.ROW_MARKS, m77.tie_marks)
fits(m6.SAMPLES, m100.board_samples)
fits(m101.SCHEMA_TYPES, m102.AnalysisData)
fits(m101.SCHEMA_TYPES, m102.ConfidenceData)
fits(m101.SCHEMA_TYPES, m103.PlotsData)
fits(m101.SCHEMA_TYPES, m103.FigureData)
fits(m101.SCHEMA_TYPES, m24.Suite)
fits(m101.SCHEMA_TYPES, m8.RecordsData)
serves(m104.CLOSE, m105.close)
serves(m106.DUE, m107.due_names)
serves(m108.SEAL_ENTRY, m109.seal_entry)
serves(m104.OPEN, m105.open_envelope)
serves(m104.SEAL, m105.seal)
fits(m110.Settings.plugin_keys, m111.Attest)
fits(m110.Settings.plugin_keys, m11.PolicySettings)
fits(m110.Settings.plugin_keys, m19.SiteSettings)
fits(m112.SITE_STATUS, m113.read_status)
serves(m114.KEEP, m115.sign_records)
serves(m114.KEPT, m115.signed_records)
serves(m116.NEW_SIGNING_KEY, m117.new_key)
serves(m114.SIGN, m115.sign_scores)
serves(m118.TIP, m119.tip)
serves(m112.VOUCH, m120.vouch)
serves(m31.SHARED_FOLDERS, m121.shared_store)
fits(m122.SubmissionFile.plugin_keys, m12.TermsAccepted)
fits(m122.SubmissionFile.plugin_keys, m28.BasedOn)
fits(m123.VERBS, m84.validate)
fits(m123.VERBS, m86.plan)
fits(m123.VERBS, m86.run)
fits(m123.VERBS, m41.leaderboard)
fits(m123.VERBS, m124.archive)
fits(m123.VERBS, m124.restore)
fits(m123.VERBS, m125.verify)
fits(m123.VERBS, m125.attest)
fits(m123.VERBS, m80.submit)
fits(m123.VERBS, m126.rerun)
fits(m123.VERBS, m126.withdraw)
fits(m123.VERBS, m126.disqualify)
fits(m123.VERBS, m126.overdue)
fits(m123.VERBS, m80.pr)
fits(m123.VERBS, m126.commit)
fits(m123.VERBS, m126.collect)
fits(m123.VERBS, m126.hand_in)
fits(m123.VERBS, m127.export)
fits(m123.VERBS, m128.controls)
fits(m123.VERBS, m129.feedback)
fits(m123.VERBS, m130.github)
fits(m123.VERBS, m57.imports)
fits(m123.VERBS, m116.pin)
fits(m123.VERBS, m116.keygen)
fits(m123.VERBS, m131.unlock)
fits(m123.VERBS, m132.analyze)
fits(m123.VERBS, m133.log)
fits(m123.VERBS, m134.results)
fits(m123.VERBS, m135.suite)
fits(m123.VERBS, m136.reproduce)
fits(m123.VERBS, m137.enter)
fits(m123.VERBS, m137.init)
fits(m123.VERBS, m137.fact_sheet)
fits(m123.VERBS, m137.solutions)
fits(m123.VERBS, m138.unseal)
fits(m123.VERBS, m139.site)
fits(m125.FURTHER, m107.verify_sealed)
