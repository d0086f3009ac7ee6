#!/bin/bash
# How often the intervals of stats/signif and stats/longrun miss the truth, and how often a known
# difference is found: the unit tests' simulations, 30 times as many, each rate printed.
# timeout: 1800
SIMULATIONS=30 "$BIN/unit-stats" longrun signif
