/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Fuzzes restoring: the input chooses a machine and changes its saved string, whose check sum is
 * then corrected or not. A refused string must change nothing; a restored machine must work, and
 * saving it must give the same string.
 */
#include <stdlib.h>
#include <string.h>

#include <model/saving/saving.h>
#include <tests/unit/model/saving/saving_world.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STRING = 1 << 18, STEPS = 150 };

#define REQUIRE(condition) \
	do { \
		if (!(condition)) \
			abort(); \
	} while (0)

static struct world world;
static unsigned char string[STRING], saved[STRING], before[STRING], after[STRING];

/*
 * Creates a machine that has done something, and saves it to string; returns the string's length.
 */
static size_t start(unsigned row, unsigned age)
{
	world_create(&world, &world_rows[row], age);
	world_run(&world, age * 40);
	return refpmu_save(world.machine, string, STRING);
}

/* Changes the string: three bytes say where and how. Returns the string's new length. */
static size_t change(size_t length, const uint8_t *data, size_t size)
{
	for (; size >= 3; data += 3, size -= 3) {
		size_t at = (size_t)(data[0] << 8 | data[1]) % length;

		string[at] = data[2];
	}
	return size == 2 ? length * data[0] / 256 : length;
}

static void make_right(size_t length)
{
	if (length < SAVED_HEADER)
		return;
	saver_put(string + 16, 8, length);
	saver_put(string + SAVED_SUM, 8,
	          saver_sum(string + SAVED_HEADER, length - SAVED_HEADER));
}

/*
 * Shortens invented lengths of work under way, each cycle of which may overflow a counter: they
 * could take hours.
 */
static void shorten(struct refpmu_cpu *m)
{
	struct cache_observed *observed = &m->caches.observed;

	for (unsigned i = 0; i < MODEL_UNITS; i++)
		m->busy[i] &= 0xff;
	memset(&observed->pending, 0, sizeof(observed->pending));
	memset(&m->core->caches.snooped, 0, sizeof(m->core->caches.snooped));
	memcpy(observed->seen.count, m->package->machine->caches.bus.count,
	       sizeof(observed->seen.count));
	observed->seen.locks = m->package->machine->caches.bus.locks;
	m->caches.pending = (struct cache_cost){ .is_alone = false };
	memset(&m->netburst.effects, 0, sizeof(m->netburst.effects));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t length, old;
	bool is_right;

	if (size < 3)
		return 0;
	length = start(data[0] % WORLD_ROWS, data[1]);
	REQUIRE(length);
	is_right = data[2] & 1;
	length = change(length, data + 3, size - 3);
	if (is_right)
		make_right(length);
	world_run(&world, data[2]);
	old = refpmu_save(world.machine, before, STRING);
	if (refpmu_restore(world.machine, string, length) != REFPMU_RESTORED) {
		REQUIRE(refpmu_save(world.machine, after, STRING) == old);
		REQUIRE(memcmp(before, after, old) == 0);
		return 0;
	}
	length = refpmu_save(world.machine, saved, STRING);
	REQUIRE(length);
	REQUIRE(refpmu_restore(world.machine, saved, length) == REFPMU_RESTORED);
	REQUIRE(refpmu_save(world.machine, after, STRING) == length);
	REQUIRE(memcmp(saved, after, length) == 0);
	for (unsigned i = 0; i < world.cpus; i++) {
		world.cpu[i].is_halted = false;
		shorten(world.cpu[i].model);
	}
	world_run(&world, STEPS);
	return 0;
}
