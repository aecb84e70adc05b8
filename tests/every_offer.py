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
import evaluator.plugins.forms.issue_form as m13
import evaluator.plugins.races.accept as m14
import evaluator.plugins.races.passes as m15
import evaluator.plugins.reproduce.tolerance as m16
import pydantic as m17
import evaluator.plugins.samples.keys as m18
import evaluator.site.content.settings as m19
import evaluator.core.planning.rules as m20
import evaluator.plugins.courses.lateness as m21
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
import evaluator.core.planning.deadlines as m74
import evaluator.core.git.commands as m75
import evaluator.ci.git.partial_clone as m76
import evaluator.plugins.sealed.keys as m77
import evaluator.site.boards.ranking_note as m78
import evaluator.plugins.reproduce.ties as m79
import evaluator.core.planning.plan as m80
import evaluator.ci.ledger.quotas as m81
import evaluator.ci.cli.pulls as m82
import evaluator.plugins.screening.verb as m83
import evaluator.importing.private_parts as m84
import evaluator.core.planning.entries as m85
import evaluator.core.cli.submissions as m86
import evaluator.ci.steps.receive as m87
import evaluator.core.cli.evaluation as m88
import evaluator.ci.git.amounts as m89
import evaluator.ci.ledger.queues as m90
import evaluator.ci.steps.draft as m91
import evaluator.core.scores.turns as m92
import evaluator.plugins.races.turns as m93
import evaluator.core.ranking.rule as m94
import evaluator.core.ranking.rules as m95
import evaluator.ci.policy.races as m96
import evaluator.plugins.races.contenders as m97
import evaluator.plugins.openml.exchange.amlb_results as m98
import evaluator.plugins.openml.exchange.table as m99
import evaluator.plugins.openml.exchange.openml_runs as m100
import evaluator.plugins.screening.screening as m101
import evaluator.plugins.screening.likeness as m102
import evaluator.site.boards.comparison as m103
import evaluator.plugins.samples.blocks as m104
import evaluator.site.build.data_files as m105
import evaluator.plugins.insight.study_form as m106
import evaluator.plugins.insight.plots.figure as m107
import evaluator.core.scores.climbing as m108
import evaluator.ci.scores.earlier as m109
import evaluator.core.scores.sealing as m110
import evaluator.ci.scores.encryption as m111
import evaluator.ci.scores.collecting as m112
import evaluator.plugins.sealed.opening as m113
import evaluator.ci.steps.submit as m114
import evaluator.plugins.sealed.sealing as m115
import evaluator.core.formats.settings as m116
import evaluator.plugins.attest.settings as m117
import evaluator.site.content.reading as m118
import evaluator.ci.scores.status as m119
import evaluator.ci.scores.ledger_records as m120
import evaluator.plugins.attest.signing as m121
import evaluator.importing.private_data as m122
import evaluator.plugins.attest.keys as m123
import evaluator.ci.steps.reports as m124
import evaluator.plugins.attest.reading as m125
import evaluator.plugins.attest.vouching as m126
import evaluator.plugins.dask.shared_store as m127
import evaluator.core.formats.submission as m128
import evaluator.core.cli.group as m129
import evaluator.plugins.archive.verbs as m130
import evaluator.plugins.attest.verbs as m131
import evaluator.ci.cli.collection as m132
import evaluator.plugins.codalab.codabench_bundle as m133
import evaluator.plugins.controls.verb as m134
import evaluator.plugins.courses.verbs as m135
import evaluator.plugins.feedback.verb as m136
import evaluator.plugins.forge_setup.verbs as m137
import evaluator.plugins.forms.verbs as m138
import evaluator.importing.unlocking as m139
import evaluator.plugins.insight.verbs as m140
import evaluator.plugins.logs.verb as m141
import evaluator.plugins.openml.verbs as m142
import evaluator.plugins.openml.suites.verbs as m143
import evaluator.plugins.reproduce.verb as m144
import evaluator.plugins.scaffold.verbs as m145
import evaluator.plugins.sealed.verb as m146
import evaluator.site.build.verbs as m147


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
fits(m8.Extension.plugin_keys, m13.IssueForm)
fits(m8.Extension.plugin_keys, m14.Accept)
fits(m8.Extension.plugin_keys, m15.Passes)
fits(m8.Extension.plugin_keys, m16.Tolerances)
fits(m8.Extension.plugin_keys, m17.StrictBool)
fits(m8.Extension.plugin_keys, m18.CurvesKey)
fits(m8.Extension.plugin_keys, m19.Citation)
fits(m8.Extension.plugin_keys, m19.Tags)
fits(m20.CHECKS, m11.check_files)
fits(m20.CHECKS, m12.check_controls)
fits(m20.CHECKS, m21.check_deadlines)
fits(m20.CHECKS, m22.check_datasets)
fits(m20.CHECKS, m23.check_feedback)
fits(m20.CHECKS, m13.check_forms)
fits(m20.CHECKS, m24.check_bundles)
fits(m20.CHECKS, m25.check_suites)
fits(m20.CHECKS, m14.check_accept)
fits(m20.CHECKS, m15.check_passes)
fits(m20.CHECKS, m26.check_phases)
fits(m20.CHECKS, m16.check_tolerances)
fits(m20.CHECKS, m27.check_screens)
fits(m20.CHECKS, m28.check_sealed)
fits(m20.CHECKS, m29.check_lineage)
fits(m30.FURTHER_COLUMNS, m31.pass_columns)
fits(m30.FURTHER_COLUMNS, m18.area_columns)
fits(m32.CONTENT_SOURCES, m33.fetch_archived)
fits(m34.CONTROLS, m35.Controls)
fits(m4.CURVES, m36.board_curves)
fits(m37.ENGINES, m38.DOCKER)
fits(m37.ENGINES, m39.SUBPROCESS)
fits(m37.ENGINES, m39.WARM)
fits(m20.ENTRY_RULES, m20.score_rules)
fits(m20.ENTRY_RULES, m10.entrant_rules)
fits(m20.ENTRY_RULES, m9.policy_rules)
fits(m20.ENTRY_RULES, m21.late_rules)
fits(m20.ENTRY_RULES, m23.feedback_rules)
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
fits(m4.INSIGHTS, m48.INSIGHT)
serves(m32.RECORD_FAULT, m65.record_fault)
fits(m66.KINDS, m67.CODE)
fits(m66.KINDS, m68.RESULTS)
fits(m66.KINDS, m69.REPORTED_SCORES)
fits(m66.KINDS, m70.DATA_SET)
fits(m66.KINDS, m71.SEALED)
serves(m72.PLAY, m73.play)
fits(m74.MORE_TIME, m21.more_time)
fits(m75.OBJECT_SOURCES, m76.fetch_missing)
fits(m8.PhaseExtension.plugin_keys, m9.OpenEntries)
fits(m8.PhaseExtension.plugin_keys, m21.Late)
fits(m8.PhaseExtension.plugin_keys, m21.Until)
fits(m8.PhaseExtension.plugin_keys, m23.FeedbackKey)
fits(m8.PhaseExtension.plugin_keys, m26.Promote)
fits(m8.PhaseExtension.plugin_keys, m77.Seal)
fits(m78.PHASE_NOTES, m26.note)
fits(m78.PHASE_NOTES, m79.note)
fits(m78.PHASE_NOTES, m28.note)
fits(m80.POLICIES, m81.local_quotas)
fits(m80.POLICIES, m26.policy)
fits(m82._Steps.contract, m83.screen)
serves(m32.PRIVATE_PARTS, m84.LocalPrivateParts)
fits(m85.PROMOTIONS, m26.promoted)
serves(m86.JUDGE, m87.judge_branches)
serves(m88.MERGE, m87.merge_branches)
serves(m88.OVERSIZED, m89.oversized)
serves(m88.TO_MATRIX, m90.to_matrix)
serves(m86.VALIDATE_HERE, m91.validate_here)
serves(m92.RACE, m93.ALTERNATE_RACE)
fits(m94.RULES, m95.MEAN)
fits(m94.RULES, m95.FIRST_TASK)
fits(m94.RULES, m95.MEAN_RANK)
fits(m94.RULES, m95.WIN_RATE)
fits(m96.BESTS, m97.compare)
fits(m58.RESULTS_IMPORTERS, m98.IMPORTER)
fits(m58.RESULTS_IMPORTERS, m99.IMPORTER)
fits(m58.RESULTS_IMPORTERS, m100.IMPORTER)
fits(m58.RESULTS_IMPORTERS, m100.RUN_IMPORTER)
fits(m46.REVIEWS, m101.Screens)
fits(m46.REVIEWS, m102.Copies)
fits(m103.ROW_MARKS, m79.tie_marks)
fits(m4.SAMPLES, m104.board_samples)
fits(m105.SCHEMA_TYPES, m106.AnalysisData)
fits(m105.SCHEMA_TYPES, m106.ConfidenceData)
fits(m105.SCHEMA_TYPES, m107.PlotsData)
fits(m105.SCHEMA_TYPES, m107.FigureData)
fits(m105.SCHEMA_TYPES, m25.Suite)
fits(m105.SCHEMA_TYPES, m6.RecordsData)
serves(m108.EARLIER, m109.earlier_scores)
serves(m110.CLOSE, m111.close)
serves(m112.DUE, m113.due_names)
serves(m114.SEAL_ENTRY, m115.seal_entry)
serves(m110.OPEN, m111.open_envelope)
serves(m110.SEAL, m111.seal)
fits(m116.Settings.plugin_keys, m117.Attest)
fits(m116.Settings.plugin_keys, m9.PolicySettings)
fits(m116.Settings.plugin_keys, m19.SiteSettings)
fits(m118.SITE_STATUS, m119.read_status)
serves(m120.KEEP, m121.sign_records)
serves(m120.KEPT, m121.signed_records)
serves(m122.NEW_SIGNING_KEY, m123.new_key)
serves(m120.SIGN, m121.sign_scores)
serves(m124.TIP, m125.tip)
serves(m118.VOUCH, m126.vouch)
serves(m32.SHARED_FOLDERS, m127.shared_store)
fits(m128.SubmissionFile.plugin_keys, m10.TermsAccepted)
fits(m128.SubmissionFile.plugin_keys, m29.BasedOn)
fits(m129.VERBS, m86.validate)
fits(m129.VERBS, m88.plan)
fits(m129.VERBS, m88.run)
fits(m129.VERBS, m42.leaderboard)
fits(m129.VERBS, m130.archive)
fits(m129.VERBS, m130.restore)
fits(m129.VERBS, m131.verify)
fits(m129.VERBS, m131.attest)
fits(m129.VERBS, m82.submit)
fits(m129.VERBS, m132.rerun)
fits(m129.VERBS, m132.withdraw)
fits(m129.VERBS, m132.disqualify)
fits(m129.VERBS, m132.overdue)
fits(m129.VERBS, m82.pr)
fits(m129.VERBS, m132.commit)
fits(m129.VERBS, m132.collect)
fits(m129.VERBS, m132.hand_in)
fits(m129.VERBS, m133.export)
fits(m129.VERBS, m134.controls)
fits(m129.VERBS, m135.grades)
fits(m129.VERBS, m135.participants)
fits(m129.VERBS, m136.feedback)
fits(m129.VERBS, m137.github)
fits(m129.VERBS, m138.forms)
fits(m129.VERBS, m58.imports)
fits(m129.VERBS, m122.pin)
fits(m129.VERBS, m122.keygen)
fits(m129.VERBS, m139.unlock)
fits(m129.VERBS, m140.analyze)
fits(m129.VERBS, m141.log)
fits(m129.VERBS, m142.results)
fits(m129.VERBS, m143.suite)
fits(m129.VERBS, m144.reproduce)
fits(m129.VERBS, m145.enter)
fits(m129.VERBS, m145.init)
fits(m129.VERBS, m145.fact_sheet)
fits(m129.VERBS, m145.solutions)
fits(m129.VERBS, m146.unseal)
fits(m129.VERBS, m147.site)
fits(m131.FURTHER, m113.verify_sealed)
fits(m145.WRITTEN, m13.write_forms)
