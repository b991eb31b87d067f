/* SPDX-License-Identifier: MIT */
#include <tests/linux/vmm/vmm.h>

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LOOK_EVERY_US = 50000, NOBODY = 0xff };

static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER;

struct processor {
	struct guest *guest;
	unsigned number;
};

/* Passes on what the guest has printed since the last time. */
static void drain(struct guest *guest)
{
	struct kvm_coalesced_mmio_ring *ring = guest->ring;

	pthread_mutex_lock(&ring_lock);
	while (ring->first != __atomic_load_n(&ring->last, __ATOMIC_ACQUIRE)) {
		const struct kvm_coalesced_mmio *write = &ring->coalesced_mmio[ring->first];

		say_bytes(write->data, write->len);
		__atomic_store_n(&ring->first, (ring->first + 1) % guest->ring_slots,
		                 __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&ring_lock);
}

/* There is nothing at any other port: reads give ones. */
static void answer_port(struct guest *guest, struct kvm_run *run)
{
	uint8_t *data = (uint8_t *)run + run->io.data_offset;
	unsigned bytes = run->io.size * run->io.count;

	if (run->io.direction == KVM_EXIT_IO_IN)
		memset(data, run->io.port == PORT_DEBUG_CONSOLE ? PORT_DEBUG_CONSOLE : NOBODY,
		       bytes);
	else if (run->io.port == PORT_DEBUG_CONSOLE)
		say_bytes(data, bytes);
	else if (run->io.port == PORT_EXIT || run->io.port == PORT_BOCHS_EXIT) {
		drain(guest);
		leave();
	}
}

static void answer(struct guest *guest, unsigned number)
{
	struct kvm_run *run = guest->run[number];
	struct kvm_regs regs = { 0 };

	switch (run->exit_reason) {
	case KVM_EXIT_IO:
		answer_port(guest, run);
		break;
	case KVM_EXIT_MMIO:
		if (!run->mmio.is_write)
			memset(run->mmio.data, NOBODY, sizeof run->mmio.data);
		break;
	case KVM_EXIT_INTR:
		break;
	default:
		ioctl(guest->vcpu[number], KVM_GET_REGS, &regs);
		say("\nBail out! KVM gave the guest up: processor %u, exit reason %u, error %u, "
		    "RIP %llxH\n", number, run->exit_reason, run->internal.suberror, regs.rip);
		leave();
	}
}

static void *run_processor(void *argument)
{
	const struct processor *self = argument;
	struct guest *guest = self->guest;

	for (;;) {
		int failed = ioctl(guest->vcpu[self->number], KVM_RUN, 0);

		drain(guest);
		if (failed && errno != EINTR && errno != EAGAIN)
			give_up("KVM_RUN");
		if (!failed)
			answer(guest, self->number);
	}
	return NULL;
}

void guest_run(struct guest *guest)
{
	static struct processor all[CPUS_MAX];
	pthread_t thread;

	for (unsigned i = 0; i < guest->order->cpus; i++) {
		all[i] = (struct processor) { guest, i };
		if (pthread_create(&thread, NULL, run_processor, &all[i]))
			give_up("a thread for a processor");
	}
	for (;;) {
		usleep(LOOK_EVERY_US);
		drain(guest);
	}
}
