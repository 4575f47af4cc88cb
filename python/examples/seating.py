# SPDX-License-Identifier: Apache-2.0
# Who sits where at two tables: friends side by side, rivals apart, and two chairs stay empty.
# [seating]
import qapfw

GUESTS = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana", "Ivo", "Jo"]
CHAIRS = [f"{table}{chair}" for table in "AB" for chair in range(1, 7)]  # two round tables of six
LIKES = {("Ada", "Ben"): 5, ("Cleo", "Dan"): 5, ("Eve", "Finn"): 4, ("Gil", "Hana"): 5, ("Ivo", "Jo"): 5,
         ("Ada", "Cleo"): 3, ("Ben", "Gil"): 2, ("Eve", "Jo"): 3, ("Dan", "Ivo"): -4, ("Ada", "Eve"): -5,
         ("Finn", "Hana"): -3, ("Cleo", "Jo"): 2}


def closeness(a, b):
    """Nearness of two seats: 1 side by side, 0.3 at the same table, 0 at different tables."""
    apart = abs(int(a[1]) - int(b[1]))
    return 0 if a[0] != b[0] or a == b else 1 if apart in (1, 5) else 0.3


likes = [[LIKES.get((a, b), 0) for b in GUESTS] for a in GUESTS]
closeness_of_chairs = [[closeness(a, b) for b in CHAIRS] for a in CHAIRS]
window = [[2 if guest == "Hana" and chair in ("A1", "B1") else 0 for chair in CHAIRS] for guest in GUESTS]

result = qapfw.solve(likes, closeness_of_chairs, linear=window, maximize=True, facilities=GUESTS, locations=CHAIRS,
                     fixed={"Ada": "A1"},                       # Ada gives the speech
                     forbidden=[("Gil", "A6"), ("Gil", "B6")],  # beside the drums
                     time_limit=10)
guest_on = {chair: guest for guest, chair in result.assignment.items()}
for table in "AB":
    print(f"table {table}:", ", ".join(guest_on.get(f"{table}{chair}", "(empty)") for chair in range(1, 7)))
print("happiness", round(result.cost, 2))
# [seating-end]
