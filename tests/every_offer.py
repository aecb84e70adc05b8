"""Offers by contract, for mypy. Written by ``python -m tests.test_contracts``."""

# ruff: noqa: I001
from evaluator.core.plugins import Contract, Service, T
import evaluator.core.formats.attachments as m0
import evaluator.core.compute.scoring as m1
import evaluator.plugins.models.transcript as m2
import evaluator.plugins.races.race_file as m3
import evaluator.plugins.samples.stored as m4
import evaluator.site.content.insight as m5
import evaluator.plugins.controls.page as m6
import evaluator.plugins.races.page as m7
import evaluator.plugins.samples.page as m8
import evaluator.core.formats.extension as m9
import evaluator.plugins.artefacts.keys as m10
import evaluator.ci.policy.keys as m11
import evaluator.ci.policy.entrants as m12
import evaluator.plugins.code_files.checks as m13
import evaluator.plugins.controls.keys as m14
import evaluator.plugins.forms.issue_form as m15
import evaluator.plugins.models.keys as m16
import evaluator.plugins.races.accept as m17
import evaluator.plugins.races.passes as m18
import evaluator.plugins.reproduce.tolerance as m19
import pydantic as m20
import evaluator.plugins.samples.keys as m21
import evaluator.site.content.settings as m22
import evaluator.core.planning.rules as m23
import evaluator.plugins.courses.lateness as m24
import evaluator.plugins.datasets.tasks as m25
import evaluator.plugins.feedback.keys as m26
import evaluator.importing.checks as m27
import evaluator.plugins.openml.suites.file as m28
import evaluator.plugins.races.promoted as m29
import evaluator.plugins.screening.checks as m30
import evaluator.plugins.sealed.checks as m31
import evaluator.site.content.lineage as m32
import evaluator.core.formats.columns as m33
import evaluator.plugins.races.pass_rates as m34
import evaluator.core.compute.contents as m35
import evaluator.plugins.artefacts.fetching as m36
import evaluator.core.scores.running as m37
import evaluator.plugins.archive.archived as m38
import evaluator.core.scores.jobs as m39
import evaluator.plugins.controls.controls as m40
import evaluator.plugins.samples.curves as m41
import evaluator.core.compute.engines as m42
import evaluator.core.compute.engine.docker_engine as m43
import evaluator.plugins.host.host_kinds as m44
import evaluator.core.compute.executors as m45
import evaluator.plugins.dask.executor as m46
import evaluator.core.cli.boards as m47
import evaluator.core.leaderboard.tables as m48
import evaluator.site.boards.exports.board_json as m49
import evaluator.site.boards.exports.paper_tables as m50
import evaluator.ci.policy.reviews as m51
import evaluator.plugins.feedback.feedback as m52
import evaluator.plugins.insight.insight as m53
import evaluator.plugins.insight.plots.over_time as m54
import evaluator.plugins.insight.plots.trade_off as m55
import evaluator.plugins.insight.plots.curves as m56
import evaluator.plugins.insight.plots.distribution as m57
import evaluator.plugins.insight.plots.difficulty as m58
import evaluator.plugins.insight.plots.ranks as m59
import evaluator.ci.policy.ownership as m60
import evaluator.core.compute.gateway as m61
import evaluator.plugins.models.way_out as m62
import evaluator.core.git.repository as m63
import evaluator.ci.git.advice as m64
import evaluator.core.planning.snapshot as m65
import evaluator.importing.verb as m66
import evaluator.plugins.openml.amlb.adding as m67
import evaluator.plugins.codalab.importer as m68
import evaluator.plugins.openml.tasks.importing as m69
import evaluator.plugins.openml.amlb.importing as m70
import evaluator.plugins.openml.suites.importing as m71
import evaluator.ci.steps.change_table as m72
import evaluator.ci.scores.record_faults as m73
import evaluator.core.planning.digests as m74
import evaluator.core.formats.kinds.kind as m75
import evaluator.core.formats.kinds.code as m76
import evaluator.core.formats.kinds.results as m77
import evaluator.plugins.cited_scores.kind as m78
import evaluator.plugins.datasets.kind as m79
import evaluator.plugins.sealed.kind as m80
import evaluator.core.compute.worker as m81
import evaluator.plugins.parallel.playing as m82
import evaluator.core.planning.deadlines as m83
import evaluator.core.git.commands as m84
import evaluator.ci.git.partial_clone as m85
import evaluator.plugins.sealed.keys as m86
import evaluator.site.boards.ranking_note as m87
import evaluator.plugins.reproduce.ties as m88
import evaluator.core.planning.plan as m89
import evaluator.ci.ledger.quotas as m90
import evaluator.ci.cli.pulls as m91
import evaluator.plugins.forms.verbs as m92
import evaluator.plugins.screening.verb as m93
import evaluator.importing.handed_over as m94
import evaluator.importing.private_parts as m95
import evaluator.core.planning.entries as m96
import evaluator.core.cli.submissions as m97
import evaluator.ci.steps.receive as m98
import evaluator.core.cli.evaluation as m99
import evaluator.ci.git.amounts as m100
import evaluator.ci.ledger.queues as m101
import evaluator.ci.steps.draft as m102
import evaluator.core.scores.turns as m103
import evaluator.plugins.races.turns as m104
import evaluator.core.ranking.rule as m105
import evaluator.core.ranking.rules as m106
import evaluator.ci.policy.races as m107
import evaluator.plugins.races.contenders as m108
import evaluator.plugins.openml.exchange.amlb_results as m109
import evaluator.plugins.openml.exchange.table as m110
import evaluator.plugins.openml.exchange.openml_runs as m111
import evaluator.plugins.screening.screening as m112
import evaluator.plugins.screening.likeness as m113
import evaluator.site.boards.comparison as m114
import evaluator.plugins.samples.blocks as m115
import evaluator.site.build.data_files as m116
import evaluator.plugins.insight.study_form as m117
import evaluator.plugins.insight.plots.figure as m118
import evaluator.core.scores.climbing as m119
import evaluator.ci.scores.earlier as m120
import evaluator.core.scores.sealing as m121
import evaluator.ci.scores.encryption as m122
import evaluator.ci.scores.collecting as m123
import evaluator.plugins.sealed.opening as m124
import evaluator.ci.steps.submit as m125
import evaluator.plugins.sealed.sealing as m126
import evaluator.core.formats.settings as m127
import evaluator.plugins.attest.settings as m128
import evaluator.site.content.reading as m129
import evaluator.ci.scores.status as m130
import evaluator.ci.scores.ledger_records as m131
import evaluator.plugins.attest.signing as m132
import evaluator.importing.private_data as m133
import evaluator.plugins.attest.keys as m134
import evaluator.ci.steps.reports as m135
import evaluator.plugins.attest.reading as m136
import evaluator.plugins.attest.vouching as m137
import evaluator.plugins.dask.shared_store as m138
import evaluator.core.formats.submission as m139
import evaluator.core.cli.group as m140
import evaluator.plugins.archive.verbs as m141
import evaluator.plugins.artefacts.verb as m142
import evaluator.plugins.attest.verbs as m143
import evaluator.ci.cli.collection as m144
import evaluator.plugins.codalab.codabench_bundle as m145
import evaluator.plugins.controls.verb as m146
import evaluator.plugins.courses.verbs as m147
import evaluator.plugins.feedback.verb as m148
import evaluator.plugins.forge_setup.verbs as m149
import evaluator.importing.unlocking as m150
import evaluator.plugins.insight.verbs as m151
import evaluator.plugins.logs.verb as m152
import evaluator.plugins.openml.verbs as m153
import evaluator.plugins.openml.suites.verbs as m154
import evaluator.plugins.reproduce.verb as m155
import evaluator.plugins.scaffold.verbs as m156
import evaluator.plugins.sealed.verb as m157
import evaluator.site.build.verbs as m158


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


fits(m0.ATTACHMENTS, m1.DETAILED_PAGE)
fits(m0.ATTACHMENTS, m2.TRANSCRIPT_FILE)
fits(m0.ATTACHMENTS, m3.RACE_ATTACHMENT)
fits(m0.ATTACHMENTS, m4.SAMPLE_FILE)
fits(m0.ATTACHMENTS, m4.CURVE_FILE)
fits(m5.BOARD_PAGES, m6.controls_page)
fits(m5.BOARD_PAGES, m7.records_page)
fits(m5.BOARD_PAGES, m8.samples_page)
fits(m9.Extension.plugin_keys, m10.Limit)
fits(m9.Extension.plugin_keys, m11.Policy)
fits(m9.Extension.plugin_keys, m12.Participants)
fits(m9.Extension.plugin_keys, m12.AcceptTerms)
fits(m9.Extension.plugin_keys, m13.CodeFiles)
fits(m9.Extension.plugin_keys, m14.Controls)
fits(m9.Extension.plugin_keys, m15.IssueForm)
fits(m9.Extension.plugin_keys, m16.Models)
fits(m9.Extension.plugin_keys, m17.Accept)
fits(m9.Extension.plugin_keys, m18.Passes)
fits(m9.Extension.plugin_keys, m19.Tolerances)
fits(m9.Extension.plugin_keys, m20.StrictBool)
fits(m9.Extension.plugin_keys, m21.CurvesKey)
fits(m9.Extension.plugin_keys, m22.Citation)
fits(m9.Extension.plugin_keys, m22.Tags)
fits(m23.CHECKS, m10.check_artefacts)
fits(m23.CHECKS, m13.check_files)
fits(m23.CHECKS, m14.check_controls)
fits(m23.CHECKS, m24.check_deadlines)
fits(m23.CHECKS, m25.check_datasets)
fits(m23.CHECKS, m26.check_feedback)
fits(m23.CHECKS, m15.check_forms)
fits(m23.CHECKS, m27.check_bundles)
fits(m23.CHECKS, m16.check_models)
fits(m23.CHECKS, m28.check_suites)
fits(m23.CHECKS, m17.check_accept)
fits(m23.CHECKS, m18.check_passes)
fits(m23.CHECKS, m29.check_phases)
fits(m23.CHECKS, m19.check_tolerances)
fits(m23.CHECKS, m30.check_screens)
fits(m23.CHECKS, m31.check_sealed)
fits(m23.CHECKS, m32.check_lineage)
fits(m33.FURTHER_COLUMNS, m16.spent_columns)
fits(m33.FURTHER_COLUMNS, m34.pass_columns)
fits(m33.FURTHER_COLUMNS, m21.area_columns)
fits(m35.COMPLETED_SUBMISSIONS, m36.complete)
fits(m37.CONTENT_SOURCES, m38.fetch_archived)
fits(m39.CONTROLS, m40.Controls)
fits(m5.CURVES, m41.board_curves)
fits(m42.ENGINES, m43.DOCKER)
fits(m42.ENGINES, m44.SUBPROCESS)
fits(m42.ENGINES, m44.WARM)
fits(m23.ENTRY_RULES, m23.score_rules)
fits(m23.ENTRY_RULES, m10.entry_rules)
fits(m23.ENTRY_RULES, m12.entrant_rules)
fits(m23.ENTRY_RULES, m11.policy_rules)
fits(m23.ENTRY_RULES, m24.late_rules)
fits(m23.ENTRY_RULES, m26.feedback_rules)
fits(m45.EXECUTORS, m45.LocalExecutor)
fits(m45.EXECUTORS, m46.DaskExecutor)
fits(m47.EXPORTERS, m48.to_text)
fits(m47.EXPORTERS, m48.to_csv)
fits(m47.EXPORTERS, m49.to_json)
fits(m47.EXPORTERS, m50.to_latex)
fits(m47.EXPORTERS, m50.to_markdown)
fits(m51.FEEDBACK, m52.PRIVATE)
fits(m53.FIGURES, m54.over_time)
fits(m53.FIGURES, m55.against_time)
fits(m53.FIGURES, m55.against_memory)
fits(m53.FIGURES, m55.against_cost)
fits(m53.FIGURES, m56.curves)
fits(m53.FIGURES, m57.distribution)
fits(m53.FIGURES, m58.difficulty)
fits(m53.FIGURES, m59.ranks)
fits(m60.FILES_ELSEWHERE, m10.addresses_of)
fits(m61.GATEWAYS, m62.GATEWAY)
fits(m63.ADVICE, m64.what_to_do)
fits(m65.GROWTH, m25.with_datasets)
fits(m66.ImportGroup.contract, m67.amlb_framework)
fits(m66.IMPORTERS, m68.IMPORTER)
fits(m66.IMPORTERS, m69.IMPORTER)
fits(m66.IMPORTERS, m70.IMPORTER)
fits(m66.IMPORTERS, m71.IMPORTER)
fits(m72.CONCLUDES, m53.INSIGHT)
fits(m5.INSIGHTS, m53.INSIGHT)
fits(m39.JOB_KEYS, m10.artefacts_of)
serves(m37.RECORD_FAULT, m73.record_fault)
fits(m74.KEY_PARTS, m16.key_part)
fits(m75.KINDS, m76.CODE)
fits(m75.KINDS, m77.RESULTS)
fits(m75.KINDS, m78.REPORTED_SCORES)
fits(m75.KINDS, m79.DATA_SET)
fits(m75.KINDS, m80.SEALED)
serves(m81.PLAY, m82.play)
fits(m83.MORE_TIME, m24.more_time)
fits(m84.OBJECT_SOURCES, m85.fetch_missing)
fits(m9.PhaseExtension.plugin_keys, m11.OpenEntries)
fits(m9.PhaseExtension.plugin_keys, m24.Late)
fits(m9.PhaseExtension.plugin_keys, m24.Until)
fits(m9.PhaseExtension.plugin_keys, m26.FeedbackKey)
fits(m9.PhaseExtension.plugin_keys, m29.Promote)
fits(m9.PhaseExtension.plugin_keys, m86.Seal)
fits(m87.PHASE_NOTES, m29.note)
fits(m87.PHASE_NOTES, m88.note)
fits(m87.PHASE_NOTES, m31.note)
fits(m89.POLICIES, m90.local_quotas)
fits(m89.POLICIES, m29.policy)
fits(m91._Steps.contract, m92.download)
fits(m91._Steps.contract, m92.enter)
fits(m91._Steps.contract, m93.screen)
serves(m37.HAND_OVER, m94.close_predictions)
serves(m37.PRIVATE_PARTS, m95.LocalPrivateParts)
fits(m96.PROMOTIONS, m29.promoted)
serves(m97.JUDGE, m98.judge_branches)
serves(m99.MERGE, m98.merge_branches)
serves(m99.OVERSIZED, m100.oversized)
serves(m99.TO_MATRIX, m101.to_matrix)
serves(m97.VALIDATE_HERE, m102.validate_here)
serves(m103.RACE, m104.ALTERNATE_RACE)
fits(m105.RULES, m106.MEAN)
fits(m105.RULES, m106.FIRST_TASK)
fits(m105.RULES, m106.MEAN_RANK)
fits(m105.RULES, m106.WIN_RATE)
fits(m107.BESTS, m108.compare)
fits(m66.RESULTS_IMPORTERS, m109.IMPORTER)
fits(m66.RESULTS_IMPORTERS, m110.IMPORTER)
fits(m66.RESULTS_IMPORTERS, m111.IMPORTER)
fits(m66.RESULTS_IMPORTERS, m111.RUN_IMPORTER)
fits(m51.REVIEWS, m112.Screens)
fits(m51.REVIEWS, m113.Copies)
fits(m114.ROW_MARKS, m88.tie_marks)
fits(m5.SAMPLES, m115.board_samples)
fits(m116.SCHEMA_TYPES, m117.AnalysisData)
fits(m116.SCHEMA_TYPES, m117.ConfidenceData)
fits(m116.SCHEMA_TYPES, m118.PlotsData)
fits(m116.SCHEMA_TYPES, m118.FigureData)
fits(m116.SCHEMA_TYPES, m28.Suite)
fits(m116.SCHEMA_TYPES, m7.RecordsData)
serves(m119.EARLIER, m120.earlier_scores)
serves(m121.CLOSE, m122.close)
serves(m123.DUE, m124.due_names)
serves(m125.SEAL_ENTRY, m126.seal_entry)
serves(m121.OPEN, m122.open_envelope)
serves(m121.SEAL, m122.seal)
fits(m127.Settings.plugin_keys, m10.Origins)
fits(m127.Settings.plugin_keys, m128.Attest)
fits(m127.Settings.plugin_keys, m11.PolicySettings)
fits(m127.Settings.plugin_keys, m22.SiteSettings)
fits(m129.SITE_STATUS, m130.read_status)
serves(m131.KEEP, m132.sign_records)
serves(m131.KEPT, m132.signed_records)
serves(m133.NEW_SIGNING_KEY, m134.new_key)
serves(m131.SIGN, m132.sign_scores)
serves(m135.TIP, m136.tip)
serves(m129.VOUCH, m137.vouch)
serves(m37.SHARED_FOLDERS, m138.shared_store)
fits(m139.SubmissionFile.plugin_keys, m10.Addresses)
fits(m139.SubmissionFile.plugin_keys, m12.TermsAccepted)
fits(m139.SubmissionFile.plugin_keys, m32.BasedOn)
fits(m140.VERBS, m97.validate)
fits(m140.VERBS, m99.plan)
fits(m140.VERBS, m99.run)
fits(m140.VERBS, m47.leaderboard)
fits(m140.VERBS, m141.archive)
fits(m140.VERBS, m141.restore)
fits(m140.VERBS, m142.point)
fits(m140.VERBS, m143.verify)
fits(m140.VERBS, m143.attest)
fits(m140.VERBS, m91.submit)
fits(m140.VERBS, m144.rerun)
fits(m140.VERBS, m144.withdraw)
fits(m140.VERBS, m144.disqualify)
fits(m140.VERBS, m144.overdue)
fits(m140.VERBS, m91.pr)
fits(m140.VERBS, m144.commit)
fits(m140.VERBS, m144.collect)
fits(m140.VERBS, m144.hand_in)
fits(m140.VERBS, m145.export)
fits(m140.VERBS, m146.controls)
fits(m140.VERBS, m147.grades)
fits(m140.VERBS, m147.participants)
fits(m140.VERBS, m148.feedback)
fits(m140.VERBS, m149.github)
fits(m140.VERBS, m92.forms)
fits(m140.VERBS, m66.imports)
fits(m140.VERBS, m133.pin)
fits(m140.VERBS, m133.keygen)
fits(m140.VERBS, m150.unlock)
fits(m140.VERBS, m151.analyze)
fits(m140.VERBS, m152.log)
fits(m140.VERBS, m153.results)
fits(m140.VERBS, m154.suite)
fits(m140.VERBS, m155.reproduce)
fits(m140.VERBS, m156.enter)
fits(m140.VERBS, m156.init)
fits(m140.VERBS, m156.fact_sheet)
fits(m140.VERBS, m156.solutions)
fits(m140.VERBS, m157.unseal)
fits(m140.VERBS, m158.site)
fits(m143.FURTHER, m124.verify_sealed)
fits(m156.WRITTEN, m15.write_forms)
