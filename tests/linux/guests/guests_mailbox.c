/* SPDX-License-Identifier: MIT */
#include <tests/linux/guests/guests_inside.h>

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>

enum { MAILBOX = 0x8000 };

/* As guests_code.asm has it. */
struct mailbox {
	uint32_t operation, argument;
	uint64_t value;
	uint32_t is_fault;
};

static struct mailbox *mailbox_of(struct guest *guest)
{
	return (struct mailbox *)(guest->memory + MAILBOX);
}

static void run_to_exit(struct guest *guest)
{
	const struct kvm_run *run = guest->run[0];

	do {
		if (ioctl(guest->vcpu[0], KVM_RUN, 0) && errno != EINTR && errno != EAGAIN)
			give_up("KVM_RUN");
	} while (run->exit_reason == KVM_EXIT_INTR);
	if (run->exit_reason != KVM_EXIT_IO || run->io.port != PORT_EXIT) {
		say("the guest left by exit reason %u\n", run->exit_reason);
		exit(1);
	}
}

void guest_make(struct guest *guest)
{
	static const struct order order = { .cpus = 1, .memory_mb = 1 };

	machine_create(guest, &order);
	run_to_exit(guest);
}

uint64_t guest_do(struct guest *guest, enum operation operation, uint32_t argument, uint64_t value,
                  bool *is_fault)
{
	struct mailbox *box = mailbox_of(guest);

	*box = (struct mailbox) { operation, argument, value, false };
	run_to_exit(guest);
	*is_fault = box->is_fault;
	return box->value;
}

void guest_write(struct guest *guest, uint32_t msr, uint64_t value)
{
	bool is_fault;

	guest_do(guest, WRITE_MSR, msr, value, &is_fault);
	if (!is_fault)
		return;
	say("WRMSR %x raises #GP in the guest\n", msr);
	exit(1);
}

void guest_loop(struct guest *guest, uint32_t turns)
{
	bool is_fault;

	guest_do(guest, LOOP, turns, 0, &is_fault);
}
