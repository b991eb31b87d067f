/* SPDX-License-Identifier: MIT */
/*
 * papi_loop PRESET: counts the loop of loops.asm with PAPI, twelve times with 1000 and with 3000
 * turns, and prints the least counts, by PAPI_stop() and by PAPI_read(), which executes RDPMC at
 * CPL 3. The library is found when the program runs, because the machine that builds it need not
 * have PAPI.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { PAPI_VERSION = 7 << 24, TIMES = 12, TURNS = 1000 };

void loop_turns(unsigned long turns);

/* PAPI's own functions, by its manual; each returns an error below 0. */
static int (*library_init)(int version);
static int (*create_eventset)(int *set);
static int (*add_named_event)(int set, const char *name);
static int (*start)(int set);
static int (*stop)(int set, long long *values);
static int (*read_values)(int set, long long *values);

static void fail(const char *what, const char *why)
{
	printf("failed %s: %s\n", what, why);
	exit(1);
}

static void *find(void *library, const char *name)
{
	void *function = dlsym(library, name);

	if (!function)
		fail(name, dlerror());
	return function;
}

static void check(const char *what, int result)
{
	char text[32];

	snprintf(text, sizeof text, "%d", result);
	if (result < 0)
		fail(what, text);
}

/* Returns the least count of this many turns; by_read: that of two PAPI_read(). */
static long long count(int set, unsigned long turns, int by_read)
{
	long long least = -1, before = 0, after;

	for (int i = 0; i < TIMES; i++) {
		check("PAPI_start", start(set));
		if (by_read)
			check("PAPI_read", read_values(set, &before));
		loop_turns(turns);
		if (by_read)
			check("PAPI_read", read_values(set, &after));
		long long at_end;
		check("PAPI_stop", stop(set, &at_end));
		if (!by_read)
			after = at_end;
		if (least < 0 || after - before < least)
			least = after - before;
	}
	return least;
}

int main(int argc, char **argv)
{
	void *library = dlopen("libpapi.so.7.0", RTLD_NOW);
	int set = -1;

	if (argc != 2 || !library)
		fail("dlopen", argc != 2 ? "usage: papi_loop PRESET" : dlerror());
	*(void **)&library_init = find(library, "PAPI_library_init");
	*(void **)&create_eventset = find(library, "PAPI_create_eventset");
	*(void **)&add_named_event = find(library, "PAPI_add_named_event");
	*(void **)&start = find(library, "PAPI_start");
	*(void **)&stop = find(library, "PAPI_stop");
	*(void **)&read_values = find(library, "PAPI_read");
	check("PAPI_library_init", library_init(PAPI_VERSION));
	check("PAPI_create_eventset", create_eventset(&set));
	check("PAPI_add_named_event", add_named_event(set, argv[1]));
	for (int by_read = 0; by_read <= 1; by_read++)
		printf("%s %lld %lld\n", by_read ? "read" : "stop", count(set, TURNS, by_read),
		       count(set, 3 * TURNS, by_read));
	return 0;
}
