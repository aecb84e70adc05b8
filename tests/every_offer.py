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
import evaluator.core.scores.running as m36
import evaluator.plugins.archive.archived as m37
import evaluator.core.scores.jobs as m38
import evaluator.plugins.controls.controls as m39
import evaluator.plugins.samples.curves as m40
import evaluator.plugins.artefacts.fetching as m41
import evaluator.core.compute.engines as m42
import evaluator.core.compute.engine.docker_kind as m43
import evaluator.plugins.host.host_kinds as m44
import evaluator.core.compute.executors as m45
import evaluator.plugins.dask.executor as m46
import evaluator.core.cli.boards as m47
import evaluator.core.leaderboard.tables as m48
import evaluator.plugins.openformats.eee as m49
import evaluator.plugins.openformats.in_toto as m50
import evaluator.site.boards.exports.board_json as m51
import evaluator.site.boards.exports.paper_tables as m52
import evaluator.ci.policy.reviews as m53
import evaluator.plugins.feedback.feedback as m54
import evaluator.plugins.insight.insight as m55
import evaluator.plugins.insight.plots.over_time as m56
import evaluator.plugins.insight.plots.trade_off as m57
import evaluator.plugins.insight.plots.curves as m58
import evaluator.plugins.insight.plots.distribution as m59
import evaluator.plugins.insight.plots.difficulty as m60
import evaluator.plugins.insight.plots.ranks as m61
import evaluator.ci.policy.ownership as m62
import evaluator.core.compute.gateway as m63
import evaluator.plugins.models.way_out as m64
import evaluator.core.git.repository as m65
import evaluator.ci.git.advice as m66
import evaluator.core.planning.snapshot as m67
import evaluator.importing.verb as m68
import evaluator.plugins.openml.amlb.adding as m69
import evaluator.plugins.codalab.importer as m70
import evaluator.plugins.harbor.importing as m71
import evaluator.plugins.openml.tasks.importing as m72
import evaluator.plugins.openml.amlb.importing as m73
import evaluator.plugins.openml.suites.importing as m74
import evaluator.ci.steps.change_table as m75
import evaluator.core.scores.run_results as m76
import evaluator.ci.scores.record_faults as m77
import evaluator.core.planning.digests as m78
import evaluator.core.formats.kinds.kind as m79
import evaluator.core.formats.kinds.code as m80
import evaluator.core.formats.kinds.results as m81
import evaluator.plugins.cited_scores.kind as m82
import evaluator.plugins.datasets.kind as m83
import evaluator.plugins.sealed.kind as m84
import evaluator.core.compute.worker as m85
import evaluator.plugins.parallel.playing as m86
import evaluator.core.planning.deadlines as m87
import evaluator.core.git.commands as m88
import evaluator.ci.git.partial_clone as m89
import evaluator.plugins.sealed.keys as m90
import evaluator.site.boards.ranking_note as m91
import evaluator.plugins.reproduce.ties as m92
import evaluator.core.planning.plan as m93
import evaluator.ci.ledger.quotas as m94
import evaluator.ci.cli.pulls as m95
import evaluator.plugins.forms.verbs as m96
import evaluator.plugins.screening.verb as m97
import evaluator.core.scores.hand_over as m98
import evaluator.importing.handed_over as m99
import evaluator.importing.private_parts as m100
import evaluator.core.planning.entries as m101
import evaluator.core.cli.submissions as m102
import evaluator.ci.steps.receive as m103
import evaluator.core.cli.evaluation as m104
import evaluator.ci.git.amounts as m105
import evaluator.ci.ledger.queues as m106
import evaluator.ci.steps.draft as m107
import evaluator.core.scores.turns as m108
import evaluator.plugins.races.turns as m109
import evaluator.core.ranking.rule as m110
import evaluator.core.ranking.rules as m111
import evaluator.ci.policy.races as m112
import evaluator.plugins.races.contenders as m113
import evaluator.plugins.openml.exchange.amlb_results as m114
import evaluator.plugins.openml.exchange.eee as m115
import evaluator.plugins.openml.exchange.table as m116
import evaluator.plugins.openml.exchange.openml_runs as m117
import evaluator.plugins.screening.screening as m118
import evaluator.plugins.screening.likeness as m119
import evaluator.site.boards.comparison as m120
import evaluator.plugins.samples.blocks as m121
import evaluator.site.build.data_files as m122
import evaluator.plugins.insight.study_form as m123
import evaluator.plugins.insight.plots.figure as m124
import evaluator.core.scores.climbing as m125
import evaluator.ci.scores.earlier as m126
import evaluator.core.scores.sealing as m127
import evaluator.ci.scores.encryption as m128
import evaluator.ci.scores.collecting as m129
import evaluator.plugins.sealed.opening as m130
import evaluator.ci.steps.submit as m131
import evaluator.plugins.sealed.sealing as m132
import evaluator.core.formats.settings as m133
import evaluator.plugins.attest.settings as m134
import evaluator.site.content.reading as m135
import evaluator.ci.scores.status as m136
import evaluator.ci.scores.ledger_records as m137
import evaluator.plugins.attest.signing as m138
import evaluator.importing.private_data as m139
import evaluator.plugins.attest.keys as m140
import evaluator.ci.steps.reports as m141
import evaluator.plugins.attest.reading as m142
import evaluator.plugins.attest.vouching as m143
import evaluator.plugins.dask.shared_store as m144
import evaluator.core.formats.submission as m145
import evaluator.core.cli.group as m146
import evaluator.plugins.archive.verbs as m147
import evaluator.plugins.artefacts.verb as m148
import evaluator.plugins.attest.verbs as m149
import evaluator.ci.cli.collection as m150
import evaluator.plugins.codalab.codabench_bundle as m151
import evaluator.plugins.controls.verb as m152
import evaluator.plugins.courses.verbs as m153
import evaluator.plugins.feedback.verb as m154
import evaluator.plugins.forge_setup.verbs as m155
import evaluator.importing.unlocking as m156
import evaluator.plugins.insight.verbs as m157
import evaluator.plugins.logs.verb as m158
import evaluator.plugins.openml.verbs as m159
import evaluator.plugins.openml.suites.verbs as m160
import evaluator.plugins.reproduce.verb as m161
import evaluator.plugins.scaffold.verbs as m162
import evaluator.plugins.sealed.verb as m163
import evaluator.site.build.verbs as m164


def fits(contract: Contract[T], offered: T) -> None: ...


def serves(service: Service[T], offered: T) -> None: ...


fits(m0.ATTACHMENTS, m1.DETAILED_PAGE)
fits(m0.ATTACHMENTS, m2.JUDGES_FILE)
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
fits(m36.CONTENT_SOURCES, m37.fetch_archived)
fits(m38.CONTROLS, m39.Controls)
fits(m5.CURVES, m40.board_curves)
fits(m38.ELSEWHERE, m41.artefacts_of)
fits(m42.ENGINES, m43.DOCKER)
fits(m42.ENGINES, m44.SUBPROCESS)
fits(m42.ENGINES, m44.WARM)
fits(m24.ENTRY_RULES, m24.score_rules)
fits(m24.ENTRY_RULES, m11.entry_rules)
fits(m24.ENTRY_RULES, m13.entrant_rules)
fits(m24.ENTRY_RULES, m12.policy_rules)
fits(m24.ENTRY_RULES, m25.late_rules)
fits(m24.ENTRY_RULES, m27.feedback_rules)
fits(m24.ENTRY_RULES, m17.entry_rules)
fits(m45.EXECUTORS, m45.LocalExecutor)
fits(m45.EXECUTORS, m46.DaskExecutor)
fits(m47.EXPORTERS, m48.to_text)
fits(m47.EXPORTERS, m48.to_csv)
fits(m47.EXPORTERS, m49.to_eee)
fits(m47.EXPORTERS, m50.to_in_toto)
fits(m47.EXPORTERS, m51.to_json)
fits(m47.EXPORTERS, m52.to_latex)
fits(m47.EXPORTERS, m52.to_markdown)
fits(m53.FEEDBACK, m54.PRIVATE)
fits(m55.FIGURES, m56.over_time)
fits(m55.FIGURES, m57.against_time)
fits(m55.FIGURES, m57.against_memory)
fits(m55.FIGURES, m57.against_cost)
fits(m55.FIGURES, m58.curves)
fits(m55.FIGURES, m59.distribution)
fits(m55.FIGURES, m60.difficulty)
fits(m55.FIGURES, m61.ranks)
fits(m62.FILES_ELSEWHERE, m11.addresses_of)
fits(m63.GATEWAYS, m64.GATEWAY)
fits(m65.ADVICE, m66.what_to_do)
fits(m67.GROWTH, m26.with_datasets)
fits(m68.ImportGroup.contract, m69.amlb_framework)
fits(m68.IMPORTERS, m70.IMPORTER)
fits(m68.IMPORTERS, m71.IMPORTER)
fits(m68.IMPORTERS, m72.IMPORTER)
fits(m68.IMPORTERS, m73.IMPORTER)
fits(m68.IMPORTERS, m74.IMPORTER)
fits(m75.CONCLUDES, m55.INSIGHT)
fits(m5.INSIGHTS, m55.INSIGHT)
serves(m76.RECORD_FAULT, m77.record_fault)
fits(m78.KEY_PARTS, m17.key_part)
fits(m79.KINDS, m80.CODE)
fits(m79.KINDS, m81.RESULTS)
fits(m79.KINDS, m82.REPORTED_SCORES)
fits(m79.KINDS, m83.DATA_SET)
fits(m79.KINDS, m84.SEALED)
serves(m85.PLAY, m86.play)
fits(m87.MORE_TIME, m25.more_time)
fits(m88.OBJECT_SOURCES, m89.fetch_missing)
fits(m10.PhaseExtension.plugin_keys, m12.OpenEntries)
fits(m10.PhaseExtension.plugin_keys, m25.Late)
fits(m10.PhaseExtension.plugin_keys, m25.Until)
fits(m10.PhaseExtension.plugin_keys, m27.FeedbackKey)
fits(m10.PhaseExtension.plugin_keys, m30.Promote)
fits(m10.PhaseExtension.plugin_keys, m90.Seal)
fits(m91.PHASE_NOTES, m30.note)
fits(m91.PHASE_NOTES, m92.note)
fits(m91.PHASE_NOTES, m32.note)
fits(m93.POLICIES, m94.local_quotas)
fits(m93.POLICIES, m30.policy)
fits(m95._Steps.contract, m96.download)
fits(m95._Steps.contract, m96.enter)
fits(m95._Steps.contract, m97.screen)
serves(m98.HAND_OVER, m99.close_predictions)
serves(m36.PRIVATE_PARTS, m100.LocalPrivateParts)
fits(m101.PROMOTIONS, m30.promoted)
serves(m102.JUDGE, m103.judge_branches)
serves(m104.MERGE, m103.merge_branches)
serves(m104.OVERSIZED, m105.oversized)
serves(m104.TO_MATRIX, m106.to_matrix)
serves(m102.VALIDATE_HERE, m107.validate_here)
serves(m108.RACE, m109.ALTERNATE_RACE)
fits(m110.RULES, m111.MEAN)
fits(m110.RULES, m111.FIRST_TASK)
fits(m110.RULES, m111.MEAN_RANK)
fits(m110.RULES, m111.WIN_RATE)
fits(m112.BESTS, m113.compare)
fits(m68.RESULTS_IMPORTERS, m114.IMPORTER)
fits(m68.RESULTS_IMPORTERS, m115.IMPORTER)
fits(m68.RESULTS_IMPORTERS, m116.IMPORTER)
fits(m68.RESULTS_IMPORTERS, m117.IMPORTER)
fits(m68.RESULTS_IMPORTERS, m117.RUN_IMPORTER)
fits(m53.REVIEWS, m118.Screens)
fits(m53.REVIEWS, m119.Copies)
fits(m120.ROW_MARKS, m8.claim_marks)
fits(m120.ROW_MARKS, m92.tie_marks)
fits(m5.SAMPLES, m121.board_samples)
fits(m122.SCHEMA_TYPES, m123.AnalysisData)
fits(m122.SCHEMA_TYPES, m123.ConfidenceData)
fits(m122.SCHEMA_TYPES, m124.PlotsData)
fits(m122.SCHEMA_TYPES, m124.FigureData)
fits(m122.SCHEMA_TYPES, m29.Suite)
fits(m122.SCHEMA_TYPES, m8.RecordsData)
serves(m125.EARLIER, m126.earlier_scores)
serves(m127.CLOSE, m128.close)
serves(m129.DUE, m130.due_names)
serves(m131.SEAL_ENTRY, m132.seal_entry)
serves(m127.OPEN, m128.open_envelope)
serves(m127.SEAL, m128.seal)
fits(m133.Settings.plugin_keys, m11.Origins)
fits(m133.Settings.plugin_keys, m134.Attest)
fits(m133.Settings.plugin_keys, m12.PolicySettings)
fits(m133.Settings.plugin_keys, m23.SiteSettings)
fits(m135.SITE_STATUS, m136.read_status)
serves(m137.KEEP, m138.sign_records)
serves(m137.KEPT, m138.signed_records)
serves(m139.NEW_SIGNING_KEY, m140.new_key)
serves(m137.SIGN, m138.sign_scores)
serves(m141.TIP, m142.tip)
serves(m135.VOUCH, m143.vouch)
serves(m36.SHARED_FOLDERS, m144.shared_store)
fits(m145.SubmissionFile.plugin_keys, m11.Addresses)
fits(m145.SubmissionFile.plugin_keys, m13.TermsAccepted)
fits(m145.SubmissionFile.plugin_keys, m33.BasedOn)
fits(m146.VERBS, m102.validate)
fits(m146.VERBS, m104.plan)
fits(m146.VERBS, m104.run)
fits(m146.VERBS, m47.leaderboard)
fits(m146.VERBS, m147.archive)
fits(m146.VERBS, m147.restore)
fits(m146.VERBS, m148.point)
fits(m146.VERBS, m149.verify)
fits(m146.VERBS, m149.attest)
fits(m146.VERBS, m95.submit)
fits(m146.VERBS, m150.rerun)
fits(m146.VERBS, m150.withdraw)
fits(m146.VERBS, m150.disqualify)
fits(m146.VERBS, m150.overdue)
fits(m146.VERBS, m95.pr)
fits(m146.VERBS, m150.commit)
fits(m146.VERBS, m150.collect)
fits(m146.VERBS, m150.hand_in)
fits(m146.VERBS, m151.export)
fits(m146.VERBS, m152.controls)
fits(m146.VERBS, m153.grades)
fits(m146.VERBS, m153.participants)
fits(m146.VERBS, m154.feedback)
fits(m146.VERBS, m155.github)
fits(m146.VERBS, m96.forms)
fits(m146.VERBS, m68.imports)
fits(m146.VERBS, m139.pin)
fits(m146.VERBS, m139.keygen)
fits(m146.VERBS, m156.unlock)
fits(m146.VERBS, m157.analyze)
fits(m146.VERBS, m158.log)
fits(m146.VERBS, m159.results)
fits(m146.VERBS, m160.suite)
fits(m146.VERBS, m161.reproduce)
fits(m146.VERBS, m162.enter)
fits(m146.VERBS, m162.init)
fits(m146.VERBS, m162.fact_sheet)
fits(m146.VERBS, m162.solutions)
fits(m146.VERBS, m163.unseal)
fits(m146.VERBS, m164.site)
fits(m149.FURTHER, m130.verify_sealed)
fits(m162.WRITTEN, m16.write_forms)
