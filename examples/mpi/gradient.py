"""Data-parallel gradient descent: each process of MPI has a part of the rows, one sum over the
processes gives the loss and the gradient of all.

    mpirun -n 4 python gradient.py
"""

import os

import numpy as np
from mpi4py import MPI

import dagaz

ROWS, D, STEPS = 1000, 5, 50
world = MPI.COMM_WORLD
p = dagaz.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "logistic.fut"))

# Rows first .. last - 1 of the data; parts differ by one row at most, and may be empty.
first, last = ROWS * world.rank // world.size, ROWS * (world.rank + 1) // world.size
i, k = np.arange(first, last)[:, None], np.arange(D)
xs = np.sin((7 * i + 13 * k * k).astype(float) + 1)
ys = np.where(xs @ (k - 1.5) + np.sin(3.0 * i[:, 0]) > 0, 1.0, -1.0)

w, whole = np.zeros(D), np.zeros(D + 1)
for step in range(STEPS + 1):
    world.Allreduce(np.ascontiguousarray(p.value_and_gradient(xs, ys, w)), whole, op=MPI.SUM)
    if step < STEPS:
        w = w - 2.0 / ROWS * whole[1:]
if world.rank == 0:
    print(f"loss {whole[0]:.9f}")
    print("weights", *(f"{x:.9f}" for x in w))
