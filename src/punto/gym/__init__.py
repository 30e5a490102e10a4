"""Gymnasium environments over whole shoes of any game, with a stake on every wager. They need the extra ``gym``.

>>> import gymnasium
>>> import punto.gym
>>> env = gymnasium.make("punto/Baccarat-v0", game="tiger")
>>> observation, info = env.reset(seed=1)
>>> observation["unexposed"].sum().item()
416
>>> envs = gymnasium.make_vec("punto/Baccarat-v0", num_envs=1000, game="tiger")    # one compiled step for all
>>> observations, infos = envs.reset(seed=1)
>>> observations["unexposed"].shape
(1000, 52)
"""

import gymnasium

from punto.gym.single_environment import Baccarat
from punto.gym.vector_environment import BaccaratVector

__all__ = ["Baccarat", "BaccaratVector"]

gymnasium.register(
    id="punto/Baccarat-v0", entry_point="punto.gym:Baccarat", vector_entry_point="punto.gym:BaccaratVector"
)
