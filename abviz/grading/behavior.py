"""What a wrong answer did in many trials, as a digest: answers that did the same have the same."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from abviz.exercises.judgement import FunctionExercise, Judgement
from abviz.exercises.observation import Job, Observation

FEWEST_TRIALS = 50  # that tell answers apart


@dataclass(frozen=True)
class Behavior:
    """What a wrong answer did in the trials in which answers are compared."""

    digest: str  # of the values returned and the leaves read, in order
    trials: int
    wrong: int  # of these trials


def behavior_of(
    exercise: FunctionExercise, judgement: Judgement, observed: Mapping[Job, Observation]
) -> Behavior | None:
    """Return what a wrong answer did; None where there are too few trials to tell answers apart.

    The trials are those in which an answer is compared with the known mistakes.
    """
    places = {job: place for place, job in enumerate(exercise.sample())}
    runs = [(places[job], job) for job in observed if job in places]
    if judgement.wrong is None or judgement.is_stopped or len(runs) < FEWEST_TRIALS:
        return None

    judged = dict(judgement.log)
    digest = sha256()
    wrong = 0
    for place, job in sorted(runs, key=lambda run: run[0]):
        run = observed[job]
        # The rest of a problem has names and lines of the program
        problem = run.problem.partition(":")[0]
        digest.update(json.dumps([place, run.value, run.leaves, problem]).encode())
        wrong += exercise.difference(job, judged[job]) is not None
    return Behavior(digest.hexdigest(), trials=len(runs), wrong=wrong)
