"""Measuring speed, memory and size, and comparing with figures kept earlier.

``cases`` lists what is measured, ``measuring`` does it, each case in a process of its own so that its peak memory is
its own, ``calibration`` is the yardstick that moves with the machine, ``figures`` keeps and compares.
"""
