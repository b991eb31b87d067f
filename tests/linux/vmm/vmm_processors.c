/* SPDX-License-Identifier: MIT */
#include <tests/linux/vmm/vmm.h>

#include <sys/ioctl.h>

enum {
	LEAF_FEATURES = 1, LEAF_TOPOLOGY = 0xb, LEAF_TOPOLOGY_2 = 0x1f, LEAVES_MAX = 256,
	MULTIBOOT_MAGIC = 0x2badb002, FLAGS_ALWAYS_1 = 2, CR0_PE = 1,
	TSS_BUSY = 11,
	IA32_PERF_CAPABILITIES = 0x345,
};
static const uint32_t FEATURES_ECX_HYPERVISOR = 1u << 31;

/* Writes the processor's own number into what KVM offers. */
static void name_processor(struct kvm_cpuid_entry2 *leaf, unsigned number, unsigned cpus)
{
	if (leaf->function == LEAF_FEATURES) {
		leaf->ebx = (leaf->ebx & 0xffff) | cpus << 16 | number << 24;
		leaf->ecx |= FEATURES_ECX_HYPERVISOR;
	}
	if (leaf->function == LEAF_TOPOLOGY || leaf->function == LEAF_TOPOLOGY_2)
		leaf->edx = number;
}

static void set_cpuid(const struct guest *guest, unsigned number)
{
	struct {
		struct kvm_cpuid2 head;
		struct kvm_cpuid_entry2 leaf[LEAVES_MAX];
	} offered = { .head.nent = LEAVES_MAX };

	if (ioctl(guest->kvm, KVM_GET_SUPPORTED_CPUID, &offered))
		give_up("KVM_GET_SUPPORTED_CPUID");
	for (unsigned i = 0; i < offered.head.nent; i++)
		name_processor(&offered.leaf[i], number, guest->order->cpus);
	if (ioctl(guest->vcpu[number], KVM_SET_CPUID2, &offered))
		give_up("KVM_SET_CPUID2");
}

/* QEMU does so, too: KVM's own default was another one in some versions. Nothing to do where KVM
 * has none. */
static void set_perf_capabilities(const struct guest *guest, unsigned number)
{
	struct {
		struct kvm_msrs head;
		struct kvm_msr_entry entry;
	} msr = { .head.nmsrs = 1, .entry.index = IA32_PERF_CAPABILITIES };

	if (ioctl(guest->kvm, KVM_GET_MSRS, &msr) == 1 &&
	    ioctl(guest->vcpu[number], KVM_SET_MSRS, &msr) < 0)
		give_up("IA32_PERF_CAPABILITIES");
}

/* As Multiboot 0.6.96, "I386 machine state", wants it: flat segments, paging off. */
static void start_at(int vcpu, const struct order *order)
{
	struct kvm_segment code = { .limit = 0xffffffff, .selector = 8, .type = 11, .present = 1,
	                            .db = 1, .s = 1, .g = 1 };
	struct kvm_segment data = code;
	struct kvm_regs regs = { .rip = order->entry, .rax = MULTIBOOT_MAGIC, .rbx = order->info,
	                         .rflags = FLAGS_ALWAYS_1 };
	struct kvm_sregs sregs;

	data.type = 3;
	data.selector = 16;
	if (ioctl(vcpu, KVM_GET_SREGS, &sregs))
		give_up("KVM_GET_SREGS");
	sregs.cs = code;
	sregs.ds = sregs.es = sregs.fs = sregs.gs = sregs.ss = data;
	sregs.tr.type = TSS_BUSY;       /* by KVM that of 16 bits on AMD, which long mode refuses */
	sregs.cr0 |= CR0_PE;
	if (ioctl(vcpu, KVM_SET_SREGS, &sregs) || ioctl(vcpu, KVM_SET_REGS, &regs))
		give_up("the first processor's registers");
}

void processor_set_up(struct guest *guest, unsigned number)
{
	set_cpuid(guest, number);
	set_perf_capabilities(guest, number);
	if (number == 0)
		start_at(guest->vcpu[0], guest->order);
}
