# SPDX-License-Identifier: Apache-2.0
# A keyboard for a text: letters that often follow each other lie close together.
# [keyboard]
from collections import Counter
from math import dist

import qapfw

TEXT = """Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or
twice she had peeped into the book her sister was reading, but it had no pictures or conversations in it, "and what is the
use of a book," thought Alice "without pictures or conversations?" So she was considering in her own mind (as well as she
could, for the hot day made her feel very sleepy and stupid), whether the pleasure of making a daisy-chain would be worth
the trouble of getting up and picking the daisies, when suddenly a White Rabbit with pink eyes ran close by her."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"
ROWS = [("qwertyuiop", 0.0), ("asdfghjkl;", 0.25), ("zxcvbnm,./", 0.75)]  # the keys of a row, and how far it is shifted
KEYS = {key: (shift + k, row) for row, (keys, shift) in enumerate(ROWS) for k, key in enumerate(keys)}

pairs = Counter(zip(TEXT.lower(), TEXT.lower()[1:]))
flow = [[pairs[a, b] for b in LETTERS] for a in LETTERS]
distance = [[dist(p, q) for q in KEYS.values()] for p in KEYS.values()]  # 30 keys: four stay free
# The effort of a key grows with its distance from the middle row, and a little with that from the middle column.
effort = [[abs(y - 1) + abs(x - 4.5) / 9 for x, y in KEYS.values()] for _ in LETTERS]
counts = Counter(TEXT.lower())
linear = [[counts[letter] * cost for cost in row] for letter, row in zip(LETTERS, effort)]

result = qapfw.solve(flow, distance, linear=linear, facilities=list(LETTERS), locations=KEYS,
                     fixed={key: key for key in "zxcv"},  # undo, cut, copy and paste stay where they are
                     time_limit=1)
letter_at = {key: letter for letter, key in result.assignment.items()}
for keys, shift in ROWS:
    print(" " * int(4 * shift) + " ".join(f"[{letter_at.get(key, ' ')}]" for key in keys))
print(f"cost {result.cost:.0f}; the usual keyboard costs "
      f"{qapfw.qap_cost(flow, distance, [list(KEYS).index(letter) for letter in LETTERS], linear):.0f}")
# [keyboard-end]
