/* SPDX-License-Identifier: MIT */
#include <kernel/end/end_code.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/self.h>
#include <arch/smp/kinds.h>
#include <kernel/console/qr.h>
#include <kernel/face/face.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/lib/version.h>
#include <kernel/log/id_numbers.h>
#include <kernel/log/summary.h>
#include <kernel/machine/machine.h>

enum { GAP_COLUMNS = 1, HEAD_SIZE = 128 };

static SHARED struct qr qr;             /* size is 0 if there is no QR code */

unsigned end_code_columns(void)
{
	return qr.size ? qr.size + 2 * QR_QUIET + GAP_COLUMNS : 0;
}

/*
 * Returns the largest version that leaves room for text, or 0 if not even the smallest does. A cell
 * is two modules high.
 */
static unsigned largest_version(const struct screen *screen)
{
	const unsigned taken = END_TEXT_COLUMNS_MIN + GAP_COLUMNS;
	const unsigned wide = screen->columns > taken ? screen->columns - taken : 0;
	const unsigned high = 2 * screen->rows, side = wide < high ? wide : high;

	return side < 21 + 2 * QR_QUIET ? 0 : (side - 2 * QR_QUIET - 17) / 4;
}

/* Adds " P23 F2" and so on: what there is of each kind. */
static void add_counts(char *head, size_t size, const struct face *face)
{
	static const char letters[FACE_KINDS] = {
		[FACE_PASSED] = 'P', [FACE_FAILED] = 'F', [FACE_BROKEN] = 'X',
		[FACE_ERRATUM] = 'E', [FACE_SKIPPED] = 'S',
	};

	for (unsigned i = 0; i < FACE_KINDS; i++)
		if (face->count[i])
			format_buf(head + strlen(head), size - strlen(head), " %c%u", letters[i],
			           face->count[i]);
}

/* Adds " Core:2 F0 Atom:4 F3" on a hybrid: each kind's processors, and what failed there. */
static void add_kinds(char *head, size_t size)
{
	for (unsigned i = 0; i < kinds_count() && kinds_count() > 1; i++) {
		const struct kind *k = kind_at(i);
		unsigned cpus = 0;

		for (uint64_t set = k->cpus; set; set &= set - 1)
			cpus++;
		format_buf(head + strlen(head), size - strlen(head), " %s:%u F%u", k->name, cpus,
		           face_bad_on(k->cpus));
	}
}

void end_code_make(const struct screen *screen)
{
	static SHARED char text[SUMMARY_SIZE];
	static SHARED struct id_set failed;
	const unsigned largest = largest_version(screen);
	const unsigned version = largest < QR_VERSION_MAX ? largest : QR_VERSION_MAX;
	const struct face *face = face_get();
	char head[HEAD_SIZE];

	qr.size = 0;
	if (!version || face->is_text)
		return;
	failed = (struct id_set){ 0 };
	for (unsigned i = 0; i < face->failures && i < FACE_FAILURES_MAX; i++)
		id_set_add(&failed, id_number(face->failure[i].id));
	failed.count = face->failures;
	format_buf(head, sizeof(head), "Barecount " BARECOUNT_VERSION " %u %s %X %s",
	           (unsigned)sizeof(void *) * 8, machine_cpu()->vendor_name, cpuid_read(1, 0).eax,
	           face->word ? face->word : "BROKEN");
	add_counts(head, sizeof(head), face);
	add_kinds(head, sizeof(head));
	summary_write(text, qr_capacity_capitals(version, QR_L), head, &failed);
	if (!qr_encode(&qr, text, (unsigned)strlen(text), version))
		qr.size = 0;
}

/* Unlit cells are the dark modules. */
void end_code_draw(struct screen *screen)
{
	static const uint8_t cells[] = { SCREEN_BLANK, SCREEN_UPPER, SCREEN_LOWER, SCREEN_FULL };
	const unsigned side = qr.size + 2 * QR_QUIET, left = screen->columns - side;

	if (!qr.size)
		return;
	for (unsigned row = 0; row < screen->rows; row++)
		pen_set(screen, left - 1, row, SCREEN_BLANK);
	for (unsigned row = 0; row < screen->rows; row++)
		for (unsigned column = 0; column < side; column++) {
			const int x = (int)column - QR_QUIET, y = (int)(2 * row) - QR_QUIET;
			const bool is_upper = 2 * row < side && !qr_is_dark(&qr, x, y);
			const bool is_lower = 2 * row + 1 < side && !qr_is_dark(&qr, x, y + 1);

			pen_set(screen, left + column, row, cells[is_upper | is_lower << 1]);
		}
}
