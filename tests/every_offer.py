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
import evaluator.plugins.code_files.checks as m13
import evaluator.plugins.controls.keys as m14
import evaluator.plugins.races.accept as m15
import evaluator.plugins.races.passes as m16
import evaluator.plugins.reproduce.tolerance as m17
import pydantic as m18
import evaluator.plugins.samples.keys as m19
import evaluator.site.content.settings as m20
import evaluator.core.planning.rules as m21
import evaluator.plugins.datasets.tasks as m22
import evaluator.plugins.feedback.keys as m23
import evaluator.importing.checks as m24
import evaluator.plugins.openml.suites.file as m25
import evaluator.plugins.races.promoted as m26
import evaluator.plugins.screening.checks as m27
import evaluator.plugins.sealed.checks as m28
import evaluator.site.content.lineage as m29
import evaluator.core.formats.columns as m30
import evaluator.plugins.races.pass_rates as m31
import evaluator.core.scores.running as m32
import evaluator.plugins.archive.archived as m33
import evaluator.core.scores.jobs as m34
import evaluator.plugins.controls.controls as m35
import evaluator.plugins.samples.curves as m36
import evaluator.core.compute.engines as m37
import evaluator.core.compute.engine.docker_engine as m38
import evaluator.plugins.host.host_kinds as m39
import evaluator.core.compute.executors as m40
import evaluator.plugins.dask.executor as m41
import evaluator.core.cli.boards as m42
import evaluator.core.leaderboard.tables as m43
import evaluator.site.boards.exports.board_json as m44
import evaluator.site.boards.exports.paper_tables as m45
import evaluator.ci.policy.reviews as m46
import evaluator.plugins.feedback.feedback as m47
import evaluator.plugins.insight.insight as m48
import evaluator.plugins.insight.plots.over_time as m49
import evaluator.plugins.insight.plots.trade_off as m50
import evaluator.plugins.insight.plots.curves as m51
import evaluator.plugins.insight.plots.distribution as m52
import evaluator.plugins.insight.plots.difficulty as m53
import evaluator.plugins.insight.plots.ranks as m54
import evaluator.core.git.repository as m55
import evaluator.ci.git.advice as m56
import evaluator.core.planning.snapshot as m57
import evaluator.importing.verb as m58
import evaluator.plugins.openml.amlb.adding as m59
import evaluator.plugins.codalab.importer as m60
import evaluator.plugins.openml.tasks.importing as m61
import evaluator.plugins.openml.amlb.importing as m62
import evaluator.plugins.openml.suites.importing as m63
import evaluator.ci.steps.change_table as m64
import evaluator.ci.scores.record_faults as m65
import evaluator.core.formats.kinds.kind as m66
import evaluator.core.formats.kinds.code as m67
import evaluator.core.formats.kinds.results as m68
import evaluator.plugins.cited_scores.kind as m69
import evaluator.plugins.datasets.kind as m70
import evaluator.plugins.sealed.kind as m71
import evaluator.core.compute.worker as m72
import evaluator.plugins.parallel.playing as m73
import evaluator.core.git.commands as m74
import evaluator.ci.git.partial_clone as m75
import evaluator.plugins.sealed.keys as m76
import evaluator.site.boards.ranking_note as m77
import evaluator.plugins.reproduce.ties as m78
import evaluator.core.planning.plan as m79
import evaluator.ci.ledger.quotas as m80
import evaluator.ci.cli.pulls as m81
import evaluator.plugins.screening.verb as m82
import evaluator.importing.private_parts as m83
import evaluator.core.planning.entries as m84
import evaluator.core.cli.submissions as m85
import evaluator.ci.steps.receive as m86
import evaluator.core.cli.evaluation as m87
import evaluator.ci.git.amounts as m88
import evaluator.ci.ledger.queues as m89
import evaluator.ci.steps.draft as m90
import evaluator.core.ranking.rule as m91
import evaluator.core.ranking.rules as m92
import evaluator.ci.policy.races as m93
import evaluator.plugins.races.contenders as m94
import evaluator.plugins.openml.exchange.amlb_results as m95
import evaluator.plugins.openml.exchange.table as m96
import evaluator.plugins.openml.exchange.openml_runs as m97
import evaluator.plugins.screening.screening as m98
import evaluator.plugins.screening.likeness as m99
import evaluator.site.boards.comparison as m100
import evaluator.plugins.samples.blocks as m101
import evaluator.site.build.data_files as m102
import evaluator.plugins.insight.study_form as m103
import evaluator.plugins.insight.plots.figure as m104
import evaluator.core.scores.sealing as m105
import evaluator.ci.scores.encryption as m106
import evaluator.ci.scores.collecting as m107
import evaluator.plugins.sealed.opening as m108
import evaluator.ci.steps.submit as m109
import evaluator.plugins.sealed.sealing as m110
import evaluator.core.formats.settings as m111
import evaluator.plugins.attest.settings as m112
import evaluator.site.content.reading as m113
import evaluator.ci.scores.status as m114
import evaluator.ci.scores.ledger_records as m115
import evaluator.plugins.attest.signing as m116
import evaluator.importing.private_data as m117
import evaluator.plugins.attest.keys as m118
import evaluator.ci.steps.reports as m119
import evaluator.plugins.attest.reading as m120
import evaluator.plugins.attest.vouching as m121
import evaluator.plugins.dask.shared_store as m122
import evaluator.core.formats.submission as m123
import evaluator.core.cli.group as m124
import evaluator.plugins.archive.verbs as m125
import evaluator.plugins.attest.verbs as m126
import evaluator.ci.cli.collection as m127
import evaluator.plugins.codalab.codabench_bundle as m128
import evaluator.plugins.controls.verb as m129
import evaluator.plugins.feedback.verb as m130
import evaluator.plugins.forge_setup.verbs as m131
import evaluator.importing.unlocking as m132
import evaluator.plugins.insight.verbs as m133
import evaluator.plugins.logs.verb as m134
import evaluator.plugins.openml.verbs as m135
import evaluator.plugins.openml.suites.verbs as m136
import evaluator.plugins.reproduce.verb as m137
import evaluator.plugins.scaffold.verbs as m138
import evaluator.plugins.sealed.verb as m139
import evaluator.site.build.verbs as m140


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
fits(m10.Extension.plugin_keys, m13.CodeFiles)
fits(m10.Extension.plugin_keys, m14.Controls)
fits(m10.Extension.plugin_keys, m15.Accept)
fits(m10.Extension.plugin_keys, m16.Passes)
fits(m10.Extension.plugin_keys, m17.Tolerances)
fits(m10.Extension.plugin_keys, m18.StrictBool)
fits(m10.Extension.plugin_keys, m19.CurvesKey)
fits(m10.Extension.plugin_keys, m20.Citation)
fits(m10.Extension.plugin_keys, m20.Tags)
fits(m21.CHECKS, m13.check_files)
fits(m21.CHECKS, m14.check_controls)
fits(m21.CHECKS, m22.check_datasets)
fits(m21.CHECKS, m23.check_feedback)
fits(m21.CHECKS, m24.check_bundles)
fits(m21.CHECKS, m25.check_suites)
fits(m21.CHECKS, m15.check_accept)
fits(m21.CHECKS, m16.check_passes)
fits(m21.CHECKS, m26.check_phases)
fits(m21.CHECKS, m17.check_tolerances)
fits(m21.CHECKS, m27.check_screens)
fits(m21.CHECKS, m28.check_sealed)
fits(m21.CHECKS, m29.check_lineage)
fits(m21.CHECKS, m1.check_phases)
fits(m30.FURTHER_COLUMNS, m31.pass_columns)
fits(m30.FURTHER_COLUMNS, m19.area_columns)
fits(m32.CONTENT_SOURCES, m33.fetch_archived)
fits(m34.CONTROLS, m35.Controls)
fits(m6.CURVES, m36.board_curves)
fits(m37.ENGINES, m38.DOCKER)
fits(m37.ENGINES, m39.SUBPROCESS)
fits(m37.ENGINES, m39.WARM)
fits(m40.EXECUTORS, m40.LocalExecutor)
fits(m40.EXECUTORS, m41.DaskExecutor)
fits(m42.EXPORTERS, m43.to_text)
fits(m42.EXPORTERS, m43.to_csv)
fits(m42.EXPORTERS, m44.to_json)
fits(m42.EXPORTERS, m45.to_latex)
fits(m42.EXPORTERS, m45.to_markdown)
fits(m46.FEEDBACK, m47.PRIVATE)
fits(m48.FIGURES, m49.over_time)
fits(m48.FIGURES, m50.against_time)
fits(m48.FIGURES, m50.against_memory)
fits(m48.FIGURES, m50.against_cost)
fits(m48.FIGURES, m51.curves)
fits(m48.FIGURES, m52.distribution)
fits(m48.FIGURES, m53.difficulty)
fits(m48.FIGURES, m54.ranks)
fits(m55.ADVICE, m56.what_to_do)
fits(m57.GROWTH, m22.with_datasets)
fits(m58.ImportGroup.contract, m59.amlb_framework)
fits(m58.IMPORTERS, m60.IMPORTER)
fits(m58.IMPORTERS, m61.IMPORTER)
fits(m58.IMPORTERS, m62.IMPORTER)
fits(m58.IMPORTERS, m63.IMPORTER)
fits(m64.CONCLUDES, m48.INSIGHT)
fits(m6.INSIGHTS, m48.INSIGHT)
serves(m32.RECORD_FAULT, m65.record_fault)
fits(m66.KINDS, m67.CODE)
fits(m66.KINDS, m68.RESULTS)
fits(m66.KINDS, m69.REPORTED_SCORES)
fits(m66.KINDS, m70.DATA_SET)
fits(m66.KINDS, m71.SEALED)
serves(m72.PLAY, m73.play)
fits(m74.OBJECT_SOURCES, m75.fetch_missing)
fits(m10.PhaseExtension.plugin_keys, m11.OpenEntries)
fits(m10.PhaseExtension.plugin_keys, m23.FeedbackKey)
fits(m10.PhaseExtension.plugin_keys, m26.Promote)
fits(m10.PhaseExtension.plugin_keys, m76.Seal)
fits(m10.PhaseExtension.plugin_keys, m1.AnonymousUntil)
fits(m77.PHASE_NOTES, m26.note)
fits(m77.PHASE_NOTES, m78.note)
fits(m77.PHASE_NOTES, m28.note)
fits(m79.POLICIES, m80.local_quotas)
fits(m79.POLICIES, m26.policy)
fits(m81._Steps.contract, m82.screen)
serves(m32.PRIVATE_PARTS, m83.LocalPrivateParts)
fits(m84.PROMOTIONS, m26.promoted)
serves(m85.JUDGE, m86.judge_branches)
serves(m87.MERGE, m86.merge_branches)
serves(m87.OVERSIZED, m88.oversized)
serves(m87.TO_MATRIX, m89.to_matrix)
serves(m85.VALIDATE_HERE, m90.validate_here)
fits(m91.RULES, m92.MEAN)
fits(m91.RULES, m92.FIRST_TASK)
fits(m91.RULES, m92.MEAN_RANK)
fits(m91.RULES, m92.WIN_RATE)
fits(m93.BESTS, m94.compare)
fits(m58.RESULTS_IMPORTERS, m95.IMPORTER)
fits(m58.RESULTS_IMPORTERS, m96.IMPORTER)
fits(m58.RESULTS_IMPORTERS, m97.IMPORTER)
fits(m58.RESULTS_IMPORTERS, m97.RUN_IMPORTER)
fits(m46.REVIEWS, m98.Screens)
fits(m46.REVIEWS, m99.Copies)
fits(m100.ROW_MARKS, m78.tie_marks)
fits(m6.SAMPLES, m101.board_samples)
fits(m102.SCHEMA_TYPES, m103.AnalysisData)
fits(m102.SCHEMA_TYPES, m103.ConfidenceData)
fits(m102.SCHEMA_TYPES, m104.PlotsData)
fits(m102.SCHEMA_TYPES, m104.FigureData)
fits(m102.SCHEMA_TYPES, m25.Suite)
fits(m102.SCHEMA_TYPES, m8.RecordsData)
serves(m105.CLOSE, m106.close)
serves(m107.DUE, m108.due_names)
serves(m109.SEAL_ENTRY, m110.seal_entry)
serves(m105.OPEN, m106.open_envelope)
serves(m105.SEAL, m106.seal)
fits(m111.Settings.plugin_keys, m112.Attest)
fits(m111.Settings.plugin_keys, m11.PolicySettings)
fits(m111.Settings.plugin_keys, m20.SiteSettings)
fits(m113.SITE_STATUS, m114.read_status)
serves(m115.KEEP, m116.sign_records)
serves(m115.KEPT, m116.signed_records)
serves(m117.NEW_SIGNING_KEY, m118.new_key)
serves(m115.SIGN, m116.sign_scores)
serves(m119.TIP, m120.tip)
serves(m113.VOUCH, m121.vouch)
serves(m32.SHARED_FOLDERS, m122.shared_store)
fits(m123.SubmissionFile.plugin_keys, m12.TermsAccepted)
fits(m123.SubmissionFile.plugin_keys, m29.BasedOn)
fits(m124.VERBS, m85.validate)
fits(m124.VERBS, m87.plan)
fits(m124.VERBS, m87.run)
fits(m124.VERBS, m42.leaderboard)
fits(m124.VERBS, m125.archive)
fits(m124.VERBS, m125.restore)
fits(m124.VERBS, m126.verify)
fits(m124.VERBS, m126.attest)
fits(m124.VERBS, m81.submit)
fits(m124.VERBS, m127.rerun)
fits(m124.VERBS, m127.withdraw)
fits(m124.VERBS, m127.disqualify)
fits(m124.VERBS, m127.overdue)
fits(m124.VERBS, m81.pr)
fits(m124.VERBS, m127.commit)
fits(m124.VERBS, m127.collect)
fits(m124.VERBS, m127.hand_in)
fits(m124.VERBS, m128.export)
fits(m124.VERBS, m129.controls)
fits(m124.VERBS, m130.feedback)
fits(m124.VERBS, m131.github)
fits(m124.VERBS, m58.imports)
fits(m124.VERBS, m117.pin)
fits(m124.VERBS, m117.keygen)
fits(m124.VERBS, m132.unlock)
fits(m124.VERBS, m133.analyze)
fits(m124.VERBS, m134.log)
fits(m124.VERBS, m135.results)
fits(m124.VERBS, m136.suite)
fits(m124.VERBS, m137.reproduce)
fits(m124.VERBS, m138.enter)
fits(m124.VERBS, m138.init)
fits(m124.VERBS, m138.fact_sheet)
fits(m124.VERBS, m138.solutions)
fits(m124.VERBS, m139.unseal)
fits(m124.VERBS, m140.site)
fits(m126.FURTHER, m108.verify_sealed)
