/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The io provider: what disks are asked for, and when they have done it.
 *
 * One io is one request, from when the driver gets it (block_rq_issue) until the
 * disk has done it (block_rq_complete): by then what is merged is merged and what
 * is split is split, so that counts and bytes are those of /proc/diskstats.
 * Both tell the same address, except of the request that asks a disk to write
 * its cache and has no data: the driver never gets that one, but another that
 * stands for several.  It starts as a bio (block_bio_queue), and io.d's
 * translators know it by an address that is odd.
 *
 * A device whose driver serves bios itself (device mapper, md, zram) has no requests:
 * there one io is one bio, from when it is asked of the device (block_bio_queue)
 * until it is done (block_bio_complete), also with an odd address.  By then the
 * driver may have cut the bio or turned it to another device, so what was asked is
 * kept.  What the driver asks of the disks below is their io.
 *
 * What an NFS client asks of a server is an io too, from when it is handed to RPC
 * (nfs_initiate_read, nfs_initiate_write) until the answer is there (nfs_readpage_done,
 * nfs_writeback_done), with an address whose second bit is set: the header of the
 * request.  A server that does less than it was asked is asked for the rest with the
 * same header: that is not another io, and its header still tells where it began.
 * The tracepoints and the header's type are the module's, so what the translators
 * tell of it is put into variables here, which are of the kernel's types.
 *
 * A disk that is reached on several ways (NVMe) serves bios, and hands each on as it is to
 * the disk of a way, which is hidden.  There it is one of a request, or, without data, an io
 * that starts as it is handed on (block_bio_remap); its address is the bio's plus 5, as the
 * disk's own io has the other, which ends where the way's does.  A request whose way is
 * lost is done with no bytes left, as its bios go on to the next way's; that of a bio
 * without data knows nothing of it then, and is not done.
 *
 * A driver that is busy gives a request back, and gets it again: that is not
 * another start.  That is rare, and so are errors: tables of them are looked into
 * only if there has been one since tracing began.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define RQ "((struct request *)arg0)"
#define RQ_OP "(" RQ "->cmd_flags & 0xff)"
#define BIO "((struct bio *)arg0)"

#define BIO_OP "(" BIO "->bi_opf & 0xff)"

/* From here on operations are a driver's own: REQ_OP_DRV_IN. */
#define OWN_OPS "34"

/* The driver serves bios itself.  (It has a function for that, too; but to ask for it
 * takes longer where there is none: that an address holds zeros is not seen by a load.) */
#define MQ_OPS "(uint64_t)" BIO "->bi_bdev->bd_disk->queue->mq_ops"
/* Both a start and what the end needs want to know: it is asked once. */
#define SERVES_BIOS "((this->__io_mq != 0 || (this->__io_mq = " MQ_OPS " + 1)) && " \
	"this->__io_mq == 1)"

/* What io.d's translators tell of a bio. */
#define BIO_IS(dev, size, sector) "((this->__io.by = " dev "), " \
	"(this->__io.size = " size "), (this->__io.sector = " sector "), 1)"
#define BIO_IS_NOW BIO_IS(BIO "->bi_bdev", BIO "->bi_iter.bi_size", \
			  BIO "->bi_iter.bi_sector")

static const char served[] =
	"sdt:::block_bio_queue /" SERVES_BIOS " && " BIO_OP " < " OWN_OPS " && "
	BIO_IS_NOW "/ { __io_was_served = 1; __io_served[" BIO "] = this->__io; }";
#define DONE_BIO "((struct bio *)arg1)"
#define WAS_SERVED(bio) "(__io_was_served && " \
	"(this->__io = __io_served[" bio "], this->__io.by != NULL) && " \
	"((__io_served[" bio "] = *(struct __io *)NULL), 1))"

#define NFS_READ(hdr, how) NFS_IO(hdr, "0x40", how)
#define NFS_WRITE(hdr, how) NFS_IO(hdr, "0x100", how)
/* Past the page cache: its call, which is NULL if it is waited for. */
#define NFS_CALL(hdr) "((struct nfs`nfs_direct_req *)" hdr "->dreq)->iocb"
#define NFS_IO(hdr, flags, how) "((this->__io_flags = " flags " | " \
	"(" hdr "->dreq != NULL && " NFS_CALL(hdr) " != NULL ? 0x400 : 0)), " \
	"(this->__io_oflags = ((" hdr "->args.context->mode & 3) - 1) | " \
	"(" hdr "->dreq != NULL ? O_DIRECT : 0)), " \
	"(this->__io_inode = " hdr "->inode), " \
	"(this->__io_page = " hdr "->page_array.pagevec == NULL ? NULL : " \
	"*" hdr "->page_array.pagevec), " \
	"(this->__io_at = " hdr "->io_start), " \
	"(this->__io.size = " hdr "->args.offset + " hdr "->args.count - " \
	hdr "->io_start), " how ", 1)"
#define NFS .module = "nfs", .passes = "nfs_pgio_header"
#define NEW_HDR "((struct nfs_pgio_header *)arg0)"
#define NFS_NEW "(this->__io_errno = 0), (this->__io_resid = 0)"

/* The rest will be asked for unless nothing was done, or this is the end. */
#define DONE_HDR "((struct nfs_pgio_header *)arg1)"
#define STATUS "((struct rpc_task *)arg0)->tk_status"
#define NFS_DONE "(this->__io_errno = " STATUS " < 0 ? -" STATUS " : 0), " \
	"(this->__io_resid = " DONE_HDR "->args.count - " \
	"(this->__io_errno != 0 ? 0 : " DONE_HDR "->res.count))"
#define NFS_LAST "this->__io_errno != 0 || this->__io_resid == 0 || " \
	DONE_HDR "->res.count == 0"

/* Where io.d's translators look for an inode. */
#define OF_INODE "(struct block_device *)2; (struct bio *)2"

static const char again[] =
	"sdt:::block_rq_requeue { __io_again[" RQ "] = 1; __io_was_again = 1; }";
#define FIRST_TIME "(!__io_was_again || !__io_again[" RQ "] || " \
	"((__io_again[" RQ "] = 0), 0))"

/* GENHD_FL_HIDDEN: the disk is but a way to another. */
#define IS_WAY(disk) "(" disk "->flags & 2) != 0"
/* A request without data is done: a bio's that starts as such, or one whose way is lost. */
#define DONE_BARE "(" RQ_OP " == 1 && " RQ "->bio != NULL && " \
	RQ "->bio->bi_io_vec == NULL && " BIO_IS(RQ "->bio->bi_bdev", "0", "0") ")"
#define WAY_LOST "(" RQ "->bio == NULL && " RQ "->nr_phys_segments != 0 && " \
	IS_WAY(RQ "->q->disk") ")"
#define BARE "(uint64_t)" RQ "->bio + (" IS_WAY(RQ "->q->disk") " ? 5 : 1)"

/* Keep what failed for the translators, and forget what the same request failed of
 * before. */
#define FAILED "(int)(arg1 & 0xff)"
#define KEEP_ERROR "((" FAILED " | __io_was_error) == 0 || " \
	"((__io_was_error = 1), (__io_error[" RQ "] = " FAILED "), 1))"

/* What a thread waits for: a function that returns has no arguments. */
static const char waiting[] = "io:::wait-start { self->__io_wait = " BIO "; }";

#define IO "struct request * > bufinfo_t *; struct block_device * > devinfo_t *; " \
	"struct bio * > fileinfo_t *"
#define WAIT "struct bio * > bufinfo_t *; struct bio * > devinfo_t *; " \
	"struct bio * > fileinfo_t *"

static const struct derive_probe probes[] = {
	{ "start", IO, {
		{ DERIVE_TRACEPOINT, "block_rq_issue",
		  RQ "->__data_len != 0 && " RQ_OP " < " OWN_OPS
		  " && " FIRST_TIME,
		  "arg0; __io_dev[" RQ "]; " RQ "->bio", .setup = again },
		/* REQ_OP_WRITE */
		{ DERIVE_TRACEPOINT, "block_bio_queue",
		  "(" SERVES_BIOS " ? " BIO_OP " < " OWN_OPS " : "
		  BIO "->bi_iter.bi_size == 0 && " BIO_OP " == 1) && " BIO_IS_NOW,
		  "arg0 + 1; this->__io.by; arg0" },
		{ DERIVE_TRACEPOINT, "block_bio_remap",
		  BIO "->bi_iter.bi_size == 0 && " BIO_OP " == 1 && "
		  IS_WAY(BIO "->bi_bdev->bd_disk") " && " BIO_IS_NOW,
		  "arg0 + 5; this->__io.by; arg0" },
		{ DERIVE_TRACEPOINT, "nfs_initiate_read",
		  NFS_READ(NEW_HDR, NFS_NEW), "arg0 + 2; " OF_INODE, NFS },
		{ DERIVE_TRACEPOINT, "nfs_initiate_write",
		  NFS_WRITE(NEW_HDR, NFS_NEW), "arg0 + 2; " OF_INODE, NFS },
	} },
	{ "done", IO, {
		{ DERIVE_TRACEPOINT, "block_rq_complete",
		  "(uint32_t)arg2 == " RQ "->__data_len && " RQ_OP " < " OWN_OPS
		  " && ((uint32_t)arg2 != 0 || " DONE_BARE " || " WAY_LOST ") && "
		  KEEP_ERROR,
		  "(uint32_t)arg2 != 0 || " RQ "->bio == NULL ? arg0 : " BARE "; "
		  "__io_dev[" RQ "]; " RQ "->bio" },
		/* What was handed on as it is: some kernels tell no other end of it. */
		{ DERIVE_TRACEPOINT, "block_rq_complete",
		  "__io_was_served && "
		  "(uint32_t)arg2 == " RQ "->__data_len && " RQ "->bio != NULL && "
		  RQ_OP " < " OWN_OPS " && " IS_WAY(RQ "->q->disk") " && "
		  WAS_SERVED(RQ "->bio"),
		  "(uint64_t)" RQ "->bio + 1; this->__io.by; " RQ "->bio" },
		{ DERIVE_TRACEPOINT, "block_bio_complete", WAS_SERVED(DONE_BIO),
		  "arg1 + 1; this->__io.by; arg1", .setup = served },
		{ DERIVE_TRACEPOINT, "nfs_readpage_done",
		  NFS_READ(DONE_HDR, NFS_DONE) " && (" NFS_LAST
		  " || " DONE_HDR "->res.eof)",
		  "arg1 + 2; " OF_INODE, NFS },
		{ DERIVE_TRACEPOINT, "nfs_writeback_done",
		  NFS_WRITE(DONE_HDR, NFS_DONE) " && (" NFS_LAST ")",
		  "arg1 + 2; " OF_INODE, NFS },
	} },
	{ "wait-start", WAIT, {
		{ DERIVE_FUNC, "submit_bio_wait", NULL, "arg0; arg0; arg0" },
	} },
	{ "wait-done", WAIT, {
		{ DERIVE_FUNC_RETURN, "submit_bio_wait",
		  "self->__io_wait != NULL",
		  "self->__io_wait; self->__io_wait; self->__io_wait",
		  .setup = waiting },
	} },
};

DERIVE(io, "io", probes, PROV_ATTR_EVOLVING);
