"""A product distribution that learns from the best of its samples."""


def evolve(run, n, parameters, random, learned):
    """`learned(p, mean)` is the probability of a bit after a generation, before it is clipped."""
    run.evaluate(random.bits(n))
    probabilities = [0.5] * n
    while True:
        samples = []
        for _ in range(parameters.population):
            bits = random.decided(random.bytes(n), probabilities)
            samples.append((run.evaluate(bits), bits))
        best = selected(samples, parameters.selection)
        for i in range(n):
            mean = sum(bits[i] for bits in best) / len(best)
            probabilities[i] = clipped(learned(probabilities[i], mean), n, parameters)


def selected(samples, selection):
    """The bits of the best samples, the earlier first among equals."""
    ranked = sorted(samples, key=lambda sample: sample[0])  # a stable sort
    return [bits for _, bits in ranked[:selection]]


def clipped(probability, n, parameters):
    """Within [margin/n, 1 - margin/n], which is 1/2 alone if it is empty."""
    bound = min(parameters.margin / n, 0.5)
    return min(max(probability, bound), 1 - bound)
