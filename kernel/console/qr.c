/* SPDX-License-Identifier: MIT */
/* Source: ISO/IEC 18004, "Symbol structure", "Data masking", "Format information". */
#include <kernel/console/qr.h>

#include <arch/regs/table.h>
#include <kernel/console/qr_code.h>
#include <kernel/lib/string.h>

/* These are the flags of a module. */
#define DARK       0x01U
#define FUNCTION   0x02U                /* part of a pattern or of information: no data, no mask */

bool qr_is_dark(const struct qr *qr, int column, int row)
{
	const int size = (int)qr->size;

	return column >= 0 && row >= 0 && column < size && row < size &&
	       (qr->module[row][column] & DARK);
}

static void set(struct qr *qr, unsigned column, unsigned row, bool is_dark)
{
	qr->module[row][column] = FUNCTION | (is_dark ? DARK : 0);
}

/* ---------------------------------------------------------------------------- patterns */

static unsigned distance(int column, int row)
{
	const unsigned x = (unsigned)(column < 0 ? -column : column);
	const unsigned y = (unsigned)(row < 0 ? -row : row);

	return x > y ? x : y;
}

/* Draws rings around a centre: a finder with its separator, or an alignment pattern. */
static void put_rings(struct qr *qr, unsigned column, unsigned row, int radius, unsigned light)
{
	for (int y = -radius; y <= radius; y++)
		for (int x = -radius; x <= radius; x++) {
			const unsigned at_x = column + (unsigned)x, at_y = row + (unsigned)y;
			const unsigned ring = distance(x, y);

			if (at_x < qr->size && at_y < qr->size)
				set(qr, at_x, at_y, ring != light && ring != 4);
		}
}

static unsigned alignment_at(const struct qr *qr, unsigned i, unsigned count)
{
	const unsigned step = (qr->version * 4 + count * 2 + 1) / (count * 2 - 2) * 2;

	return i ? qr->size - 7 - (count - 1 - i) * step : 6;
}

static void put_alignments(struct qr *qr)
{
	const unsigned count = qr->version == 1 ? 0 : qr->version / 7 + 2, last = count - 1;

	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < count; j++)
			if (!((i == 0 && j == 0) || (i == 0 && j == last) || (i == last && j == 0)))
				put_rings(qr, alignment_at(qr, i, count),
				          alignment_at(qr, j, count), 2, 1);
}

static void put_patterns(struct qr *qr)
{
	for (unsigned i = 0; i < qr->size; i++) {
		set(qr, 6, i, i % 2 == 0);
		set(qr, i, 6, i % 2 == 0);
	}
	put_rings(qr, 3, 3, 4, 2);
	put_rings(qr, qr->size - 4, 3, 4, 2);
	put_rings(qr, 3, qr->size - 4, 4, 2);
	put_alignments(qr);
}

/* ---------------------------------------------------------------------------- information */

/* Appends to value the remainder of its division by the polynomial, which makes it a BCH code. */
static unsigned with_remainder(unsigned value, unsigned polynomial, unsigned degree)
{
	unsigned rest = value;

	for (unsigned i = 0; i < degree; i++)
		rest = rest << 1 ^ (rest >> (degree - 1) & 1) * polynomial;
	return value << degree | rest;
}

/* Writes the format twice: around the finder in the corner, and split between the other two. */
static void put_format(struct qr *qr)
{
	static const uint8_t corner[] = { 0, 1, 2, 3, 4, 5, 7, 8 };
	const unsigned level = qr->level == QR_L ? 1 : 0;
	const unsigned bits = with_remainder(level << 3 | qr->mask, 0x537, 10) ^ 0x5412;

	for (unsigned i = 0; i < 15; i++) {
		const bool is_dark = bits >> i & 1;

		if (i < COUNT_OF(corner)) {
			set(qr, 8, corner[i], is_dark);
			set(qr, qr->size - 1 - i, 8, is_dark);
		} else {
			set(qr, i == 8 ? 7 : 14 - i, 8, is_dark);
			set(qr, 8, qr->size - 15 + i, is_dark);
		}
	}
	set(qr, 8, qr->size - 8, true);
}

static void put_version(struct qr *qr)
{
	const unsigned bits = with_remainder(qr->version, 0x1F25, 12);

	for (unsigned i = 0; qr->version >= 7 && i < 18; i++) {
		const unsigned far = qr->size - 11 + i % 3, near = i / 3;

		set(qr, far, near, bits >> i & 1);
		set(qr, near, far, bits >> i & 1);
	}
}

/* ---------------------------------------------------------------------------- data and masks */

/* Fills columns of two from the right, upwards and downwards in turn, skipping column 6. */
static void put_codewords(struct qr *qr, const uint8_t *codewords, unsigned count)
{
	unsigned bit = 0;

	for (unsigned pair = 0; pair < (qr->size - 1) / 2; pair++) {
		const unsigned right = qr->size - 1 - 2 * pair;
		const unsigned column = right <= 6 ? right - 1 : right;

		for (unsigned i = 0; i < 2 * qr->size; i++) {
			const unsigned row = pair % 2 ? i / 2 : qr->size - 1 - i / 2;
			uint8_t *module = &qr->module[row][column - i % 2];

			if (*module & FUNCTION || bit == count * 8)
				continue;
			*module = codewords[bit / 8] >> (7 - bit % 8) & 1 ? DARK : 0;
			bit++;
		}
	}
}

static bool is_masked(unsigned mask, unsigned x, unsigned y)
{
	switch (mask) {
	case 0:  return (x + y) % 2 == 0;
	case 1:  return y % 2 == 0;
	case 2:  return x % 3 == 0;
	case 3:  return (x + y) % 3 == 0;
	case 4:  return (x / 3 + y / 2) % 2 == 0;
	case 5:  return x * y % 2 + x * y % 3 == 0;
	case 6:  return (x * y % 2 + x * y % 3) % 2 == 0;
	default: return ((x + y) % 2 + x * y % 3) % 2 == 0;
	}
}

/* Applying the same mask twice removes it. */
static void apply_mask(struct qr *qr, unsigned mask)
{
	for (unsigned y = 0; y < qr->size; y++)
		for (unsigned x = 0; x < qr->size; x++)
			if (!(qr->module[y][x] & FUNCTION) && is_masked(mask, x, y))
				qr->module[y][x] ^= DARK;
	qr->mask = mask;
	put_format(qr);
}

/* ---------------------------------------------------------------------------- penalties */

/*
 * If the last 11 modules of a line, the newest in bit 0, have one of these values, they look like a
 * finder with 4 light ones before or after it.
 */
enum { FINDER_BEFORE = 0x05D, FINDER_BEHIND = 0x5D0, FINDER_BITS = 0x7FF };

/* Runs of 5 cost 3, and 1 more for each further module; a finder's look costs 40. */
static unsigned line_penalty(const struct qr *qr, unsigned line, bool is_column)
{
	unsigned penalty = 0, run = 0, seen = 0;
	bool last = false;

	for (unsigned i = 0; i < qr->size; i++) {
		const bool is_dark = (is_column ? qr->module[i][line] : qr->module[line][i]) & DARK;

		run = i && is_dark == last ? run + 1 : 1;
		penalty += run == 5 ? 3 : run > 5 ? 1 : 0;
		last = is_dark;
		seen = (seen << 1 | is_dark) & FINDER_BITS;
		if (i >= 10 && (seen == FINDER_BEFORE || seen == FINDER_BEHIND))
			penalty += 40;
	}
	return penalty;
}

static unsigned square_penalty(const struct qr *qr)
{
	unsigned penalty = 0;

	for (unsigned y = 0; y + 1 < qr->size; y++)
		for (unsigned x = 0; x + 1 < qr->size; x++) {
			const unsigned dark = (qr->module[y][x] & DARK) +
				(qr->module[y][x + 1] & DARK) + (qr->module[y + 1][x] & DARK) +
				(qr->module[y + 1][x + 1] & DARK);

			penalty += dark == 0 || dark == 4 ? 3 : 0;
		}
	return penalty;
}

/* Costs 10 for each full 5 % by which the share of dark modules differs from half. */
static unsigned balance_penalty(const struct qr *qr)
{
	const unsigned all = qr->size * qr->size;
	unsigned dark = 0;

	for (unsigned y = 0; y < qr->size; y++)
		for (unsigned x = 0; x < qr->size; x++)
			dark += qr->module[y][x] & DARK;
	return (2 * dark > all ? 2 * dark - all : all - 2 * dark) * 10 / all * 10;
}

static unsigned penalty_of(const struct qr *qr)
{
	unsigned penalty = square_penalty(qr) + balance_penalty(qr);

	for (unsigned i = 0; i < qr->size; i++)
		penalty += line_penalty(qr, i, false) + line_penalty(qr, i, true);
	return penalty;
}

static void choose_mask(struct qr *qr)
{
	unsigned best = 0, least = ~0U;

	for (unsigned mask = 0; mask < 8; mask++) {
		unsigned penalty;

		apply_mask(qr, mask);
		penalty = penalty_of(qr);
		if (penalty < least) {
			least = penalty;
			best = mask;
		}
		apply_mask(qr, mask);
	}
	apply_mask(qr, best);
}

/* Returns the smallest version in which the data fits, or 0. */
static unsigned find_version(unsigned length, bool is_capitals, enum qr_level level,
                             unsigned version_max)
{
	for (unsigned version = 1; version <= version_max && version <= QR_VERSION_MAX; version++)
		if (length <= (is_capitals ? qr_capacity_capitals(version, level)
		                           : qr_capacity(version, level)))
			return version;
	return 0;
}

bool qr_encode(struct qr *qr, const void *data, unsigned length, unsigned version_max)
{
	static uint8_t codewords[QR_CODEWORDS_MAX];
	const bool is_capitals = qr_code_is_capitals(data, length);
	unsigned count;

	memset(qr, 0, sizeof(*qr));
	qr->level = find_version(length, is_capitals, QR_M, version_max) ? QR_M : QR_L;
	qr->version = find_version(length, is_capitals, qr->level, version_max);
	if (!qr->version)
		return false;
	qr->size = 17 + 4 * qr->version;
	put_patterns(qr);
	put_format(qr);
	put_version(qr);
	count = qr_code_make(codewords, qr->version, qr->level, data, length);
	put_codewords(qr, codewords, count);
	choose_mask(qr);
	return true;
}
