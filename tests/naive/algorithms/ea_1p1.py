"""The (1+1) evolutionary algorithm, as its description reads."""


def search(run, points, parameters, random):
    point = points.draw()
    value = run.evaluate(point)
    while True:
        offspring = points.mutated(point)
        offspring_value = run.evaluate(offspring)
        if offspring_value <= value:
            point, value = offspring, offspring_value
