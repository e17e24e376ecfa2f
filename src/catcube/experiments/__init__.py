"""Campaigns: the runs to make (a plan), their results (a store), and their execution.

>>> from catcube.experiments.plan_file import shipped_plan
>>> plan = shipped_plan("fixed-budget")
>>> len(plan.configurations()), plan.total_runs
(220, 4400)

`run_campaign(plan, "mine.sqlite")` of `catcube.experiments.campaign` makes the runs, or those of
them that the store does not hold yet.
"""
