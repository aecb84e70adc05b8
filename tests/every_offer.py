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
import evaluator.plugins.artefacts.keys as m9
import evaluator.ci.policy.keys as m10
import evaluator.ci.policy.entrants as m11
import evaluator.plugins.code_files.checks as m12
import evaluator.plugins.controls.keys as m13
import evaluator.plugins.forms.issue_form as m14
import evaluator.plugins.races.accept as m15
import evaluator.plugins.races.passes as m16
import evaluator.plugins.reproduce.tolerance as m17
import pydantic as m18
import evaluator.plugins.samples.keys as m19
import evaluator.site.content.settings as m20
import evaluator.core.planning.rules as m21
import evaluator.plugins.courses.lateness as m22
import evaluator.plugins.datasets.tasks as m23
import evaluator.plugins.feedback.keys as m24
import evaluator.importing.checks as m25
import evaluator.plugins.openml.suites.file as m26
import evaluator.plugins.races.promoted as m27
import evaluator.plugins.screening.checks as m28
import evaluator.plugins.sealed.checks as m29
import evaluator.site.content.lineage as m30
import evaluator.core.formats.columns as m31
import evaluator.plugins.races.pass_rates as m32
import evaluator.core.compute.contents as m33
import evaluator.plugins.artefacts.fetching as m34
import evaluator.core.scores.running as m35
import evaluator.plugins.archive.archived as m36
import evaluator.core.scores.jobs as m37
import evaluator.plugins.controls.controls as m38
import evaluator.plugins.samples.curves as m39
import evaluator.core.compute.engines as m40
import evaluator.core.compute.engine.docker_engine as m41
import evaluator.plugins.host.host_kinds as m42
import evaluator.core.compute.executors as m43
import evaluator.plugins.dask.executor as m44
import evaluator.core.cli.boards as m45
import evaluator.core.leaderboard.tables as m46
import evaluator.site.boards.exports.board_json as m47
import evaluator.site.boards.exports.paper_tables as m48
import evaluator.ci.policy.reviews as m49
import evaluator.plugins.feedback.feedback as m50
import evaluator.plugins.insight.insight as m51
import evaluator.plugins.insight.plots.over_time as m52
import evaluator.plugins.insight.plots.trade_off as m53
import evaluator.plugins.insight.plots.curves as m54
import evaluator.plugins.insight.plots.distribution as m55
import evaluator.plugins.insight.plots.difficulty as m56
import evaluator.plugins.insight.plots.ranks as m57
import evaluator.ci.policy.ownership as m58
import evaluator.core.git.repository as m59
import evaluator.ci.git.advice as m60
import evaluator.core.planning.snapshot as m61
import evaluator.importing.verb as m62
import evaluator.plugins.openml.amlb.adding as m63
import evaluator.plugins.codalab.importer as m64
import evaluator.plugins.openml.tasks.importing as m65
import evaluator.plugins.openml.amlb.importing as m66
import evaluator.plugins.openml.suites.importing as m67
import evaluator.ci.steps.change_table as m68
import evaluator.ci.scores.record_faults as m69
import evaluator.core.formats.kinds.kind as m70
import evaluator.core.formats.kinds.code as m71
import evaluator.core.formats.kinds.results as m72
import evaluator.plugins.cited_scores.kind as m73
import evaluator.plugins.datasets.kind as m74
import evaluator.plugins.sealed.kind as m75
import evaluator.core.compute.worker as m76
import evaluator.plugins.parallel.playing as m77
import evaluator.core.planning.deadlines as m78
import evaluator.core.git.commands as m79
import evaluator.ci.git.partial_clone as m80
import evaluator.plugins.sealed.keys as m81
import evaluator.site.boards.ranking_note as m82
import evaluator.plugins.reproduce.ties as m83
import evaluator.core.planning.plan as m84
import evaluator.ci.ledger.quotas as m85
import evaluator.ci.cli.pulls as m86
import evaluator.plugins.screening.verb as m87
import evaluator.importing.private_parts as m88
import evaluator.core.planning.entries as m89
import evaluator.core.cli.submissions as m90
import evaluator.ci.steps.receive as m91
import evaluator.core.cli.evaluation as m92
import evaluator.ci.git.amounts as m93
import evaluator.ci.ledger.queues as m94
import evaluator.ci.steps.draft as m95
import evaluator.core.scores.turns as m96
import evaluator.plugins.races.turns as m97
import evaluator.core.ranking.rule as m98
import evaluator.core.ranking.rules as m99
import evaluator.ci.policy.races as m100
import evaluator.plugins.races.contenders as m101
import evaluator.plugins.openml.exchange.amlb_results as m102
import evaluator.plugins.openml.exchange.table as m103
import evaluator.plugins.openml.exchange.openml_runs as m104
import evaluator.plugins.screening.screening as m105
import evaluator.plugins.screening.likeness as m106
import evaluator.site.boards.comparison as m107
import evaluator.plugins.samples.blocks as m108
import evaluator.site.build.data_files as m109
import evaluator.plugins.insight.study_form as m110
import evaluator.plugins.insight.plots.figure as m111
import evaluator.core.scores.climbing as m112
import evaluator.ci.scores.earlier as m113
import evaluator.core.scores.sealing as m114
import evaluator.ci.scores.encryption as m115
import evaluator.ci.scores.collecting as m116
import evaluator.plugins.sealed.opening as m117
import evaluator.ci.steps.submit as m118
import evaluator.plugins.sealed.sealing as m119
import evaluator.core.formats.settings as m120
import evaluator.plugins.attest.settings as m121
import evaluator.site.content.reading as m122
import evaluator.ci.scores.status as m123
import evaluator.ci.scores.ledger_records as m124
import evaluator.plugins.attest.signing as m125
import evaluator.importing.private_data as m126
import evaluator.plugins.attest.keys as m127
import evaluator.ci.steps.reports as m128
import evaluator.plugins.attest.reading as m129
import evaluator.plugins.attest.vouching as m130
import evaluator.plugins.dask.shared_store as m131
import evaluator.core.formats.submission as m132
import evaluator.core.cli.group as m133
import evaluator.plugins.archive.verbs as m134
import evaluator.plugins.artefacts.verb as m135
import evaluator.plugins.attest.verbs as m136
import evaluator.ci.cli.collection as m137
import evaluator.plugins.codalab.codabench_bundle as m138
import evaluator.plugins.controls.verb as m139
import evaluator.plugins.courses.verbs as m140
import evaluator.plugins.feedback.verb as m141
import evaluator.plugins.forge_setup.verbs as m142
import evaluator.plugins.forms.verbs as m143
import evaluator.importing.unlocking as m144
import evaluator.plugins.insight.verbs as m145
import evaluator.plugins.logs.verb as m146
import evaluator.plugins.openml.verbs as m147
import evaluator.plugins.openml.suites.verbs as m148
import evaluator.plugins.reproduce.verb as m149
import evaluator.plugins.scaffold.verbs as m150
import evaluator.plugins.sealed.verb as m151
import evaluator.site.build.verbs as m152


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


fits(m0.ATTACHMENTS, m1.DETAILED_PAGE)
fits(m0.ATTACHMENTS, m2.RACE_ATTACHMENT)
fits(m0.ATTACHMENTS, m3.SAMPLE_FILE)
fits(m0.ATTACHMENTS, m3.CURVE_FILE)
fits(m4.BOARD_PAGES, m5.controls_page)
fits(m4.BOARD_PAGES, m6.records_page)
fits(m4.BOARD_PAGES, m7.samples_page)
fits(m8.Extension.plugin_keys, m9.Limit)
fits(m8.Extension.plugin_keys, m10.Policy)
fits(m8.Extension.plugin_keys, m11.Participants)
fits(m8.Extension.plugin_keys, m11.AcceptTerms)
fits(m8.Extension.plugin_keys, m12.CodeFiles)
fits(m8.Extension.plugin_keys, m13.Controls)
fits(m8.Extension.plugin_keys, m14.IssueForm)
fits(m8.Extension.plugin_keys, m15.Accept)
fits(m8.Extension.plugin_keys, m16.Passes)
fits(m8.Extension.plugin_keys, m17.Tolerances)
fits(m8.Extension.plugin_keys, m18.StrictBool)
fits(m8.Extension.plugin_keys, m19.CurvesKey)
fits(m8.Extension.plugin_keys, m20.Citation)
fits(m8.Extension.plugin_keys, m20.Tags)
fits(m21.CHECKS, m9.check_artefacts)
fits(m21.CHECKS, m12.check_files)
fits(m21.CHECKS, m13.check_controls)
fits(m21.CHECKS, m22.check_deadlines)
fits(m21.CHECKS, m23.check_datasets)
fits(m21.CHECKS, m24.check_feedback)
fits(m21.CHECKS, m14.check_forms)
fits(m21.CHECKS, m25.check_bundles)
fits(m21.CHECKS, m26.check_suites)
fits(m21.CHECKS, m15.check_accept)
fits(m21.CHECKS, m16.check_passes)
fits(m21.CHECKS, m27.check_phases)
fits(m21.CHECKS, m17.check_tolerances)
fits(m21.CHECKS, m28.check_screens)
fits(m21.CHECKS, m29.check_sealed)
fits(m21.CHECKS, m30.check_lineage)
fits(m31.FURTHER_COLUMNS, m32.pass_columns)
fits(m31.FURTHER_COLUMNS, m19.area_columns)
fits(m33.COMPLETED_SUBMISSIONS, m34.complete)
fits(m35.CONTENT_SOURCES, m36.fetch_archived)
fits(m37.CONTROLS, m38.Controls)
fits(m4.CURVES, m39.board_curves)
fits(m40.ENGINES, m41.DOCKER)
fits(m40.ENGINES, m42.SUBPROCESS)
fits(m40.ENGINES, m42.WARM)
fits(m21.ENTRY_RULES, m21.score_rules)
fits(m21.ENTRY_RULES, m9.entry_rules)
fits(m21.ENTRY_RULES, m11.entrant_rules)
fits(m21.ENTRY_RULES, m10.policy_rules)
fits(m21.ENTRY_RULES, m22.late_rules)
fits(m21.ENTRY_RULES, m24.feedback_rules)
fits(m43.EXECUTORS, m43.LocalExecutor)
fits(m43.EXECUTORS, m44.DaskExecutor)
fits(m45.EXPORTERS, m46.to_text)
fits(m45.EXPORTERS, m46.to_csv)
fits(m45.EXPORTERS, m47.to_json)
fits(m45.EXPORTERS, m48.to_latex)
fits(m45.EXPORTERS, m48.to_markdown)
fits(m49.FEEDBACK, m50.PRIVATE)
fits(m51.FIGURES, m52.over_time)
fits(m51.FIGURES, m53.against_time)
fits(m51.FIGURES, m53.against_memory)
fits(m51.FIGURES, m53.against_cost)
fits(m51.FIGURES, m54.curves)
fits(m51.FIGURES, m55.distribution)
fits(m51.FIGURES, m56.difficulty)
fits(m51.FIGURES, m57.ranks)
fits(m58.FILES_ELSEWHERE, m9.addresses_of)
fits(m59.ADVICE, m60.what_to_do)
fits(m61.GROWTH, m23.with_datasets)
fits(m62.ImportGroup.contract, m63.amlb_framework)
fits(m62.IMPORTERS, m64.IMPORTER)
fits(m62.IMPORTERS, m65.IMPORTER)
fits(m62.IMPORTERS, m66.IMPORTER)
fits(m62.IMPORTERS, m67.IMPORTER)
fits(m68.CONCLUDES, m51.INSIGHT)
fits(m4.INSIGHTS, m51.INSIGHT)
fits(m37.JOB_KEYS, m9.artefacts_of)
serves(m35.RECORD_FAULT, m69.record_fault)
fits(m70.KINDS, m71.CODE)
fits(m70.KINDS, m72.RESULTS)
fits(m70.KINDS, m73.REPORTED_SCORES)
fits(m70.KINDS, m74.DATA_SET)
fits(m70.KINDS, m75.SEALED)
serves(m76.PLAY, m77.play)
fits(m78.MORE_TIME, m22.more_time)
fits(m79.OBJECT_SOURCES, m80.fetch_missing)
fits(m8.PhaseExtension.plugin_keys, m10.OpenEntries)
fits(m8.PhaseExtension.plugin_keys, m22.Late)
fits(m8.PhaseExtension.plugin_keys, m22.Until)
fits(m8.PhaseExtension.plugin_keys, m24.FeedbackKey)
fits(m8.PhaseExtension.plugin_keys, m27.Promote)
fits(m8.PhaseExtension.plugin_keys, m81.Seal)
fits(m82.PHASE_NOTES, m27.note)
fits(m82.PHASE_NOTES, m83.note)
fits(m82.PHASE_NOTES, m29.note)
fits(m84.POLICIES, m85.local_quotas)
fits(m84.POLICIES, m27.policy)
fits(m86._Steps.contract, m87.screen)
serves(m35.PRIVATE_PARTS, m88.LocalPrivateParts)
fits(m89.PROMOTIONS, m27.promoted)
serves(m90.JUDGE, m91.judge_branches)
serves(m92.MERGE, m91.merge_branches)
serves(m92.OVERSIZED, m93.oversized)
serves(m92.TO_MATRIX, m94.to_matrix)
serves(m90.VALIDATE_HERE, m95.validate_here)
serves(m96.RACE, m97.ALTERNATE_RACE)
fits(m98.RULES, m99.MEAN)
fits(m98.RULES, m99.FIRST_TASK)
fits(m98.RULES, m99.MEAN_RANK)
fits(m98.RULES, m99.WIN_RATE)
fits(m100.BESTS, m101.compare)
fits(m62.RESULTS_IMPORTERS, m102.IMPORTER)
fits(m62.RESULTS_IMPORTERS, m103.IMPORTER)
fits(m62.RESULTS_IMPORTERS, m104.IMPORTER)
fits(m62.RESULTS_IMPORTERS, m104.RUN_IMPORTER)
fits(m49.REVIEWS, m105.Screens)
fits(m49.REVIEWS, m106.Copies)
fits(m107.ROW_MARKS, m83.tie_marks)
fits(m4.SAMPLES, m108.board_samples)
fits(m109.SCHEMA_TYPES, m110.AnalysisData)
fits(m109.SCHEMA_TYPES, m110.ConfidenceData)
fits(m109.SCHEMA_TYPES, m111.PlotsData)
fits(m109.SCHEMA_TYPES, m111.FigureData)
fits(m109.SCHEMA_TYPES, m26.Suite)
fits(m109.SCHEMA_TYPES, m6.RecordsData)
serves(m112.EARLIER, m113.earlier_scores)
serves(m114.CLOSE, m115.close)
serves(m116.DUE, m117.due_names)
serves(m118.SEAL_ENTRY, m119.seal_entry)
serves(m114.OPEN, m115.open_envelope)
serves(m114.SEAL, m115.seal)
fits(m120.Settings.plugin_keys, m9.Origins)
fits(m120.Settings.plugin_keys, m121.Attest)
fits(m120.Settings.plugin_keys, m10.PolicySettings)
fits(m120.Settings.plugin_keys, m20.SiteSettings)
fits(m122.SITE_STATUS, m123.read_status)
serves(m124.KEEP, m125.sign_records)
serves(m124.KEPT, m125.signed_records)
serves(m126.NEW_SIGNING_KEY, m127.new_key)
serves(m124.SIGN, m125.sign_scores)
serves(m128.TIP, m129.tip)
serves(m122.VOUCH, m130.vouch)
serves(m35.SHARED_FOLDERS, m131.shared_store)
fits(m132.SubmissionFile.plugin_keys, m9.Addresses)
fits(m132.SubmissionFile.plugin_keys, m11.TermsAccepted)
fits(m132.SubmissionFile.plugin_keys, m30.BasedOn)
fits(m133.VERBS, m90.validate)
fits(m133.VERBS, m92.plan)
fits(m133.VERBS, m92.run)
fits(m133.VERBS, m45.leaderboard)
fits(m133.VERBS, m134.archive)
fits(m133.VERBS, m134.restore)
fits(m133.VERBS, m135.point)
fits(m133.VERBS, m136.verify)
fits(m133.VERBS, m136.attest)
fits(m133.VERBS, m86.submit)
fits(m133.VERBS, m137.rerun)
fits(m133.VERBS, m137.withdraw)
fits(m133.VERBS, m137.disqualify)
fits(m133.VERBS, m137.overdue)
fits(m133.VERBS, m86.pr)
fits(m133.VERBS, m137.commit)
fits(m133.VERBS, m137.collect)
fits(m133.VERBS, m137.hand_in)
fits(m133.VERBS, m138.export)
fits(m133.VERBS, m139.controls)
fits(m133.VERBS, m140.grades)
fits(m133.VERBS, m140.participants)
fits(m133.VERBS, m141.feedback)
fits(m133.VERBS, m142.github)
fits(m133.VERBS, m143.forms)
fits(m133.VERBS, m62.imports)
fits(m133.VERBS, m126.pin)
fits(m133.VERBS, m126.keygen)
fits(m133.VERBS, m144.unlock)
fits(m133.VERBS, m145.analyze)
fits(m133.VERBS, m146.log)
fits(m133.VERBS, m147.results)
fits(m133.VERBS, m148.suite)
fits(m133.VERBS, m149.reproduce)
fits(m133.VERBS, m150.enter)
fits(m133.VERBS, m150.init)
fits(m133.VERBS, m150.fact_sheet)
fits(m133.VERBS, m150.solutions)
fits(m133.VERBS, m151.unseal)
fits(m133.VERBS, m152.site)
fits(m136.FURTHER, m117.verify_sealed)
fits(m150.WRITTEN, m14.write_forms)
