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
import evaluator.plugins.courses.lateness as m19
import evaluator.plugins.datasets.tasks as m20
import evaluator.plugins.feedback.keys as m21
import evaluator.importing.checks as m22
import evaluator.plugins.openml.suites.file as m23
import evaluator.plugins.races.promoted as m24
import evaluator.plugins.screening.checks as m25
import evaluator.plugins.sealed.checks as m26
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
import evaluator.plugins.sealed.kind as m69
import evaluator.core.compute.worker as m70
import evaluator.plugins.parallel.playing as m71
import evaluator.core.planning.deadlines as m72
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
import evaluator.core.scores.climbing as m104
import evaluator.ci.scores.earlier as m105
import evaluator.core.scores.sealing as m106
import evaluator.ci.scores.encryption as m107
import evaluator.ci.scores.collecting as m108
import evaluator.plugins.sealed.opening as m109
import evaluator.ci.steps.submit as m110
import evaluator.plugins.sealed.sealing as m111
import evaluator.core.formats.settings as m112
import evaluator.plugins.attest.settings as m113
import evaluator.site.content.reading as m114
import evaluator.ci.scores.status as m115
import evaluator.ci.scores.ledger_records as m116
import evaluator.plugins.attest.signing as m117
import evaluator.importing.private_data as m118
import evaluator.plugins.attest.keys as m119
import evaluator.ci.steps.reports as m120
import evaluator.plugins.attest.reading as m121
import evaluator.plugins.attest.vouching as m122
import evaluator.plugins.dask.shared_store as m123
import evaluator.core.formats.submission as m124
import evaluator.core.cli.group as m125
import evaluator.plugins.archive.verbs as m126
import evaluator.plugins.attest.verbs as m127
import evaluator.ci.cli.collection as m128
import evaluator.plugins.codalab.codabench_bundle as m129
import evaluator.plugins.controls.verb as m130
import evaluator.plugins.courses.verbs as m131
import evaluator.plugins.feedback.verb as m132
import evaluator.plugins.forge_setup.verbs as m133
import evaluator.importing.unlocking as m134
import evaluator.plugins.insight.verbs as m135
import evaluator.plugins.logs.verb as m136
import evaluator.plugins.openml.verbs as m137
import evaluator.plugins.openml.suites.verbs as m138
import evaluator.plugins.reproduce.verb as m139
import evaluator.plugins.scaffold.verbs as m140
import evaluator.plugins.sealed.verb as m141
import evaluator.site.build.verbs as m142


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
fits(m18.CHECKS, m19.check_deadlines)
fits(m18.CHECKS, m20.check_datasets)
fits(m18.CHECKS, m21.check_feedback)
fits(m18.CHECKS, m22.check_bundles)
fits(m18.CHECKS, m23.check_suites)
fits(m18.CHECKS, m12.check_accept)
fits(m18.CHECKS, m13.check_passes)
fits(m18.CHECKS, m24.check_phases)
fits(m18.CHECKS, m14.check_tolerances)
fits(m18.CHECKS, m25.check_screens)
fits(m18.CHECKS, m26.check_sealed)
fits(m18.CHECKS, m27.check_lineage)
fits(m28.FURTHER_COLUMNS, m29.pass_columns)
fits(m28.FURTHER_COLUMNS, m16.area_columns)
fits(m30.CONTENT_SOURCES, m31.fetch_archived)
fits(m32.CONTROLS, m33.Controls)
fits(m3.CURVES, m34.board_curves)
fits(m35.ENGINES, m36.DOCKER)
fits(m35.ENGINES, m37.SUBPROCESS)
fits(m35.ENGINES, m37.WARM)
fits(m18.ENTRY_RULES, m18.score_rules)
fits(m18.ENTRY_RULES, m9.entrant_rules)
fits(m18.ENTRY_RULES, m8.policy_rules)
fits(m18.ENTRY_RULES, m19.late_rules)
fits(m18.ENTRY_RULES, m21.feedback_rules)
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
fits(m55.GROWTH, m20.with_datasets)
fits(m56.ImportGroup.contract, m57.amlb_framework)
fits(m56.IMPORTERS, m58.IMPORTER)
fits(m56.IMPORTERS, m59.IMPORTER)
fits(m56.IMPORTERS, m60.IMPORTER)
fits(m56.IMPORTERS, m61.IMPORTER)
fits(m62.CONCLUDES, m46.INSIGHT)
fits(m3.INSIGHTS, m46.INSIGHT)
serves(m30.RECORD_FAULT, m63.record_fault)
fits(m64.KINDS, m65.CODE)
fits(m64.KINDS, m66.RESULTS)
fits(m64.KINDS, m67.REPORTED_SCORES)
fits(m64.KINDS, m68.DATA_SET)
fits(m64.KINDS, m69.SEALED)
serves(m70.PLAY, m71.play)
fits(m72.MORE_TIME, m19.more_time)
fits(m73.OBJECT_SOURCES, m74.fetch_missing)
fits(m7.PhaseExtension.plugin_keys, m8.OpenEntries)
fits(m7.PhaseExtension.plugin_keys, m19.Late)
fits(m7.PhaseExtension.plugin_keys, m19.Until)
fits(m7.PhaseExtension.plugin_keys, m21.FeedbackKey)
fits(m7.PhaseExtension.plugin_keys, m24.Promote)
fits(m7.PhaseExtension.plugin_keys, m75.Seal)
fits(m76.PHASE_NOTES, m24.note)
fits(m76.PHASE_NOTES, m77.note)
fits(m76.PHASE_NOTES, m26.note)
fits(m78.POLICIES, m79.local_quotas)
fits(m78.POLICIES, m24.policy)
fits(m80._Steps.contract, m81.screen)
serves(m30.PRIVATE_PARTS, m82.LocalPrivateParts)
fits(m83.PROMOTIONS, m24.promoted)
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
fits(m56.RESULTS_IMPORTERS, m94.IMPORTER)
fits(m56.RESULTS_IMPORTERS, m95.IMPORTER)
fits(m56.RESULTS_IMPORTERS, m96.IMPORTER)
fits(m56.RESULTS_IMPORTERS, m96.RUN_IMPORTER)
fits(m44.REVIEWS, m97.Screens)
fits(m44.REVIEWS, m98.Copies)
fits(m99.ROW_MARKS, m77.tie_marks)
fits(m3.SAMPLES, m100.board_samples)
fits(m101.SCHEMA_TYPES, m102.AnalysisData)
fits(m101.SCHEMA_TYPES, m102.ConfidenceData)
fits(m101.SCHEMA_TYPES, m103.PlotsData)
fits(m101.SCHEMA_TYPES, m103.FigureData)
fits(m101.SCHEMA_TYPES, m23.Suite)
fits(m101.SCHEMA_TYPES, m5.RecordsData)
serves(m104.EARLIER, m105.earlier_scores)
serves(m106.CLOSE, m107.close)
serves(m108.DUE, m109.due_names)
serves(m110.SEAL_ENTRY, m111.seal_entry)
serves(m106.OPEN, m107.open_envelope)
serves(m106.SEAL, m107.seal)
fits(m112.Settings.plugin_keys, m113.Attest)
fits(m112.Settings.plugin_keys, m8.PolicySettings)
fits(m112.Settings.plugin_keys, m17.SiteSettings)
fits(m114.SITE_STATUS, m115.read_status)
serves(m116.KEEP, m117.sign_records)
serves(m116.KEPT, m117.signed_records)
serves(m118.NEW_SIGNING_KEY, m119.new_key)
serves(m116.SIGN, m117.sign_scores)
serves(m120.TIP, m121.tip)
serves(m114.VOUCH, m122.vouch)
serves(m30.SHARED_FOLDERS, m123.shared_store)
fits(m124.SubmissionFile.plugin_keys, m9.TermsAccepted)
fits(m124.SubmissionFile.plugin_keys, m27.BasedOn)
fits(m125.VERBS, m84.validate)
fits(m125.VERBS, m86.plan)
fits(m125.VERBS, m86.run)
fits(m125.VERBS, m40.leaderboard)
fits(m125.VERBS, m126.archive)
fits(m125.VERBS, m126.restore)
fits(m125.VERBS, m127.verify)
fits(m125.VERBS, m127.attest)
fits(m125.VERBS, m80.submit)
fits(m125.VERBS, m128.rerun)
fits(m125.VERBS, m128.withdraw)
fits(m125.VERBS, m128.disqualify)
fits(m125.VERBS, m128.overdue)
fits(m125.VERBS, m80.pr)
fits(m125.VERBS, m128.commit)
fits(m125.VERBS, m128.collect)
fits(m125.VERBS, m128.hand_in)
fits(m125.VERBS, m129.export)
fits(m125.VERBS, m130.controls)
fits(m125.VERBS, m131.grades)
fits(m125.VERBS, m131.participants)
fits(m125.VERBS, m132.feedback)
fits(m125.VERBS, m133.github)
fits(m125.VERBS, m56.imports)
fits(m125.VERBS, m118.pin)
fits(m125.VERBS, m118.keygen)
fits(m125.VERBS, m134.unlock)
fits(m125.VERBS, m135.analyze)
fits(m125.VERBS, m136.log)
fits(m125.VERBS, m137.results)
fits(m125.VERBS, m138.suite)
fits(m125.VERBS, m139.reproduce)
fits(m125.VERBS, m140.enter)
fits(m125.VERBS, m140.init)
fits(m125.VERBS, m140.fact_sheet)
fits(m125.VERBS, m140.solutions)
fits(m125.VERBS, m141.unseal)
fits(m125.VERBS, m142.site)
fits(m127.FURTHER, m109.verify_sealed)
