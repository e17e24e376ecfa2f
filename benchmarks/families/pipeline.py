"""The choices of a scikit-learn pipeline: the error of a regression, cross-validated.

The features of a preprocessing and the error of what a model is made of are remembered, so that a
point is computed once in a process and all 7,680 together in seconds.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.families.task import Task

SCALERS = ("none", "standard", "minmax", "robust")
DEGREES = (1, 2)
KEPT = (3, 5, 8, "all")
COMPONENTS = ("all", 2, 4)
MODELS = ("ridge", "pls", "neighbours", "tree", "kernel")
STRENGTHS = (0.001, 0.1, 1.0, 10.0)
SIZES = (2, 5, 12, 30)

CHOICES = (SCALERS, DEGREES, KEPT, COMPONENTS, MODELS, STRENGTHS, SIZES)
CARDINALITIES = np.array([len(choice) for choice in CHOICES])
STRONG = ("ridge", "kernel")  # models that have a strength of regularisation
SIZED = ("neighbours", "tree", "kernel")  # and those that have a size

Folds = tuple[tuple[NDArray[np.float64], ...], ...]


def task() -> Task:
    """Return the task: how fast diabetes progresses, on the data set of scikit-learn."""
    return Task("pipeline-7", "pipeline", CARDINALITIES, error)


def error(categories: NDArray[np.int64]) -> float:
    """Return the mean squared error of a threefold cross-validation, in units of the variance."""
    labels = [choice[k] for choice, k in zip(CHOICES, categories.tolist(), strict=True)]
    *preprocessing, model, strength, size = labels
    return _error(
        tuple(preprocessing),
        model,
        strength if model in STRONG else None,
        size if model in SIZED else None,
    )


@cache
def _error(preprocessing: tuple[Any, ...], model: str, strength: Any, size: Any) -> float:
    squares, count = 0.0, 0
    for train, answers, test, truth in _folds(*preprocessing):
        predicted = model_named(model, strength, size).fit(train, answers).predict(test)
        squares += ((predicted - truth) ** 2).sum()
        count += len(truth)
    return float(squares / count)


@cache
def _folds(scaler: str, degree: int, kept: Any, components: Any) -> Folds:
    """Return features and answers to fit with, and to test with, of each of three folds."""
    from sklearn.datasets import load_diabetes
    from sklearn.decomposition import PCA
    from sklearn.feature_selection import SelectKBest, f_regression
    from sklearn.model_selection import KFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import PolynomialFeatures

    steps: list[Any] = [] if scaler == "none" else [scaler_named(scaler)]
    if degree > 1:
        steps.append(PolynomialFeatures(degree, include_bias=False))
    if kept != "all":
        steps.append(SelectKBest(f_regression, k=kept))
    if components != "all":
        steps.append(PCA(3 if kept == 3 and components == 4 else components, random_state=0))
    features, answers = load_diabetes(return_X_y=True)
    answers = (answers - answers.mean()) / answers.std()
    found = []
    for train, test in KFold(3, shuffle=True, random_state=0).split(features):
        chain = make_pipeline(*steps, "passthrough")
        fitted = chain.fit_transform(features[train], answers[train])
        found.append((fitted, answers[train], chain.transform(features[test]), answers[test]))
    return tuple(found)


def scaler_named(name: str) -> Any:
    """Return a scaler with its defaults."""
    from sklearn import preprocessing

    return {
        "standard": preprocessing.StandardScaler,
        "minmax": preprocessing.MinMaxScaler,
        "robust": preprocessing.RobustScaler,
    }[name]()


def model_named(name: str, strength: Any, size: Any) -> Any:
    """Return a regression with its strength of regularisation and its size."""
    from sklearn.cross_decomposition import PLSRegression
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.linear_model import Ridge
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.tree import DecisionTreeRegressor

    if name == "ridge":
        return Ridge(strength)
    if name == "pls":
        return PLSRegression(2)
    if name == "neighbours":
        return KNeighborsRegressor(size)
    if name == "tree":
        return DecisionTreeRegressor(min_samples_leaf=size, random_state=0)
    return KernelRidge(alpha=strength, kernel="rbf", gamma=1 / size)
