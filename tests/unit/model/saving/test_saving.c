/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/* Tests that a machine that was saved and restored continues like one that was not. */
#include <tests/unit/model/saving/saving_world.h>
#include <tests/unit/unit.h>

enum { ROUNDS = 24, STEPS = 700, STRING = 1 << 20 };

static struct world a, b;
static unsigned char string[STRING], again[STRING];

static size_t save(const struct world *w, unsigned char *to)
{
	size_t size = refpmu_save_size(w->machine);

	if (size > STRING)
		abort();
	check_eq_u64("size", refpmu_save(w->machine, to, size), size);
	return size;
}

/* Restores a's state into b: into b as it is or, if is_fresh, after b was poisoned and created
 * anew. */
static void restore_into_b(bool is_fresh)
{
	size_t size = save(&a, string);

	if (is_fresh) {
		memset(b.arena, 0xa5, sizeof(b.arena));
		world_create_model(&b);
	}
	check_eq_u64(a.row->name, refpmu_restore(b.machine, string, size), REFPMU_RESTORED);
	world_copy(&b, &a);
	check_eq_u64("size if saved again", save(&b, again), size);
	check_eq_u64("bytes if saved again", memcmp(string, again, size), 0);
}

static void check_row(const struct world_row *row)
{
	world_create(&a, row, row->signature);
	world_create(&b, row, 1);
	for (unsigned round = 0; round < ROUNDS; round++) {
		world_run(&a, STEPS + round);
		restore_into_b(round % 2);
		world_run(&a, STEPS);
		world_run(&b, STEPS);
		if (!check_eq_u64(row->name, b.sum, a.sum))
			return;
	}
	check_true(row->name, a.pmis > 0 || row->kind == WORLD_P5);    /* P5 has a pin instead */
}

UNIT_TEST(a_restored_machine_continues_as_if_nothing_had_happened)
{
	for (unsigned i = 0; i < WORLD_ROWS; i++)
		check_row(&world_rows[i]);
}

/* If the machines did little, the test above would prove little. */
UNIT_TEST(the_machines_do_much)
{
	unsigned records = 0;

	for (unsigned i = 0; i < WORLD_ROWS; i++) {
		world_create(&a, &world_rows[i], i);
		world_run(&a, 20000);
		check_true(a.row->name, a.cpu[0].view->cycles > 10000);
		records += a.writes;
	}
	check_true("many records were written", records > 100);
}

UNIT_TEST(making_plans_anew_changes_no_saved_state)
{
	for (unsigned i = 0; i < WORLD_ROWS; i++) {
		world_create(&a, &world_rows[i], 7 * i);
		for (unsigned round = 0; round < 25; round++) {
			size_t size;

			world_run(&a, 200);
			size = save(&a, string);
			check_eq_u64("restored", refpmu_restore(a.machine, string, size),
			             REFPMU_RESTORED);
			check_eq_u64("size", save(&a, again), size);
			check_eq_u64(a.row->name, memcmp(string, again, size), 0);
		}
	}
}

UNIT_TEST(nothing_is_written_beyond_the_given_size)
{
	size_t size;

	world_create(&a, &world_rows[0], 1);
	world_run(&a, STEPS);
	size = refpmu_save_size(a.machine);
	for (size_t room = 0; room < size; room += 13) {
		string[room] = 0x5a;
		check_eq_u64("saving into too few bytes", refpmu_save(a.machine, string, room), 0);
		check_eq_u64("the byte after the given size", string[room], 0x5a);
	}
	check_eq_u64("saving into enough bytes", refpmu_save(a.machine, string, size), size);
	check_eq_u64("saving into more bytes", refpmu_save(a.machine, string, size + 1), size);
}

/* ---------------------------------------------------------------------------- refused */

static size_t string_of(const struct world_row *row)
{
	world_create(&a, row, 3);
	world_run(&a, 5000);
	world_create(&b, row, 3);
	world_run(&b, 100);
	return save(&a, string);
}

/* Checks that the string is refused with this result, and that b does not change. */
static void check_refused(const unsigned char *bytes, size_t size, enum refpmu_restored result)
{
	static struct world before;

	memcpy(&before, &b, sizeof(b));
	check_eq_u64(b.row->name, refpmu_restore(b.machine, bytes, size), result);
	check_eq_u64("bytes changed", memcmp(&before, &b, sizeof(b)), 0);
}

UNIT_TEST(a_truncated_string_is_refused)
{
	size_t size = string_of(&world_rows[2]);

	for (size_t cut = 0; cut < size; cut += cut < 64 ? 1 : 97)
		check_refused(string, cut, REFPMU_DAMAGED);
	check_refused(string, size - 1, REFPMU_DAMAGED);
	check_refused(string, size + 1, REFPMU_DAMAGED);
}

UNIT_TEST(every_changed_bit_is_noticed)
{
	size_t size = string_of(&world_rows[5]);

	for (size_t at = 0; at < size; at += at < 64 ? 1 : 61) {
		unsigned char bit = (unsigned char)(1 << at % 8);

		string[at] ^= bit;
		check_refused(string, size, at >= 8 && at < 16 ? REFPMU_OTHER_VERSION :
		                                                 REFPMU_DAMAGED);
		string[at] ^= bit;
	}
	check_eq_u64("the unchanged string",
	             refpmu_restore(b.machine, string, size), REFPMU_RESTORED);
}

UNIT_TEST(another_machine_is_refused)
{
	for (unsigned i = 0; i < WORLD_ROWS; i++) {
		size_t size = string_of(&world_rows[i]);

		for (unsigned j = 0; j < WORLD_ROWS; j++) {
			if (i == j)
				continue;
			world_create(&b, &world_rows[j], 1);
			check_refused(string, size, REFPMU_OTHER_MACHINE);
		}
	}
}

UNIT_TEST(a_machine_without_processors_can_be_saved)
{
	static struct refpmu_machine *empty;

	world_create(&a, &world_rows[0], 1);
	empty = refpmu_machine_create(b.arena);
	check_eq_u64("size of the string",
	             refpmu_save(empty, string, STRING), refpmu_save_size(empty));
	check_eq_u64("restoring it", refpmu_restore(empty, string, refpmu_save_size(empty)),
	             REFPMU_RESTORED);
	check_eq_u64("restoring it into another machine",
	             refpmu_restore(a.machine, string, refpmu_save_size(empty)),
	             REFPMU_OTHER_MACHINE);
}

/* A machine with a seed still varies after it was restored. */
UNIT_TEST(variation_is_part_of_the_state)
{
	for (unsigned keeps = 0; keeps < 2; keeps++) {
		world_create(&a, &world_rows[11], 5);
		world_create(&b, &world_rows[11], 5);
		refpmu_machine_perturb(a.machine, 77);
		if (keeps)
			refpmu_machine_keep(a.machine);
		for (unsigned round = 0; round < 8; round++) {
			world_run(&a, STEPS);
			restore_into_b(true);
			world_run(&a, STEPS);
			world_run(&b, STEPS);
			check_eq_u64("sum of the restored machine", b.sum, a.sum);
		}
	}
}

UNIT_MAIN()
