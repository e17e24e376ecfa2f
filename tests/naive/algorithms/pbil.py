"""PBIL and UMDA, as their descriptions read: a distribution that learns from its best samples."""


def search(run, points, parameters, random):
    run.evaluate(points.draw())
    n = points.n
    probabilities = [0.5] * n
    while True:
        samples = []
        for _ in range(parameters.population):
            bits = random.decided(random.bytes(n), probabilities)
            samples.append((run.evaluate(bits), bits))
        best = selected(samples, parameters.selection)
        for i in range(n):
            mean = sum(bits[i] for bits in best) / len(best)
            probabilities[i] = clipped(learned(parameters, probabilities[i], mean), n, parameters)


def learned(parameters, p, mean):
    """The probability after a generation, before the margin: of UMDA, the mean itself."""
    rate = getattr(parameters, "rate", 1)
    return p + rate * (mean - p) if rate < 1 else mean


def selected(samples, selection):
    """The bits of the best samples, the earlier first among equals."""
    ranked = sorted(samples, key=lambda sample: sample[0])  # a stable sort
    return [bits for _, bits in ranked[:selection]]


def clipped(probability, n, parameters):
    """Within [margin/n, 1 - margin/n], which is 1/2 alone if it is empty."""
    bound = min(parameters.margin / n, 0.5)
    return min(max(probability, bound), 1 - bound)
