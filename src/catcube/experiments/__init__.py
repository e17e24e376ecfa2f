"""Campaigns: many runs, described by a plan and kept in a store.

>>> from catcube.experiments.plan_file import shipped_plan
>>> plan = shipped_plan("fixed-budget")
>>> len(plan.configurations()), plan.total_runs
(220, 4400)

`run_campaign(plan, "mine.sqlite")` of `catcube.experiments.campaign` executes the runs that the
store does not hold yet.
"""
