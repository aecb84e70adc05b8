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
import evaluator.plugins.models.page as m7
import evaluator.plugins.races.page as m8
import evaluator.plugins.samples.page as m9
import evaluator.core.formats.extension as m10
import evaluator.plugins.artefacts.keys as m11
import evaluator.ci.policy.keys as m12
import evaluator.ci.policy.entrants as m13
import evaluator.plugins.code_files.checks as m14
import evaluator.plugins.controls.keys as m15
import evaluator.plugins.forms.issue_form as m16
import evaluator.plugins.models.keys as m17
import evaluator.plugins.races.accept as m18
import evaluator.plugins.races.passes as m19
import evaluator.plugins.reproduce.tolerance as m20
import pydantic as m21
import evaluator.plugins.samples.keys as m22
import evaluator.site.content.settings as m23
import evaluator.core.planning.rules as m24
import evaluator.plugins.courses.lateness as m25
import evaluator.plugins.datasets.tasks as m26
import evaluator.plugins.feedback.keys as m27
import evaluator.importing.checks as m28
import evaluator.plugins.openml.suites.file as m29
import evaluator.plugins.races.promoted as m30
import evaluator.plugins.screening.checks as m31
import evaluator.plugins.sealed.checks as m32
import evaluator.site.content.lineage as m33
import evaluator.core.formats.columns as m34
import evaluator.plugins.races.pass_rates as m35
import evaluator.core.compute.contents as m36
import evaluator.plugins.artefacts.fetching as m37
import evaluator.core.scores.running as m38
import evaluator.plugins.archive.archived as m39
import evaluator.core.scores.jobs as m40
import evaluator.plugins.controls.controls as m41
import evaluator.plugins.samples.curves as m42
import evaluator.core.compute.engines as m43
import evaluator.core.compute.engine.docker_engine as m44
import evaluator.plugins.host.host_kinds as m45
import evaluator.core.compute.executors as m46
import evaluator.plugins.dask.executor as m47
import evaluator.core.cli.boards as m48
import evaluator.core.leaderboard.tables as m49
import evaluator.site.boards.exports.board_json as m50
import evaluator.site.boards.exports.paper_tables as m51
import evaluator.ci.policy.reviews as m52
import evaluator.plugins.feedback.feedback as m53
import evaluator.plugins.insight.insight as m54
import evaluator.plugins.insight.plots.over_time as m55
import evaluator.plugins.insight.plots.trade_off as m56
import evaluator.plugins.insight.plots.curves as m57
import evaluator.plugins.insight.plots.distribution as m58
import evaluator.plugins.insight.plots.difficulty as m59
import evaluator.plugins.insight.plots.ranks as m60
import evaluator.ci.policy.ownership as m61
import evaluator.core.compute.gateway as m62
import evaluator.plugins.models.way_out as m63
import evaluator.core.git.repository as m64
import evaluator.ci.git.advice as m65
import evaluator.core.planning.snapshot as m66
import evaluator.importing.verb as m67
import evaluator.plugins.openml.amlb.adding as m68
import evaluator.plugins.codalab.importer as m69
import evaluator.plugins.openml.tasks.importing as m70
import evaluator.plugins.openml.amlb.importing as m71
import evaluator.plugins.openml.suites.importing as m72
import evaluator.ci.steps.change_table as m73
import evaluator.ci.scores.record_faults as m74
import evaluator.core.planning.digests as m75
import evaluator.core.formats.kinds.kind as m76
import evaluator.core.formats.kinds.code as m77
import evaluator.core.formats.kinds.results as m78
import evaluator.plugins.cited_scores.kind as m79
import evaluator.plugins.datasets.kind as m80
import evaluator.plugins.sealed.kind as m81
import evaluator.core.compute.worker as m82
import evaluator.plugins.parallel.playing as m83
import evaluator.core.planning.deadlines as m84
import evaluator.core.git.commands as m85
import evaluator.ci.git.partial_clone as m86
import evaluator.plugins.sealed.keys as m87
import evaluator.site.boards.ranking_note as m88
import evaluator.plugins.reproduce.ties as m89
import evaluator.core.planning.plan as m90
import evaluator.ci.ledger.quotas as m91
import evaluator.ci.cli.pulls as m92
import evaluator.plugins.forms.verbs as m93
import evaluator.plugins.screening.verb as m94
import evaluator.importing.handed_over as m95
import evaluator.importing.private_parts as m96
import evaluator.core.planning.entries as m97
import evaluator.core.cli.submissions as m98
import evaluator.ci.steps.receive as m99
import evaluator.core.cli.evaluation as m100
import evaluator.ci.git.amounts as m101
import evaluator.ci.ledger.queues as m102
import evaluator.ci.steps.draft as m103
import evaluator.core.scores.turns as m104
import evaluator.plugins.races.turns as m105
import evaluator.core.ranking.rule as m106
import evaluator.core.ranking.rules as m107
import evaluator.ci.policy.races as m108
import evaluator.plugins.races.contenders as m109
import evaluator.plugins.openml.exchange.amlb_results as m110
import evaluator.plugins.openml.exchange.table as m111
import evaluator.plugins.openml.exchange.openml_runs as m112
import evaluator.plugins.screening.screening as m113
import evaluator.plugins.screening.likeness as m114
import evaluator.site.boards.comparison as m115
import evaluator.plugins.samples.blocks as m116
import evaluator.site.build.data_files as m117
import evaluator.plugins.insight.study_form as m118
import evaluator.plugins.insight.plots.figure as m119
import evaluator.core.scores.climbing as m120
import evaluator.ci.scores.earlier as m121
import evaluator.core.scores.sealing as m122
import evaluator.ci.scores.encryption as m123
import evaluator.ci.scores.collecting as m124
import evaluator.plugins.sealed.opening as m125
import evaluator.ci.steps.submit as m126
import evaluator.plugins.sealed.sealing as m127
import evaluator.core.formats.settings as m128
import evaluator.plugins.attest.settings as m129
import evaluator.site.content.reading as m130
import evaluator.ci.scores.status as m131
import evaluator.ci.scores.ledger_records as m132
import evaluator.plugins.attest.signing as m133
import evaluator.importing.private_data as m134
import evaluator.plugins.attest.keys as m135
import evaluator.ci.steps.reports as m136
import evaluator.plugins.attest.reading as m137
import evaluator.plugins.attest.vouching as m138
import evaluator.plugins.dask.shared_store as m139
import evaluator.core.formats.submission as m140
import evaluator.core.cli.group as m141
import evaluator.plugins.archive.verbs as m142
import evaluator.plugins.artefacts.verb as m143
import evaluator.plugins.attest.verbs as m144
import evaluator.ci.cli.collection as m145
import evaluator.plugins.codalab.codabench_bundle as m146
import evaluator.plugins.controls.verb as m147
import evaluator.plugins.courses.verbs as m148
import evaluator.plugins.feedback.verb as m149
import evaluator.plugins.forge_setup.verbs as m150
import evaluator.importing.unlocking as m151
import evaluator.plugins.insight.verbs as m152
import evaluator.plugins.logs.verb as m153
import evaluator.plugins.openml.verbs as m154
import evaluator.plugins.openml.suites.verbs as m155
import evaluator.plugins.reproduce.verb as m156
import evaluator.plugins.scaffold.verbs as m157
import evaluator.plugins.sealed.verb as m158
import evaluator.site.build.verbs as m159


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


fits(m0.ATTACHMENTS, m1.DETAILED_PAGE)
fits(m0.ATTACHMENTS, m2.TRANSCRIPT_FILE)
fits(m0.ATTACHMENTS, m3.RACE_ATTACHMENT)
fits(m0.ATTACHMENTS, m4.SAMPLE_FILE)
fits(m0.ATTACHMENTS, m4.CURVE_FILE)
fits(m5.BOARD_PAGES, m6.controls_page)
fits(m5.BOARD_PAGES, m7.transcripts_page)
fits(m5.BOARD_PAGES, m8.records_page)
fits(m5.BOARD_PAGES, m9.samples_page)
fits(m10.Extension.plugin_keys, m11.Limit)
fits(m10.Extension.plugin_keys, m12.Policy)
fits(m10.Extension.plugin_keys, m13.Participants)
fits(m10.Extension.plugin_keys, m13.AcceptTerms)
fits(m10.Extension.plugin_keys, m14.CodeFiles)
fits(m10.Extension.plugin_keys, m15.Controls)
fits(m10.Extension.plugin_keys, m16.IssueForm)
fits(m10.Extension.plugin_keys, m17.Models)
fits(m10.Extension.plugin_keys, m18.Accept)
fits(m10.Extension.plugin_keys, m19.Passes)
fits(m10.Extension.plugin_keys, m20.Tolerances)
fits(m10.Extension.plugin_keys, m21.StrictBool)
fits(m10.Extension.plugin_keys, m22.CurvesKey)
fits(m10.Extension.plugin_keys, m23.Citation)
fits(m10.Extension.plugin_keys, m23.Tags)
fits(m24.CHECKS, m11.check_artefacts)
fits(m24.CHECKS, m14.check_files)
fits(m24.CHECKS, m15.check_controls)
fits(m24.CHECKS, m25.check_deadlines)
fits(m24.CHECKS, m26.check_datasets)
fits(m24.CHECKS, m27.check_feedback)
fits(m24.CHECKS, m16.check_forms)
fits(m24.CHECKS, m28.check_bundles)
fits(m24.CHECKS, m17.check_models)
fits(m24.CHECKS, m29.check_suites)
fits(m24.CHECKS, m18.check_accept)
fits(m24.CHECKS, m19.check_passes)
fits(m24.CHECKS, m30.check_phases)
fits(m24.CHECKS, m20.check_tolerances)
fits(m24.CHECKS, m31.check_screens)
fits(m24.CHECKS, m32.check_sealed)
fits(m24.CHECKS, m33.check_lineage)
fits(m34.FURTHER_COLUMNS, m17.spent_columns)
fits(m34.FURTHER_COLUMNS, m35.pass_columns)
fits(m34.FURTHER_COLUMNS, m22.area_columns)
fits(m36.COMPLETED_SUBMISSIONS, m37.complete)
fits(m38.CONTENT_SOURCES, m39.fetch_archived)
fits(m40.CONTROLS, m41.Controls)
fits(m5.CURVES, m42.board_curves)
fits(m43.ENGINES, m44.DOCKER)
fits(m43.ENGINES, m45.SUBPROCESS)
fits(m43.ENGINES, m45.WARM)
fits(m24.ENTRY_RULES, m24.score_rules)
fits(m24.ENTRY_RULES, m11.entry_rules)
fits(m24.ENTRY_RULES, m13.entrant_rules)
fits(m24.ENTRY_RULES, m12.policy_rules)
fits(m24.ENTRY_RULES, m25.late_rules)
fits(m24.ENTRY_RULES, m27.feedback_rules)
fits(m24.ENTRY_RULES, m17.entry_rules)
fits(m46.EXECUTORS, m46.LocalExecutor)
fits(m46.EXECUTORS, m47.DaskExecutor)
fits(m48.EXPORTERS, m49.to_text)
fits(m48.EXPORTERS, m49.to_csv)
fits(m48.EXPORTERS, m50.to_json)
fits(m48.EXPORTERS, m51.to_latex)
fits(m48.EXPORTERS, m51.to_markdown)
fits(m52.FEEDBACK, m53.PRIVATE)
fits(m54.FIGURES, m55.over_time)
fits(m54.FIGURES, m56.against_time)
fits(m54.FIGURES, m56.against_memory)
fits(m54.FIGURES, m56.against_cost)
fits(m54.FIGURES, m57.curves)
fits(m54.FIGURES, m58.distribution)
fits(m54.FIGURES, m59.difficulty)
fits(m54.FIGURES, m60.ranks)
fits(m61.FILES_ELSEWHERE, m11.addresses_of)
fits(m62.GATEWAYS, m63.GATEWAY)
fits(m64.ADVICE, m65.what_to_do)
fits(m66.GROWTH, m26.with_datasets)
fits(m67.ImportGroup.contract, m68.amlb_framework)
fits(m67.IMPORTERS, m69.IMPORTER)
fits(m67.IMPORTERS, m70.IMPORTER)
fits(m67.IMPORTERS, m71.IMPORTER)
fits(m67.IMPORTERS, m72.IMPORTER)
fits(m73.CONCLUDES, m54.INSIGHT)
fits(m5.INSIGHTS, m54.INSIGHT)
fits(m40.JOB_KEYS, m11.artefacts_of)
serves(m38.RECORD_FAULT, m74.record_fault)
fits(m75.KEY_PARTS, m17.key_part)
fits(m76.KINDS, m77.CODE)
fits(m76.KINDS, m78.RESULTS)
fits(m76.KINDS, m79.REPORTED_SCORES)
fits(m76.KINDS, m80.DATA_SET)
fits(m76.KINDS, m81.SEALED)
serves(m82.PLAY, m83.play)
fits(m84.MORE_TIME, m25.more_time)
fits(m85.OBJECT_SOURCES, m86.fetch_missing)
fits(m10.PhaseExtension.plugin_keys, m12.OpenEntries)
fits(m10.PhaseExtension.plugin_keys, m25.Late)
fits(m10.PhaseExtension.plugin_keys, m25.Until)
fits(m10.PhaseExtension.plugin_keys, m27.FeedbackKey)
fits(m10.PhaseExtension.plugin_keys, m30.Promote)
fits(m10.PhaseExtension.plugin_keys, m87.Seal)
fits(m88.PHASE_NOTES, m30.note)
fits(m88.PHASE_NOTES, m89.note)
fits(m88.PHASE_NOTES, m32.note)
fits(m90.POLICIES, m91.local_quotas)
fits(m90.POLICIES, m30.policy)
fits(m92._Steps.contract, m93.download)
fits(m92._Steps.contract, m93.enter)
fits(m92._Steps.contract, m94.screen)
serves(m38.HAND_OVER, m95.close_predictions)
serves(m38.PRIVATE_PARTS, m96.LocalPrivateParts)
fits(m97.PROMOTIONS, m30.promoted)
serves(m98.JUDGE, m99.judge_branches)
serves(m100.MERGE, m99.merge_branches)
serves(m100.OVERSIZED, m101.oversized)
serves(m100.TO_MATRIX, m102.to_matrix)
serves(m98.VALIDATE_HERE, m103.validate_here)
serves(m104.RACE, m105.ALTERNATE_RACE)
fits(m106.RULES, m107.MEAN)
fits(m106.RULES, m107.FIRST_TASK)
fits(m106.RULES, m107.MEAN_RANK)
fits(m106.RULES, m107.WIN_RATE)
fits(m108.BESTS, m109.compare)
fits(m67.RESULTS_IMPORTERS, m110.IMPORTER)
fits(m67.RESULTS_IMPORTERS, m111.IMPORTER)
fits(m67.RESULTS_IMPORTERS, m112.IMPORTER)
fits(m67.RESULTS_IMPORTERS, m112.RUN_IMPORTER)
fits(m52.REVIEWS, m113.Screens)
fits(m52.REVIEWS, m114.Copies)
fits(m115.ROW_MARKS, m8.claim_marks)
fits(m115.ROW_MARKS, m89.tie_marks)
fits(m5.SAMPLES, m116.board_samples)
fits(m117.SCHEMA_TYPES, m118.AnalysisData)
fits(m117.SCHEMA_TYPES, m118.ConfidenceData)
fits(m117.SCHEMA_TYPES, m119.PlotsData)
fits(m117.SCHEMA_TYPES, m119.FigureData)
fits(m117.SCHEMA_TYPES, m29.Suite)
fits(m117.SCHEMA_TYPES, m8.RecordsData)
serves(m120.EARLIER, m121.earlier_scores)
serves(m122.CLOSE, m123.close)
serves(m124.DUE, m125.due_names)
serves(m126.SEAL_ENTRY, m127.seal_entry)
serves(m122.OPEN, m123.open_envelope)
serves(m122.SEAL, m123.seal)
fits(m128.Settings.plugin_keys, m11.Origins)
fits(m128.Settings.plugin_keys, m129.Attest)
fits(m128.Settings.plugin_keys, m12.PolicySettings)
fits(m128.Settings.plugin_keys, m23.SiteSettings)
fits(m130.SITE_STATUS, m131.read_status)
serves(m132.KEEP, m133.sign_records)
serves(m132.KEPT, m133.signed_records)
serves(m134.NEW_SIGNING_KEY, m135.new_key)
serves(m132.SIGN, m133.sign_scores)
serves(m136.TIP, m137.tip)
serves(m130.VOUCH, m138.vouch)
serves(m38.SHARED_FOLDERS, m139.shared_store)
fits(m140.SubmissionFile.plugin_keys, m11.Addresses)
fits(m140.SubmissionFile.plugin_keys, m13.TermsAccepted)
fits(m140.SubmissionFile.plugin_keys, m33.BasedOn)
fits(m141.VERBS, m98.validate)
fits(m141.VERBS, m100.plan)
fits(m141.VERBS, m100.run)
fits(m141.VERBS, m48.leaderboard)
fits(m141.VERBS, m142.archive)
fits(m141.VERBS, m142.restore)
fits(m141.VERBS, m143.point)
fits(m141.VERBS, m144.verify)
fits(m141.VERBS, m144.attest)
fits(m141.VERBS, m92.submit)
fits(m141.VERBS, m145.rerun)
fits(m141.VERBS, m145.withdraw)
fits(m141.VERBS, m145.disqualify)
fits(m141.VERBS, m145.overdue)
fits(m141.VERBS, m92.pr)
fits(m141.VERBS, m145.commit)
fits(m141.VERBS, m145.collect)
fits(m141.VERBS, m145.hand_in)
fits(m141.VERBS, m146.export)
fits(m141.VERBS, m147.controls)
fits(m141.VERBS, m148.grades)
fits(m141.VERBS, m148.participants)
fits(m141.VERBS, m149.feedback)
fits(m141.VERBS, m150.github)
fits(m141.VERBS, m93.forms)
fits(m141.VERBS, m67.imports)
fits(m141.VERBS, m134.pin)
fits(m141.VERBS, m134.keygen)
fits(m141.VERBS, m151.unlock)
fits(m141.VERBS, m152.analyze)
fits(m141.VERBS, m153.log)
fits(m141.VERBS, m154.results)
fits(m141.VERBS, m155.suite)
fits(m141.VERBS, m156.reproduce)
fits(m141.VERBS, m157.enter)
fits(m141.VERBS, m157.init)
fits(m141.VERBS, m157.fact_sheet)
fits(m141.VERBS, m157.solutions)
fits(m141.VERBS, m158.unseal)
fits(m141.VERBS, m159.site)
fits(m144.FURTHER, m125.verify_sealed)
fits(m157.WRITTEN, m16.write_forms)
