"""Random local search with restart, as its description reads."""


def search(run, points, parameters, random):
    while True:
        point = points.draw()
        value = run.evaluate(point)
        failures = 0
        while points.n > 0 and failures < parameters.patience:
            neighbour = points.neighbour(point)
            neighbour_value = run.evaluate(neighbour)
            if neighbour_value <= value:
                point, value = neighbour, neighbour_value
                failures = 0
            else:
                failures += 1
