"""Offers by contract, for mypy. Written by ``python -m tests.test_contracts``."""

# ruff: noqa: I001
from evaluator.core.plugins import Contract, Service, T
import evaluator.core.formats.attachments as m0
import evaluator.core.compute.scoring as m1
import evaluator.plugins.races.race_file as m2
import evaluator.plugins.samples.stored as m3
import evaluator.site.content.insight as m4
import evaluator.plugins.controls.page as m5
import evaluator.plugins.races.page as m6
import evaluator.plugins.samples.page as m7
import evaluator.core.formats.extension as m8
import evaluator.ci.policy.keys as m9
import evaluator.ci.policy.entrants as m10
import evaluator.plugins.code_files.checks as m11
import evaluator.plugins.controls.keys as m12
import evaluator.plugins.races.accept as m13
import evaluator.plugins.races.passes as m14
import evaluator.plugins.reproduce.tolerance as m15
import pydantic as m16
import evaluator.plugins.samples.keys as m17
import evaluator.site.content.settings as m18
import evaluator.core.planning.rules as m19
import evaluator.plugins.courses.lateness as m20
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
import evaluator.core.planning.deadlines as m73
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
import evaluator.core.scores.turns as m91
import evaluator.plugins.races.turns as m92
import evaluator.core.ranking.rule as m93
import evaluator.core.ranking.rules as m94
import evaluator.ci.policy.races as m95
import evaluator.plugins.races.contenders as m96
import evaluator.plugins.openml.exchange.amlb_results as m97
import evaluator.plugins.openml.exchange.table as m98
import evaluator.plugins.openml.exchange.openml_runs as m99
import evaluator.plugins.screening.screening as m100
import evaluator.plugins.screening.likeness as m101
import evaluator.site.boards.comparison as m102
import evaluator.plugins.samples.blocks as m103
import evaluator.site.build.data_files as m104
import evaluator.plugins.insight.study_form as m105
import evaluator.plugins.insight.plots.figure as m106
import evaluator.core.scores.climbing as m107
import evaluator.ci.scores.earlier as m108
import evaluator.core.scores.sealing as m109
import evaluator.ci.scores.encryption as m110
import evaluator.ci.scores.collecting as m111
import evaluator.plugins.sealed.opening as m112
import evaluator.ci.steps.submit as m113
import evaluator.plugins.sealed.sealing as m114
import evaluator.core.formats.settings as m115
import evaluator.plugins.attest.settings as m116
import evaluator.site.content.reading as m117
import evaluator.ci.scores.status as m118
import evaluator.ci.scores.ledger_records as m119
import evaluator.plugins.attest.signing as m120
import evaluator.importing.private_data as m121
import evaluator.plugins.attest.keys as m122
import evaluator.ci.steps.reports as m123
import evaluator.plugins.attest.reading as m124
import evaluator.plugins.attest.vouching as m125
import evaluator.plugins.dask.shared_store as m126
import evaluator.core.formats.submission as m127
import evaluator.core.cli.group as m128
import evaluator.plugins.archive.verbs as m129
import evaluator.plugins.attest.verbs as m130
import evaluator.ci.cli.collection as m131
import evaluator.plugins.codalab.codabench_bundle as m132
import evaluator.plugins.controls.verb as m133
import evaluator.plugins.courses.verbs as m134
import evaluator.plugins.feedback.verb as m135
import evaluator.plugins.forge_setup.verbs as m136
import evaluator.importing.unlocking as m137
import evaluator.plugins.insight.verbs as m138
import evaluator.plugins.logs.verb as m139
import evaluator.plugins.openml.verbs as m140
import evaluator.plugins.openml.suites.verbs as m141
import evaluator.plugins.reproduce.verb as m142
import evaluator.plugins.scaffold.verbs as m143
import evaluator.plugins.sealed.verb as m144
import evaluator.site.build.verbs as m145


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


fits(m0.ATTACHMENTS, m1.DETAILED_PAGE)
fits(m0.ATTACHMENTS, m2.RACE_ATTACHMENT)
fits(m0.ATTACHMENTS, m3.SAMPLE_FILE)
fits(m0.ATTACHMENTS, m3.CURVE_FILE)
fits(m4.BOARD_PAGES, m5.controls_page)
fits(m4.BOARD_PAGES, m6.records_page)
fits(m4.BOARD_PAGES, m7.samples_page)
fits(m8.Extension.plugin_keys, m9.Policy)
fits(m8.Extension.plugin_keys, m10.Participants)
fits(m8.Extension.plugin_keys, m10.AcceptTerms)
fits(m8.Extension.plugin_keys, m11.CodeFiles)
fits(m8.Extension.plugin_keys, m12.Controls)
fits(m8.Extension.plugin_keys, m13.Accept)
fits(m8.Extension.plugin_keys, m14.Passes)
fits(m8.Extension.plugin_keys, m15.Tolerances)
fits(m8.Extension.plugin_keys, m16.StrictBool)
fits(m8.Extension.plugin_keys, m17.CurvesKey)
fits(m8.Extension.plugin_keys, m18.Citation)
fits(m8.Extension.plugin_keys, m18.Tags)
fits(m19.CHECKS, m11.check_files)
fits(m19.CHECKS, m12.check_controls)
fits(m19.CHECKS, m20.check_deadlines)
fits(m19.CHECKS, m21.check_datasets)
fits(m19.CHECKS, m22.check_feedback)
fits(m19.CHECKS, m23.check_bundles)
fits(m19.CHECKS, m24.check_suites)
fits(m19.CHECKS, m13.check_accept)
fits(m19.CHECKS, m14.check_passes)
fits(m19.CHECKS, m25.check_phases)
fits(m19.CHECKS, m15.check_tolerances)
fits(m19.CHECKS, m26.check_screens)
fits(m19.CHECKS, m27.check_sealed)
fits(m19.CHECKS, m28.check_lineage)
fits(m29.FURTHER_COLUMNS, m30.pass_columns)
fits(m29.FURTHER_COLUMNS, m17.area_columns)
fits(m31.CONTENT_SOURCES, m32.fetch_archived)
fits(m33.CONTROLS, m34.Controls)
fits(m4.CURVES, m35.board_curves)
fits(m36.ENGINES, m37.DOCKER)
fits(m36.ENGINES, m38.SUBPROCESS)
fits(m36.ENGINES, m38.WARM)
fits(m19.ENTRY_RULES, m19.score_rules)
fits(m19.ENTRY_RULES, m10.entrant_rules)
fits(m19.ENTRY_RULES, m9.policy_rules)
fits(m19.ENTRY_RULES, m20.late_rules)
fits(m19.ENTRY_RULES, m22.feedback_rules)
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
fits(m4.INSIGHTS, m47.INSIGHT)
serves(m31.RECORD_FAULT, m64.record_fault)
fits(m65.KINDS, m66.CODE)
fits(m65.KINDS, m67.RESULTS)
fits(m65.KINDS, m68.REPORTED_SCORES)
fits(m65.KINDS, m69.DATA_SET)
fits(m65.KINDS, m70.SEALED)
serves(m71.PLAY, m72.play)
fits(m73.MORE_TIME, m20.more_time)
fits(m74.OBJECT_SOURCES, m75.fetch_missing)
fits(m8.PhaseExtension.plugin_keys, m9.OpenEntries)
fits(m8.PhaseExtension.plugin_keys, m20.Late)
fits(m8.PhaseExtension.plugin_keys, m20.Until)
fits(m8.PhaseExtension.plugin_keys, m22.FeedbackKey)
fits(m8.PhaseExtension.plugin_keys, m25.Promote)
fits(m8.PhaseExtension.plugin_keys, m76.Seal)
fits(m77.PHASE_NOTES, m25.note)
fits(m77.PHASE_NOTES, m78.note)
fits(m77.PHASE_NOTES, m27.note)
fits(m79.POLICIES, m80.local_quotas)
fits(m79.POLICIES, m25.policy)
fits(m81._Steps.contract, m82.screen)
serves(m31.PRIVATE_PARTS, m83.LocalPrivateParts)
fits(m84.PROMOTIONS, m25.promoted)
serves(m85.JUDGE, m86.judge_branches)
serves(m87.MERGE, m86.merge_branches)
serves(m87.OVERSIZED, m88.oversized)
serves(m87.TO_MATRIX, m89.to_matrix)
serves(m85.VALIDATE_HERE, m90.validate_here)
serves(m91.RACE, m92.ALTERNATE_RACE)
fits(m93.RULES, m94.MEAN)
fits(m93.RULES, m94.FIRST_TASK)
fits(m93.RULES, m94.MEAN_RANK)
fits(m93.RULES, m94.WIN_RATE)
fits(m95.BESTS, m96.compare)
fits(m57.RESULTS_IMPORTERS, m97.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m98.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m99.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m99.RUN_IMPORTER)
fits(m45.REVIEWS, m100.Screens)
fits(m45.REVIEWS, m101.Copies)
fits(m102.ROW_MARKS, m78.tie_marks)
fits(m4.SAMPLES, m103.board_samples)
fits(m104.SCHEMA_TYPES, m105.AnalysisData)
fits(m104.SCHEMA_TYPES, m105.ConfidenceData)
fits(m104.SCHEMA_TYPES, m106.PlotsData)
fits(m104.SCHEMA_TYPES, m106.FigureData)
fits(m104.SCHEMA_TYPES, m24.Suite)
fits(m104.SCHEMA_TYPES, m6.RecordsData)
serves(m107.EARLIER, m108.earlier_scores)
serves(m109.CLOSE, m110.close)
serves(m111.DUE, m112.due_names)
serves(m113.SEAL_ENTRY, m114.seal_entry)
serves(m109.OPEN, m110.open_envelope)
serves(m109.SEAL, m110.seal)
fits(m115.Settings.plugin_keys, m116.Attest)
fits(m115.Settings.plugin_keys, m9.PolicySettings)
fits(m115.Settings.plugin_keys, m18.SiteSettings)
fits(m117.SITE_STATUS, m118.read_status)
serves(m119.KEEP, m120.sign_records)
serves(m119.KEPT, m120.signed_records)
serves(m121.NEW_SIGNING_KEY, m122.new_key)
serves(m119.SIGN, m120.sign_scores)
serves(m123.TIP, m124.tip)
serves(m117.VOUCH, m125.vouch)
serves(m31.SHARED_FOLDERS, m126.shared_store)
fits(m127.SubmissionFile.plugin_keys, m10.TermsAccepted)
fits(m127.SubmissionFile.plugin_keys, m28.BasedOn)
fits(m128.VERBS, m85.validate)
fits(m128.VERBS, m87.plan)
fits(m128.VERBS, m87.run)
fits(m128.VERBS, m41.leaderboard)
fits(m128.VERBS, m129.archive)
fits(m128.VERBS, m129.restore)
fits(m128.VERBS, m130.verify)
fits(m128.VERBS, m130.attest)
fits(m128.VERBS, m81.submit)
fits(m128.VERBS, m131.rerun)
fits(m128.VERBS, m131.withdraw)
fits(m128.VERBS, m131.disqualify)
fits(m128.VERBS, m131.overdue)
fits(m128.VERBS, m81.pr)
fits(m128.VERBS, m131.commit)
fits(m128.VERBS, m131.collect)
fits(m128.VERBS, m131.hand_in)
fits(m128.VERBS, m132.export)
fits(m128.VERBS, m133.controls)
fits(m128.VERBS, m134.grades)
fits(m128.VERBS, m134.participants)
fits(m128.VERBS, m135.feedback)
fits(m128.VERBS, m136.github)
fits(m128.VERBS, m57.imports)
fits(m128.VERBS, m121.pin)
fits(m128.VERBS, m121.keygen)
fits(m128.VERBS, m137.unlock)
fits(m128.VERBS, m138.analyze)
fits(m128.VERBS, m139.log)
fits(m128.VERBS, m140.results)
fits(m128.VERBS, m141.suite)
fits(m128.VERBS, m142.reproduce)
fits(m128.VERBS, m143.enter)
fits(m128.VERBS, m143.init)
fits(m128.VERBS, m143.fact_sheet)
fits(m128.VERBS, m143.solutions)
fits(m128.VERBS, m144.unseal)
fits(m128.VERBS, m145.site)
fits(m130.FURTHER, m112.verify_sealed)
