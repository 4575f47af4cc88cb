# SPDX-License-Identifier: Apache-2.0
# A hospital: which ward moves into which room, so that patients and staff walk least?
# [wards]
import qapfw

FLOORS = {0: ["Entrance hall", "Garden wing", "West wing"], 1: ["North room", "South room", "Bridge"],
          2: ["Quiet room", "Sun room", "Corner"]}
ROOMS = {room: (floor, metres) for floor, rooms in FLOORS.items() for room, metres in zip(rooms, (10, 40, 80))}
WARDS = ["Emergency", "Radiology", "Surgery", "Intensive care", "Cardiology", "Maternity", "Children", "Pharmacy"]
WAYS = {  # a day
    ("Emergency", "Radiology"): 60, ("Emergency", "Surgery"): 25, ("Surgery", "Intensive care"): 30,
    ("Emergency", "Cardiology"): 15, ("Cardiology", "Radiology"): 20, ("Maternity", "Children"): 18,
    ("Maternity", "Surgery"): 6, ("Pharmacy", "Intensive care"): 12, ("Pharmacy", "Children"): 8,
    ("Radiology", "Surgery"): 22}


def metres(a, b):
    """The way between two rooms, in metres. The lift to other floors is at 0 m, and each floor counts as 30 m."""
    (floor_a, x), (floor_b, y) = ROOMS[a], ROOMS[b]
    return abs(x - y) if floor_a == floor_b else x + y + 30 * abs(floor_a - floor_b)


flow = [[WAYS.get((a, b), 0) for b in WARDS] for a in WARDS]
distance = [[metres(a, b) for b in ROOMS] for a in ROOMS]
visitors = {"Maternity": 80, "Children": 60}  # number of visitors a day; they come from the entrance
linear = [[visitors.get(ward, 0) * metres("Entrance hall", room) for room in ROOMS] for ward in WARDS]

result = qapfw.solve(flow, distance, linear=linear, facilities=WARDS, locations=ROOMS,
                     fixed={"Emergency": "Entrance hall"},
                     forbidden=[("Intensive care", room) for room in FLOORS[2]],  # no lift when the power fails
                     time_limit=10)
ward_in = {room: ward for ward, room in result.assignment.items()}
for floor in (2, 1, 0):
    print(f"floor {floor}:", " | ".join(f"{room}: {ward_in.get(room, '-')}" for room in FLOORS[floor]))
print(f"{result.cost / 1000:.1f} km a day")
# [wards-end]
