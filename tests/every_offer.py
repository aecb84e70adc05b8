"""Offers by contract, for mypy. Written by ``python -m tests.test_contracts``."""

# ruff: noqa: I001
from evaluator.core.plugins import Contract, Service, T
import evaluator.core.formats.attachments as m0
import evaluator.core.compute.scoring as m1
import evaluator.plugins.samples.stored as m2
import evaluator.site.content.insight as m3
import evaluator.plugins.controls.page as m4
import evaluator.plugins.races.page as m5
import evaluator.plugins.samples.page as m6
import evaluator.core.formats.extension as m7
import evaluator.ci.policy.keys as m8
import evaluator.ci.policy.entrants as m9
import evaluator.plugins.code_files.checks as m10
import evaluator.plugins.controls.keys as m11
import evaluator.plugins.races.accept as m12
import evaluator.plugins.races.passes as m13
import evaluator.plugins.reproduce.tolerance as m14
import pydantic as m15
import evaluator.plugins.samples.keys as m16
import evaluator.site.content.settings as m17
import evaluator.core.planning.rules as m18
import evaluator.plugins.datasets.tasks as m19
import evaluator.plugins.feedback.keys as m20
import evaluator.importing.checks as m21
import evaluator.plugins.openml.suites.file as m22
import evaluator.plugins.races.promoted as m23
import evaluator.plugins.screening.checks as m24
import evaluator.plugins.sealed.checks as m25
import evaluator.site.content.lineage as m26
import evaluator.core.formats.columns as m27
import evaluator.plugins.races.pass_rates as m28
import evaluator.core.scores.running as m29
import evaluator.plugins.archive.archived as m30
import evaluator.core.scores.jobs as m31
import evaluator.plugins.controls.controls as m32
import evaluator.plugins.samples.curves as m33
import evaluator.core.compute.engines as m34
import evaluator.core.compute.engine.docker_engine as m35
import evaluator.plugins.host.host_kinds as m36
import evaluator.core.compute.executors as m37
import evaluator.plugins.dask.executor as m38
import evaluator.core.cli.boards as m39
import evaluator.core.leaderboard.tables as m40
import evaluator.site.boards.exports.board_json as m41
import evaluator.site.boards.exports.paper_tables as m42
import evaluator.ci.policy.reviews as m43
import evaluator.plugins.feedback.feedback as m44
import evaluator.plugins.insight.insight as m45
import evaluator.plugins.insight.plots.over_time as m46
import evaluator.plugins.insight.plots.trade_off as m47
import evaluator.plugins.insight.plots.curves as m48
import evaluator.plugins.insight.plots.distribution as m49
import evaluator.plugins.insight.plots.difficulty as m50
import evaluator.plugins.insight.plots.ranks as m51
import evaluator.core.git.repository as m52
import evaluator.ci.git.advice as m53
import evaluator.core.planning.snapshot as m54
import evaluator.importing.verb as m55
import evaluator.plugins.openml.amlb.adding as m56
import evaluator.plugins.codalab.importer as m57
import evaluator.plugins.openml.tasks.importing as m58
import evaluator.plugins.openml.amlb.importing as m59
import evaluator.plugins.openml.suites.importing as m60
import evaluator.ci.steps.change_table as m61
import evaluator.ci.scores.record_faults as m62
import evaluator.core.formats.kinds.kind as m63
import evaluator.core.formats.kinds.code as m64
import evaluator.core.formats.kinds.results as m65
import evaluator.plugins.cited_scores.kind as m66
import evaluator.plugins.datasets.kind as m67
import evaluator.plugins.sealed.kind as m68
import evaluator.core.compute.worker as m69
import evaluator.plugins.parallel.playing as m70
import evaluator.core.git.commands as m71
import evaluator.ci.git.partial_clone as m72
import evaluator.plugins.sealed.keys as m73
import evaluator.site.boards.ranking_note as m74
import evaluator.plugins.reproduce.ties as m75
import evaluator.core.planning.plan as m76
import evaluator.ci.ledger.quotas as m77
import evaluator.ci.cli.pulls as m78
import evaluator.plugins.screening.verb as m79
import evaluator.importing.private_parts as m80
import evaluator.core.planning.entries as m81
import evaluator.core.cli.submissions as m82
import evaluator.ci.steps.receive as m83
import evaluator.core.cli.evaluation as m84
import evaluator.ci.git.amounts as m85
import evaluator.ci.ledger.queues as m86
import evaluator.ci.steps.draft as m87
import evaluator.core.ranking.rule as m88
import evaluator.core.ranking.rules as m89
import evaluator.ci.policy.races as m90
import evaluator.plugins.races.contenders as m91
import evaluator.plugins.openml.exchange.amlb_results as m92
import evaluator.plugins.openml.exchange.table as m93
import evaluator.plugins.openml.exchange.openml_runs as m94
import evaluator.plugins.screening.screening as m95
import evaluator.plugins.screening.likeness as m96
import evaluator.site.boards.comparison as m97
import evaluator.plugins.samples.blocks as m98
import evaluator.site.build.data_files as m99
import evaluator.plugins.insight.study_form as m100
import evaluator.plugins.insight.plots.figure as m101
import evaluator.core.scores.sealing as m102
import evaluator.ci.scores.encryption as m103
import evaluator.ci.scores.collecting as m104
import evaluator.plugins.sealed.opening as m105
import evaluator.ci.steps.submit as m106
import evaluator.plugins.sealed.sealing as m107
import evaluator.core.formats.settings as m108
import evaluator.plugins.attest.settings as m109
import evaluator.site.content.reading as m110
import evaluator.ci.scores.status as m111
import evaluator.ci.scores.ledger_records as m112
import evaluator.plugins.attest.signing as m113
import evaluator.importing.private_data as m114
import evaluator.plugins.attest.keys as m115
import evaluator.ci.steps.reports as m116
import evaluator.plugins.attest.reading as m117
import evaluator.plugins.attest.vouching as m118
import evaluator.plugins.dask.shared_store as m119
import evaluator.core.formats.submission as m120
import evaluator.core.cli.group as m121
import evaluator.plugins.archive.verbs as m122
import evaluator.plugins.attest.verbs as m123
import evaluator.ci.cli.collection as m124
import evaluator.plugins.codalab.codabench_bundle as m125
import evaluator.plugins.controls.verb as m126
import evaluator.plugins.courses.verbs as m127
import evaluator.plugins.feedback.verb as m128
import evaluator.plugins.forge_setup.verbs as m129
import evaluator.importing.unlocking as m130
import evaluator.plugins.insight.verbs as m131
import evaluator.plugins.logs.verb as m132
import evaluator.plugins.openml.verbs as m133
import evaluator.plugins.openml.suites.verbs as m134
import evaluator.plugins.reproduce.verb as m135
import evaluator.plugins.scaffold.verbs as m136
import evaluator.plugins.sealed.verb as m137
import evaluator.site.build.verbs as m138


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


fits(m0.ATTACHMENTS, m1.DETAILED_PAGE)
fits(m0.ATTACHMENTS, m2.SAMPLE_FILE)
fits(m0.ATTACHMENTS, m2.CURVE_FILE)
fits(m3.BOARD_PAGES, m4.controls_page)
fits(m3.BOARD_PAGES, m5.records_page)
fits(m3.BOARD_PAGES, m6.samples_page)
fits(m7.Extension.plugin_keys, m8.Policy)
fits(m7.Extension.plugin_keys, m9.Participants)
fits(m7.Extension.plugin_keys, m9.AcceptTerms)
fits(m7.Extension.plugin_keys, m10.CodeFiles)
fits(m7.Extension.plugin_keys, m11.Controls)
fits(m7.Extension.plugin_keys, m12.Accept)
fits(m7.Extension.plugin_keys, m13.Passes)
fits(m7.Extension.plugin_keys, m14.Tolerances)
fits(m7.Extension.plugin_keys, m15.StrictBool)
fits(m7.Extension.plugin_keys, m16.CurvesKey)
fits(m7.Extension.plugin_keys, m17.Citation)
fits(m7.Extension.plugin_keys, m17.Tags)
fits(m18.CHECKS, m10.check_files)
fits(m18.CHECKS, m11.check_controls)
fits(m18.CHECKS, m19.check_datasets)
fits(m18.CHECKS, m20.check_feedback)
fits(m18.CHECKS, m21.check_bundles)
fits(m18.CHECKS, m22.check_suites)
fits(m18.CHECKS, m12.check_accept)
fits(m18.CHECKS, m13.check_passes)
fits(m18.CHECKS, m23.check_phases)
fits(m18.CHECKS, m14.check_tolerances)
fits(m18.CHECKS, m24.check_screens)
fits(m18.CHECKS, m25.check_sealed)
fits(m18.CHECKS, m26.check_lineage)
fits(m27.FURTHER_COLUMNS, m28.pass_columns)
fits(m27.FURTHER_COLUMNS, m16.area_columns)
fits(m29.CONTENT_SOURCES, m30.fetch_archived)
fits(m31.CONTROLS, m32.Controls)
fits(m3.CURVES, m33.board_curves)
fits(m34.ENGINES, m35.DOCKER)
fits(m34.ENGINES, m36.SUBPROCESS)
fits(m34.ENGINES, m36.WARM)
fits(m18.ENTRY_RULES, m18.score_rules)
fits(m18.ENTRY_RULES, m9.entrant_rules)
fits(m18.ENTRY_RULES, m8.policy_rules)
fits(m18.ENTRY_RULES, m20.feedback_rules)
fits(m37.EXECUTORS, m37.LocalExecutor)
fits(m37.EXECUTORS, m38.DaskExecutor)
fits(m39.EXPORTERS, m40.to_text)
fits(m39.EXPORTERS, m40.to_csv)
fits(m39.EXPORTERS, m41.to_json)
fits(m39.EXPORTERS, m42.to_latex)
fits(m39.EXPORTERS, m42.to_markdown)
fits(m43.FEEDBACK, m44.PRIVATE)
fits(m45.FIGURES, m46.over_time)
fits(m45.FIGURES, m47.against_time)
fits(m45.FIGURES, m47.against_memory)
fits(m45.FIGURES, m47.against_cost)
fits(m45.FIGURES, m48.curves)
fits(m45.FIGURES, m49.distribution)
fits(m45.FIGURES, m50.difficulty)
fits(m45.FIGURES, m51.ranks)
fits(m52.ADVICE, m53.what_to_do)
fits(m54.GROWTH, m19.with_datasets)
fits(m55.ImportGroup.contract, m56.amlb_framework)
fits(m55.IMPORTERS, m57.IMPORTER)
fits(m55.IMPORTERS, m58.IMPORTER)
fits(m55.IMPORTERS, m59.IMPORTER)
fits(m55.IMPORTERS, m60.IMPORTER)
fits(m61.CONCLUDES, m45.INSIGHT)
fits(m3.INSIGHTS, m45.INSIGHT)
serves(m29.RECORD_FAULT, m62.record_fault)
fits(m63.KINDS, m64.CODE)
fits(m63.KINDS, m65.RESULTS)
fits(m63.KINDS, m66.REPORTED_SCORES)
fits(m63.KINDS, m67.DATA_SET)
fits(m63.KINDS, m68.SEALED)
serves(m69.PLAY, m70.play)
fits(m71.OBJECT_SOURCES, m72.fetch_missing)
fits(m7.PhaseExtension.plugin_keys, m8.OpenEntries)
fits(m7.PhaseExtension.plugin_keys, m20.FeedbackKey)
fits(m7.PhaseExtension.plugin_keys, m23.Promote)
fits(m7.PhaseExtension.plugin_keys, m73.Seal)
fits(m74.PHASE_NOTES, m23.note)
fits(m74.PHASE_NOTES, m75.note)
fits(m74.PHASE_NOTES, m25.note)
fits(m76.POLICIES, m77.local_quotas)
fits(m76.POLICIES, m23.policy)
fits(m78._Steps.contract, m79.screen)
serves(m29.PRIVATE_PARTS, m80.LocalPrivateParts)
fits(m81.PROMOTIONS, m23.promoted)
serves(m82.JUDGE, m83.judge_branches)
serves(m84.MERGE, m83.merge_branches)
serves(m84.OVERSIZED, m85.oversized)
serves(m84.TO_MATRIX, m86.to_matrix)
serves(m82.VALIDATE_HERE, m87.validate_here)
fits(m88.RULES, m89.MEAN)
fits(m88.RULES, m89.FIRST_TASK)
fits(m88.RULES, m89.MEAN_RANK)
fits(m88.RULES, m89.WIN_RATE)
fits(m90.BESTS, m91.compare)
fits(m55.RESULTS_IMPORTERS, m92.IMPORTER)
fits(m55.RESULTS_IMPORTERS, m93.IMPORTER)
fits(m55.RESULTS_IMPORTERS, m94.IMPORTER)
fits(m55.RESULTS_IMPORTERS, m94.RUN_IMPORTER)
fits(m43.REVIEWS, m95.Screens)
fits(m43.REVIEWS, m96.Copies)
fits(m97.ROW_MARKS, m75.tie_marks)
fits(m3.SAMPLES, m98.board_samples)
fits(m99.SCHEMA_TYPES, m100.AnalysisData)
fits(m99.SCHEMA_TYPES, m100.ConfidenceData)
fits(m99.SCHEMA_TYPES, m101.PlotsData)
fits(m99.SCHEMA_TYPES, m101.FigureData)
fits(m99.SCHEMA_TYPES, m22.Suite)
fits(m99.SCHEMA_TYPES, m5.RecordsData)
serves(m102.CLOSE, m103.close)
serves(m104.DUE, m105.due_names)
serves(m106.SEAL_ENTRY, m107.seal_entry)
serves(m102.OPEN, m103.open_envelope)
serves(m102.SEAL, m103.seal)
fits(m108.Settings.plugin_keys, m109.Attest)
fits(m108.Settings.plugin_keys, m8.PolicySettings)
fits(m108.Settings.plugin_keys, m17.SiteSettings)
fits(m110.SITE_STATUS, m111.read_status)
serves(m112.KEEP, m113.sign_records)
serves(m112.KEPT, m113.signed_records)
serves(m114.NEW_SIGNING_KEY, m115.new_key)
serves(m112.SIGN, m113.sign_scores)
serves(m116.TIP, m117.tip)
serves(m110.VOUCH, m118.vouch)
serves(m29.SHARED_FOLDERS, m119.shared_store)
fits(m120.SubmissionFile.plugin_keys, m9.TermsAccepted)
fits(m120.SubmissionFile.plugin_keys, m26.BasedOn)
fits(m121.VERBS, m82.validate)
fits(m121.VERBS, m84.plan)
fits(m121.VERBS, m84.run)
fits(m121.VERBS, m39.leaderboard)
fits(m121.VERBS, m122.archive)
fits(m121.VERBS, m122.restore)
fits(m121.VERBS, m123.verify)
fits(m121.VERBS, m123.attest)
fits(m121.VERBS, m78.submit)
fits(m121.VERBS, m124.rerun)
fits(m121.VERBS, m124.withdraw)
fits(m121.VERBS, m124.disqualify)
fits(m121.VERBS, m124.overdue)
fits(m121.VERBS, m78.pr)
fits(m121.VERBS, m124.commit)
fits(m121.VERBS, m124.collect)
fits(m121.VERBS, m124.hand_in)
fits(m121.VERBS, m125.export)
fits(m121.VERBS, m126.controls)
fits(m121.VERBS, m127.grades)
fits(m121.VERBS, m127.participants)
fits(m121.VERBS, m128.feedback)
fits(m121.VERBS, m129.github)
fits(m121.VERBS, m55.imports)
fits(m121.VERBS, m114.pin)
fits(m121.VERBS, m114.keygen)
fits(m121.VERBS, m130.unlock)
fits(m121.VERBS, m131.analyze)
fits(m121.VERBS, m132.log)
fits(m121.VERBS, m133.results)
fits(m121.VERBS, m134.suite)
fits(m121.VERBS, m135.reproduce)
fits(m121.VERBS, m136.enter)
fits(m121.VERBS, m136.init)
fits(m121.VERBS, m136.fact_sheet)
fits(m121.VERBS, m136.solutions)
fits(m121.VERBS, m137.unseal)
fits(m121.VERBS, m138.site)
fits(m123.FURTHER, m105.verify_sealed)
