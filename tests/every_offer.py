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
import evaluator.plugins.races.turns as m91
import evaluator.core.ranking.rule as m92
import evaluator.core.ranking.rules as m93
import evaluator.ci.policy.races as m94
import evaluator.plugins.races.contenders as m95
import evaluator.plugins.openml.exchange.amlb_results as m96
import evaluator.plugins.openml.exchange.table as m97
import evaluator.plugins.openml.exchange.openml_runs as m98
import evaluator.plugins.screening.screening as m99
import evaluator.plugins.screening.likeness as m100
import evaluator.site.boards.comparison as m101
import evaluator.plugins.samples.blocks as m102
import evaluator.site.build.data_files as m103
import evaluator.plugins.insight.study_form as m104
import evaluator.plugins.insight.plots.figure as m105
import evaluator.core.scores.climbing as m106
import evaluator.ci.scores.earlier as m107
import evaluator.core.scores.sealing as m108
import evaluator.ci.scores.encryption as m109
import evaluator.ci.scores.collecting as m110
import evaluator.plugins.sealed.opening as m111
import evaluator.ci.steps.submit as m112
import evaluator.plugins.sealed.sealing as m113
import evaluator.core.formats.settings as m114
import evaluator.plugins.attest.settings as m115
import evaluator.site.content.reading as m116
import evaluator.ci.scores.status as m117
import evaluator.ci.scores.ledger_records as m118
import evaluator.plugins.attest.signing as m119
import evaluator.importing.private_data as m120
import evaluator.plugins.attest.keys as m121
import evaluator.ci.steps.reports as m122
import evaluator.plugins.attest.reading as m123
import evaluator.plugins.attest.vouching as m124
import evaluator.plugins.dask.shared_store as m125
import evaluator.core.formats.submission as m126
import evaluator.core.cli.group as m127
import evaluator.plugins.archive.verbs as m128
import evaluator.plugins.attest.verbs as m129
import evaluator.ci.cli.collection as m130
import evaluator.plugins.codalab.codabench_bundle as m131
import evaluator.plugins.controls.verb as m132
import evaluator.plugins.courses.verbs as m133
import evaluator.plugins.feedback.verb as m134
import evaluator.plugins.forge_setup.verbs as m135
import evaluator.importing.unlocking as m136
import evaluator.plugins.insight.verbs as m137
import evaluator.plugins.logs.verb as m138
import evaluator.plugins.openml.verbs as m139
import evaluator.plugins.openml.suites.verbs as m140
import evaluator.plugins.reproduce.verb as m141
import evaluator.plugins.scaffold.verbs as m142
import evaluator.plugins.sealed.verb as m143
import evaluator.site.build.verbs as m144


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
serves(m31.RACE, m91.ALTERNATE_RACE)
fits(m92.RULES, m93.MEAN)
fits(m92.RULES, m93.FIRST_TASK)
fits(m92.RULES, m93.MEAN_RANK)
fits(m92.RULES, m93.WIN_RATE)
fits(m94.BESTS, m95.compare)
fits(m57.RESULTS_IMPORTERS, m96.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m97.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m98.IMPORTER)
fits(m57.RESULTS_IMPORTERS, m98.RUN_IMPORTER)
fits(m45.REVIEWS, m99.Screens)
fits(m45.REVIEWS, m100.Copies)
fits(m101.ROW_MARKS, m78.tie_marks)
fits(m4.SAMPLES, m102.board_samples)
fits(m103.SCHEMA_TYPES, m104.AnalysisData)
fits(m103.SCHEMA_TYPES, m104.ConfidenceData)
fits(m103.SCHEMA_TYPES, m105.PlotsData)
fits(m103.SCHEMA_TYPES, m105.FigureData)
fits(m103.SCHEMA_TYPES, m24.Suite)
fits(m103.SCHEMA_TYPES, m6.RecordsData)
serves(m106.EARLIER, m107.earlier_scores)
serves(m108.CLOSE, m109.close)
serves(m110.DUE, m111.due_names)
serves(m112.SEAL_ENTRY, m113.seal_entry)
serves(m108.OPEN, m109.open_envelope)
serves(m108.SEAL, m109.seal)
fits(m114.Settings.plugin_keys, m115.Attest)
fits(m114.Settings.plugin_keys, m9.PolicySettings)
fits(m114.Settings.plugin_keys, m18.SiteSettings)
fits(m116.SITE_STATUS, m117.read_status)
serves(m118.KEEP, m119.sign_records)
serves(m118.KEPT, m119.signed_records)
serves(m120.NEW_SIGNING_KEY, m121.new_key)
serves(m118.SIGN, m119.sign_scores)
serves(m122.TIP, m123.tip)
serves(m116.VOUCH, m124.vouch)
serves(m31.SHARED_FOLDERS, m125.shared_store)
fits(m126.SubmissionFile.plugin_keys, m10.TermsAccepted)
fits(m126.SubmissionFile.plugin_keys, m28.BasedOn)
fits(m127.VERBS, m85.validate)
fits(m127.VERBS, m87.plan)
fits(m127.VERBS, m87.run)
fits(m127.VERBS, m41.leaderboard)
fits(m127.VERBS, m128.archive)
fits(m127.VERBS, m128.restore)
fits(m127.VERBS, m129.verify)
fits(m127.VERBS, m129.attest)
fits(m127.VERBS, m81.submit)
fits(m127.VERBS, m130.rerun)
fits(m127.VERBS, m130.withdraw)
fits(m127.VERBS, m130.disqualify)
fits(m127.VERBS, m130.overdue)
fits(m127.VERBS, m81.pr)
fits(m127.VERBS, m130.commit)
fits(m127.VERBS, m130.collect)
fits(m127.VERBS, m130.hand_in)
fits(m127.VERBS, m131.export)
fits(m127.VERBS, m132.controls)
fits(m127.VERBS, m133.grades)
fits(m127.VERBS, m133.participants)
fits(m127.VERBS, m134.feedback)
fits(m127.VERBS, m135.github)
fits(m127.VERBS, m57.imports)
fits(m127.VERBS, m120.pin)
fits(m127.VERBS, m120.keygen)
fits(m127.VERBS, m136.unlock)
fits(m127.VERBS, m137.analyze)
fits(m127.VERBS, m138.log)
fits(m127.VERBS, m139.results)
fits(m127.VERBS, m140.suite)
fits(m127.VERBS, m141.reproduce)
fits(m127.VERBS, m142.enter)
fits(m127.VERBS, m142.init)
fits(m127.VERBS, m142.fact_sheet)
fits(m127.VERBS, m142.solutions)
fits(m127.VERBS, m143.unseal)
fits(m127.VERBS, m144.site)
fits(m129.FURTHER, m111.verify_sealed)
