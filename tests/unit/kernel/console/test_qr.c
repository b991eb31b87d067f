/* SPDX-License-Identifier: MIT */
/*
 * QR codes: module by module as another encoder makes them (qrencode 4.1.1), and read by zbarimg. A
 * reader corrects single errors, so reading alone is not enough.
 */
/* LINK: kernel/console/qr.c kernel/console/qr_code.c kernel/lib/check.c */
#include <kernel/console/qr.h>

#include <unistd.h>

#include <arch/regs/table.h>
#include <kernel/lib/check.h>
#include <tests/unit/unit.h>

enum { SCALE = 3, SIDE = (QR_SIZE_MAX + 2 * QR_QUIET) * SCALE, TEXT_MAX = 600 };

static struct qr qr;

static const char *text_of(unsigned length)
{
	static const char each[] = "ok 1 - arch.pmi.mask ";
	static char text[TEXT_MAX];

	for (unsigned i = 0; i < length; i++)
		text[i] = each[i % (sizeof(each) - 1)];
	text[length] = '\0';
	return text;
}

/* Returns the CRC of the rows as '#' and ' ' with a newline each, which covers a whole symbol. */
static uint32_t sum_of(const struct qr *q)
{
	struct check sum = { 0 };

	for (int row = 0; row < (int)q->size; row++) {
		for (int column = 0; column < (int)q->size; column++)
			check_add(&sum, qr_is_dark(q, column, row) ? '#' : ' ');
		check_add(&sum, '\n');
	}
	return sum.crc;
}

/*
 * Where both encoders choose the same mask (the standard leaves room), all modules are equal:
 *
 *	qrencode -8 -l LEVEL -v VERSION -m 0 -t ASCII "$text" |
 *		sed 's/\(.\)\1/\1/g' | crc32 /dev/stdin
 */
UNIT_TEST(another_encoder_makes_the_same)
{
	static const struct {
		unsigned length, version;
		enum qr_level level;
		uint32_t sum;
	} vectors[] = {                                                 /* what the row adds */
		{ 18, 2, QR_M, 0x987CE1B7 },                            /* an alignment pattern */
		{ 76, 5, QR_M, 0x814A1512 },                            /* blocks */
		{ 104, 6, QR_M, 0x61A0544C },
		{ 121, 7, QR_M, 0x1A8044D5 },                           /* version information */
		{ 179, 9, QR_M, 0xBF6662E8 },                           /* blocks of two sizes */
		{ 211, 10, QR_M, 0x62AC8E7D },                          /* a length of 16 bits */
		{ 311, 13, QR_M, 0x394A914E },
		{ 412, 15, QR_M, 0x23858EC3 },                          /* 16 alignment patterns */
		{ 520, 15, QR_L, 0xF5B3A64B },                          /* the other level, full */
	};

	for (unsigned i = 0; i < COUNT_OF(vectors); i++) {
		if (!check_true("it fits", qr_encode(&qr, text_of(vectors[i].length),
		                                     vectors[i].length, QR_VERSION_MAX)))
			return;
		check_eq_u64("version", qr.version, vectors[i].version);
		check_eq_u64("level", qr.level, vectors[i].level);
		check_eq_u64("the sum of all modules", sum_of(&qr), vectors[i].sum);
	}
}

UNIT_TEST(what_fits_is_told_from_what_does_not)
{
	for (unsigned version = 1; version <= QR_VERSION_MAX; version++) {
		const unsigned most = qr_capacity(version, QR_L), good = qr_capacity(version, QR_M);

		check_true("L at most", qr_encode(&qr, text_of(most), most, version));
		check_eq_u64("its version", qr.version, version);
		check_eq_u64("its level", qr.level, QR_L);
		check_true("L and one more", !qr_encode(&qr, text_of(most + 1), most + 1, version));
		check_true("M at most", qr_encode(&qr, text_of(good), good, version));
		check_eq_u64("its level", qr.level, QR_M);
		check_eq_u64("its version", qr.version, version);
	}
}

UNIT_TEST(around_it_all_is_light)
{
	check_true("it fits", qr_encode(&qr, "x", 1, 1));
	for (int i = -QR_QUIET; i < (int)qr.size + QR_QUIET; i++) {
		check_true("left", !qr_is_dark(&qr, -1, i));
		check_true("right", !qr_is_dark(&qr, (int)qr.size, i));
		check_true("above", !qr_is_dark(&qr, i, -1));
		check_true("below", !qr_is_dark(&qr, i, (int)qr.size));
	}
}

/* ---------------------------------------------------------------------------- by a reader */

static void draw(FILE *file, const struct qr *q)
{
	for (int y = 0; y < SIDE; y++)
		for (int x = 0; x < SIDE; x++)
			fputc(qr_is_dark(q, x / SCALE - QR_QUIET, y / SCALE - QR_QUIET) ? 0 : 255,
			      file);
}

/* Returns what zbarimg reads in the image, a line each after an empty one, or ""
 * if it cannot be run. */
static const char *read_back(const char *name)
{
	static char said[32 * TEXT_MAX];
	char command[128];
	FILE *reader;
	size_t length;

	snprintf(command, sizeof(command), "zbarimg --nodbus --quiet --raw %s", name);
	reader = popen(command, "r");
	if (!reader)
		return "";
	said[0] = '\n';
	length = fread(said + 1, 1, sizeof(said) - 2, reader);
	said[1 + length] = '\0';
	return pclose(reader) == 0 ? said : "";
}

/* One image has all of them below one another, so that the reader is started once. */
UNIT_TEST(a_reader_reads_every_version_at_both_levels)
{
	char name[] = "/tmp/barecount-qr-XXXXXX";
	FILE *file = fdopen(mkstemp(name), "wb");
	const char *said;

	if (!check_true("a temporary file", file != NULL))
		return;
	fprintf(file, "P5 %d %d 255\n", SIDE, SIDE * 2 * QR_VERSION_MAX);
	for (unsigned i = 0; i < 2 * QR_VERSION_MAX; i++) {
		const unsigned length = qr_capacity(i / 2 + 1, i % 2 ? QR_M : QR_L);

		qr_encode(&qr, text_of(length), length, i / 2 + 1);
		draw(file, &qr);
	}
	fclose(file);
	said = read_back(name);
	unlink(name);
	for (unsigned i = 0; i < 2 * QR_VERSION_MAX; i++) {
		char line[TEXT_MAX + 3];

		snprintf(line, sizeof(line), "\n%s\n",
		         text_of(qr_capacity(i / 2 + 1, i % 2 ? QR_M : QR_L)));
		check_true("zbarimg (package zbar-tools) reads it", strstr(said, line) != NULL);
	}
}

UNIT_MAIN()
