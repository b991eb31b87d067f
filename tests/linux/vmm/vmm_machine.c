/* SPDX-License-Identifier: MIT */
#include <tests/linux/vmm/vmm.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Three pages that KVM wants for itself, below the firmware's place, which is empty here. */
enum { IDENTITY_MAP = 0xfffbc000, TSS = 0xfffbd000 };

/* Reads /guest into the guest's memory. */
static void load(uint8_t *memory, size_t size)
{
	int file = open("/guest", O_RDONLY);
	ssize_t got = 1;

	if (file < 0)
		give_up("/guest");
	for (size_t used = 0; got > 0 && used < size; used += (size_t)got)
		got = read(file, memory + used, size - used);
	if (got < 0)
		give_up("/guest");
	close(file);
}

static void create_memory(struct guest *guest)
{
	size_t size = (size_t)guest->order->memory_mb << 20;
	struct kvm_userspace_memory_region region = { .memory_size = size };

	guest->memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (guest->memory == MAP_FAILED)
		give_up("memory for the guest");
	load(guest->memory, size);
	region.userspace_addr = (uintptr_t)guest->memory;
	if (ioctl(guest->vm, KVM_SET_USER_MEMORY_REGION, &region))
		give_up("KVM_SET_USER_MEMORY_REGION");
}

static void create_devices(struct guest *guest)
{
	uint64_t identity = IDENTITY_MAP;
	struct kvm_pit_config pit = { .flags = KVM_PIT_SPEAKER_DUMMY };
	struct kvm_coalesced_mmio_zone console = {
		.addr = PORT_DEBUG_CONSOLE, .size = 1, .pio = 1,
	};

	if (ioctl(guest->vm, KVM_SET_TSS_ADDR, TSS) ||
	    ioctl(guest->vm, KVM_SET_IDENTITY_MAP_ADDR, &identity))
		give_up("KVM's own pages");
	if (ioctl(guest->vm, KVM_CREATE_IRQCHIP, 0))
		give_up("KVM_CREATE_IRQCHIP");
	if (ioctl(guest->vm, KVM_CREATE_PIT2, &pit))
		give_up("KVM_CREATE_PIT2");
	/* Without an exit to us for each byte; the monitor looks for them. */
	if (ioctl(guest->vm, KVM_REGISTER_COALESCED_MMIO, &console))
		give_up("KVM_REGISTER_COALESCED_MMIO");
}

static void create_processors(struct guest *guest)
{
	int size = ioctl(guest->kvm, KVM_GET_VCPU_MMAP_SIZE, 0), page = getpagesize();
	int ring = ioctl(guest->kvm, KVM_CHECK_EXTENSION, KVM_CAP_COALESCED_MMIO);

	for (unsigned i = 0; i < guest->order->cpus; i++) {
		guest->vcpu[i] = ioctl(guest->vm, KVM_CREATE_VCPU, i);
		if (guest->vcpu[i] < 0)
			give_up("KVM_CREATE_VCPU");
		guest->run[i] = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED,
		                     guest->vcpu[i], 0);
		if (guest->run[i] == MAP_FAILED)
			give_up("a processor's page");
		processor_set_up(guest, i);
	}
	guest->ring = (void *)((uint8_t *)guest->run[0] + ring * page);
	guest->ring_slots = (unsigned)(((size_t)page - sizeof *guest->ring) /
	                               sizeof *guest->ring->coalesced_mmio);
}

void machine_create(struct guest *guest, const struct order *order)
{
	guest->order = order;
	guest->kvm = open("/dev/kvm", O_RDWR);
	if (guest->kvm < 0)
		give_up("/dev/kvm");
	guest->vm = ioctl(guest->kvm, KVM_CREATE_VM, 0);
	if (guest->vm < 0)
		give_up("KVM_CREATE_VM");
	create_devices(guest);
	create_memory(guest);
	create_processors(guest);
}
