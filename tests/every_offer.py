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
import evaluator.plugins.screening.verb as m92
import evaluator.importing.private_parts as m93
import evaluator.core.planning.entries as m94
import evaluator.core.cli.submissions as m95
import evaluator.ci.steps.receive as m96
import evaluator.core.cli.evaluation as m97
import evaluator.ci.git.amounts as m98
import evaluator.ci.ledger.queues as m99
import evaluator.ci.steps.draft as m100
import evaluator.core.scores.turns as m101
import evaluator.plugins.races.turns as m102
import evaluator.core.ranking.rule as m103
import evaluator.core.ranking.rules as m104
import evaluator.ci.policy.races as m105
import evaluator.plugins.races.contenders as m106
import evaluator.plugins.openml.exchange.amlb_results as m107
import evaluator.plugins.openml.exchange.table as m108
import evaluator.plugins.openml.exchange.openml_runs as m109
import evaluator.plugins.screening.screening as m110
import evaluator.plugins.screening.likeness as m111
import evaluator.site.boards.comparison as m112
import evaluator.plugins.samples.blocks as m113
import evaluator.site.build.data_files as m114
import evaluator.plugins.insight.study_form as m115
import evaluator.plugins.insight.plots.figure as m116
import evaluator.core.scores.climbing as m117
import evaluator.ci.scores.earlier as m118
import evaluator.core.scores.sealing as m119
import evaluator.ci.scores.encryption as m120
import evaluator.ci.scores.collecting as m121
import evaluator.plugins.sealed.opening as m122
import evaluator.ci.steps.submit as m123
import evaluator.plugins.sealed.sealing as m124
import evaluator.core.formats.settings as m125
import evaluator.plugins.attest.settings as m126
import evaluator.site.content.reading as m127
import evaluator.ci.scores.status as m128
import evaluator.ci.scores.ledger_records as m129
import evaluator.plugins.attest.signing as m130
import evaluator.importing.private_data as m131
import evaluator.plugins.attest.keys as m132
import evaluator.ci.steps.reports as m133
import evaluator.plugins.attest.reading as m134
import evaluator.plugins.attest.vouching as m135
import evaluator.plugins.dask.shared_store as m136
import evaluator.core.formats.submission as m137
import evaluator.core.cli.group as m138
import evaluator.plugins.archive.verbs as m139
import evaluator.plugins.artefacts.verb as m140
import evaluator.plugins.attest.verbs as m141
import evaluator.ci.cli.collection as m142
import evaluator.plugins.codalab.codabench_bundle as m143
import evaluator.plugins.controls.verb as m144
import evaluator.plugins.courses.verbs as m145
import evaluator.plugins.feedback.verb as m146
import evaluator.plugins.forge_setup.verbs as m147
import evaluator.plugins.forms.verbs as m148
import evaluator.importing.unlocking as m149
import evaluator.plugins.insight.verbs as m150
import evaluator.plugins.logs.verb as m151
import evaluator.plugins.openml.verbs as m152
import evaluator.plugins.openml.suites.verbs as m153
import evaluator.plugins.reproduce.verb as m154
import evaluator.plugins.scaffold.verbs as m155
import evaluator.plugins.sealed.verb as m156
import evaluator.site.build.verbs as m157


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
fits(m91._Steps.contract, m92.screen)
serves(m37.PRIVATE_PARTS, m93.LocalPrivateParts)
fits(m94.PROMOTIONS, m29.promoted)
serves(m95.JUDGE, m96.judge_branches)
serves(m97.MERGE, m96.merge_branches)
serves(m97.OVERSIZED, m98.oversized)
serves(m97.TO_MATRIX, m99.to_matrix)
serves(m95.VALIDATE_HERE, m100.validate_here)
serves(m101.RACE, m102.ALTERNATE_RACE)
fits(m103.RULES, m104.MEAN)
fits(m103.RULES, m104.FIRST_TASK)
fits(m103.RULES, m104.MEAN_RANK)
fits(m103.RULES, m104.WIN_RATE)
fits(m105.BESTS, m106.compare)
fits(m66.RESULTS_IMPORTERS, m107.IMPORTER)
fits(m66.RESULTS_IMPORTERS, m108.IMPORTER)
fits(m66.RESULTS_IMPORTERS, m109.IMPORTER)
fits(m66.RESULTS_IMPORTERS, m109.RUN_IMPORTER)
fits(m51.REVIEWS, m110.Screens)
fits(m51.REVIEWS, m111.Copies)
fits(m112.ROW_MARKS, m88.tie_marks)
fits(m5.SAMPLES, m113.board_samples)
fits(m114.SCHEMA_TYPES, m115.AnalysisData)
fits(m114.SCHEMA_TYPES, m115.ConfidenceData)
fits(m114.SCHEMA_TYPES, m116.PlotsData)
fits(m114.SCHEMA_TYPES, m116.FigureData)
fits(m114.SCHEMA_TYPES, m28.Suite)
fits(m114.SCHEMA_TYPES, m7.RecordsData)
serves(m117.EARLIER, m118.earlier_scores)
serves(m119.CLOSE, m120.close)
serves(m121.DUE, m122.due_names)
serves(m123.SEAL_ENTRY, m124.seal_entry)
serves(m119.OPEN, m120.open_envelope)
serves(m119.SEAL, m120.seal)
fits(m125.Settings.plugin_keys, m10.Origins)
fits(m125.Settings.plugin_keys, m126.Attest)
fits(m125.Settings.plugin_keys, m11.PolicySettings)
fits(m125.Settings.plugin_keys, m22.SiteSettings)
fits(m127.SITE_STATUS, m128.read_status)
serves(m129.KEEP, m130.sign_records)
serves(m129.KEPT, m130.signed_records)
serves(m131.NEW_SIGNING_KEY, m132.new_key)
serves(m129.SIGN, m130.sign_scores)
serves(m133.TIP, m134.tip)
serves(m127.VOUCH, m135.vouch)
serves(m37.SHARED_FOLDERS, m136.shared_store)
fits(m137.SubmissionFile.plugin_keys, m10.Addresses)
fits(m137.SubmissionFile.plugin_keys, m12.TermsAccepted)
fits(m137.SubmissionFile.plugin_keys, m32.BasedOn)
fits(m138.VERBS, m95.validate)
fits(m138.VERBS, m97.plan)
fits(m138.VERBS, m97.run)
fits(m138.VERBS, m47.leaderboard)
fits(m138.VERBS, m139.archive)
fits(m138.VERBS, m139.restore)
fits(m138.VERBS, m140.point)
fits(m138.VERBS, m141.verify)
fits(m138.VERBS, m141.attest)
fits(m138.VERBS, m91.submit)
fits(m138.VERBS, m142.rerun)
fits(m138.VERBS, m142.withdraw)
fits(m138.VERBS, m142.disqualify)
fits(m138.VERBS, m142.overdue)
fits(m138.VERBS, m91.pr)
fits(m138.VERBS, m142.commit)
fits(m138.VERBS, m142.collect)
fits(m138.VERBS, m142.hand_in)
fits(m138.VERBS, m143.export)
fits(m138.VERBS, m144.controls)
fits(m138.VERBS, m145.grades)
fits(m138.VERBS, m145.participants)
fits(m138.VERBS, m146.feedback)
fits(m138.VERBS, m147.github)
fits(m138.VERBS, m148.forms)
fits(m138.VERBS, m66.imports)
fits(m138.VERBS, m131.pin)
fits(m138.VERBS, m131.keygen)
fits(m138.VERBS, m149.unlock)
fits(m138.VERBS, m150.analyze)
fits(m138.VERBS, m151.log)
fits(m138.VERBS, m152.results)
fits(m138.VERBS, m153.suite)
fits(m138.VERBS, m154.reproduce)
fits(m138.VERBS, m155.enter)
fits(m138.VERBS, m155.init)
fits(m138.VERBS, m155.fact_sheet)
fits(m138.VERBS, m155.solutions)
fits(m138.VERBS, m156.unseal)
fits(m138.VERBS, m157.site)
fits(m141.FURTHER, m122.verify_sealed)
fits(m155.WRITTEN, m15.write_forms)
