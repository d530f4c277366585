// SPDX-License-Identifier: Apache-2.0
/* A libibverbs and librdmacm of their own with one device, which a program connects with
 * itself through, built with the headers of the real ones. What is called with wrong
 * arguments, by wrong offsets or in the wrong order is refused and counted (misuse). */
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MOST = 1024, MAX_WR = 256, MAX_RD = 8, KEEP = 512, VALID = 1, FREE = 0 };

struct chan { struct rdma_event_channel c; struct ev *queue[MOST]; int head, tail; };
struct ev { struct rdma_cm_event e; struct id *of; int dead; unsigned char data[256]; };
struct cq { struct ibv_cq c; struct ibv_wc ring[2 * MOST]; int head, tail, armed, events, acked, qps; };
struct mr { struct ibv_mr m; int access, windows; uint64_t offset; struct mr *next; };
struct mw { struct ibv_mw w; uint32_t current; int state, access; struct mr *mr; struct qp *qp; uint64_t addr, length; struct mw *next; };
struct qp { struct ibv_qp q; struct qp *peer; int max_send, max_recv, reads, stuck; uint64_t pending[MOST];
	struct { uint64_t id, addr; uint32_t length; } recv[MOST]; int head, tail; };
struct id { struct rdma_cm_id i; struct id *peer, *next; int listening, connected, was, unacked; struct rdma_conn_param asked; };

static struct { char fail[32]; int err, iwarp, windows, soft; } set;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ibv_device device;
static struct ibv_device *devices[2] = { &device };
static struct verbs_context context;
static struct mr *mrs;
static struct mw *mws;
static struct id *ids;
static int alive, misuse, line, tries;
static uint32_t keys;

static int lock(void) { pthread_mutex_lock(&mutex); return 0; }
static void unlock(int *unused) { pthread_mutex_unlock(&mutex); }
#define LOCKED __attribute__((cleanup(unlock), unused)) int locked = lock()

static int wrong(int at) { if (!misuse++) line = at; errno = EINVAL; return EINVAL; }
#define WRONG wrong(__LINE__)
#define WRONG1 (wrong(__LINE__), -1)
#define WRONG0 (wrong(__LINE__), NULL)

static int failing(const char *call)
{
	if (strcmp(call, set.fail)) return 0;
	errno = set.err;
	return 1;
}

static void *made(size_t size) { alive++; return calloc(1, size); }
static int gone(void *p) { alive--; free(p); return 0; }

void fabric_set(const char *fail, long err, long iwarp, long windows, long soft)
{
	LOCKED;
	memset(&set, 0, sizeof set);
	strncpy(set.fail, fail, sizeof set.fail - 1);
	set.err = err, set.iwarp = iwarp, set.windows = windows, set.soft = soft;
	strcpy(device.name, "fake0");
	strcpy(device.dev_name, "uverbs77");
	device.transport_type = iwarp ? IBV_TRANSPORT_IWARP : IBV_TRANSPORT_IB;
	alive = misuse = line = tries = 0;
	mrs = NULL, mws = NULL, ids = NULL; /* what a test that failed has left */
}
long fabric_alive(void) { LOCKED; return alive; }
long fabric_misuse(void) { LOCKED; return misuse ? line : 0; }

/* Completions. */

static void complete(struct cq *c, struct ibv_wc wc)
{
	uint64_t one = 1;
	c->ring[c->tail++ % (2 * MOST)] = wc;
	if (c->armed && write(c->c.channel->fd, &one, 8) == 8) c->armed = 0;
}

static void finish(struct qp *q, uint64_t id, int status, int opcode)
{
	complete((struct cq *)q->q.send_cq, (struct ibv_wc){ .wr_id = id, .status = status, .opcode = status ? 77 : opcode, .qp_num = q->q.qp_num });
}

static void flush(struct qp *q)
{
	q->q.state = IBV_QPS_ERR;
	for (int i = 0; i < q->stuck; i++) finish(q, q->pending[i], IBV_WC_WR_FLUSH_ERR, 0);
	q->stuck = 0;
	for (; q->head < q->tail; q->head++)
		complete((struct cq *)q->q.recv_cq, (struct ibv_wc){ .wr_id = q->recv[q->head % MOST].id, .status = IBV_WC_WR_FLUSH_ERR, .opcode = 99 });
}

static int poll_cq(struct ibv_cq *q, int n, struct ibv_wc *wc)
{
	LOCKED;
	struct cq *c = (struct cq *)q;
	int i;
	if (failing("poll_cq")) return -1;
	for (i = 0; i < n && c->head < c->tail; i++) wc[i] = c->ring[c->head++ % (2 * MOST)];
	return i;
}

static int req_notify_cq(struct ibv_cq *q, int solicited)
{
	LOCKED;
	if (solicited) return WRONG;
	((struct cq *)q)->armed = 1;
	return 0;
}

/* Memory. */

static void *local(struct qp *q, struct ibv_sge *s, int need)
{
	for (struct mr *m = mrs; m; m = m->next)
		if (m->m.lkey == s->lkey && m->m.pd == q->q.pd && (m->access & need) == need && s->addr >= (uintptr_t)m->m.addr &&
		    s->addr + s->length <= (uintptr_t)m->m.addr + m->m.length) return (void *)s->addr;
	return NULL;
}

static void *remote(struct qp *q, uint32_t rkey, uint64_t addr, uint64_t length, int need)
{
	for (struct mr *m = mrs; m; m = m->next)
		if (m->m.rkey == rkey && m->m.pd == q->q.pd && m->access & need && addr >= m->offset && addr + length <= m->offset + m->m.length)
			return (char *)m->m.addr + (addr - m->offset);
	for (struct mw *w = mws; w; w = w->next)
		if (w->current == rkey && w->state == VALID && w->w.pd == q->q.pd && w->access & need && addr >= w->addr && addr + length <= w->addr + w->length)
			return (char *)w->mr->m.addr + (addr - w->mr->offset);
	return NULL;
}

static int invalidate(struct qp *q, uint32_t rkey)
{
	for (struct mw *w = mws; w; w = w->next)
		if (w->current == rkey && w->state == VALID && w->w.pd == q->q.pd) return w->state = FREE, w->mr->windows--, 1;
	return 0;
}

static int plain(struct qp *q, uint32_t rkey)
{
	for (struct mr *m = mrs; m; m = m->next)
		if (m->m.rkey == rkey && m->m.pd == q->q.pd) return 1;
	return 0;
}

/* Events. */

static void tell(struct id *of, enum rdma_cm_event_type type, int status, struct id *about, const struct rdma_conn_param *p, int pad)
{
	struct chan *c = (struct chan *)of->i.channel;
	struct ev *e = calloc(1, sizeof *e);
	uint64_t one = 1;
	e->of = of;
	e->e.id = about ? &about->i : &of->i;
	e->e.listen_id = about ? &of->i : NULL;
	e->e.event = type, e->e.status = status;
	if (p) {
		e->e.param.conn = *p;
		if (p->private_data_len) memcpy(e->data, p->private_data, p->private_data_len);
		if (!set.iwarp && pad) e->e.param.conn.private_data_len = pad;
		e->e.param.conn.private_data = e->e.param.conn.private_data_len ? e->data : NULL;
	}
	c->queue[c->tail++ % MOST] = e;
	if (write(c->c.fd, &one, 8) != 8) abort();
}

static void leave(struct id *i)
{
	if (!i->connected) return;
	i->connected = 0, i->was = 1;
	tell(i, RDMA_CM_EVENT_DISCONNECTED, 0, NULL, NULL, 0);
}

/* The connection breaks by work of q: by completions here, by events alone on iWARP. */
static int broken(struct qp *q, uint64_t id, int status)
{
	struct qp *p = q->peer;
	if (set.iwarp) {
		q->pending[q->stuck++] = id;
		leave((struct id *)q->q.qp_context);
		leave((struct id *)p->q.qp_context);
		return 0;
	}
	finish(q, id, status, 0);
	flush(q);
	flush(p);
	return 0;
}

static int sent(struct qp *q, struct ibv_send_wr *wr, void *data, uint32_t length)
{
	struct qp *p = q->peer;
	struct ibv_wc wc = { .opcode = IBV_WC_RECV, .byte_len = length, .wc_flags = IBV_WC_GRH, .qp_num = p->q.qp_num };
	if (p->head == p->tail) return broken(q, wr->wr_id, IBV_WC_RNR_RETRY_EXC_ERR);
	wc.wr_id = p->recv[p->head % MOST].id;
	if (length > p->recv[p->head % MOST].length) {
		wc.status = IBV_WC_LOC_LEN_ERR;
		if (!set.iwarp) p->head++, complete((struct cq *)p->q.recv_cq, wc);
		return broken(q, wr->wr_id, IBV_WC_REM_OP_ERR);
	}
	if (wr->opcode == IBV_WR_SEND_WITH_INV) {
		if (wr->invalidate_rkey != wr->wr.rdma.rkey) return WRONG; /* Soft-iWARP wants it there */
		if (invalidate(p, wr->invalidate_rkey))
			wc.wc_flags |= set.soft ? 1 << 2 : IBV_WC_WITH_INV /* IB_WC_WITH_INVALIDATE of the kernel */, wc.invalidated_rkey = wr->invalidate_rkey;
		else if (!set.soft || !set.iwarp || !plain(p, wr->invalidate_rkey)) {
			wc.status = IBV_WC_REM_INV_REQ_ERR;
			if (!set.iwarp) p->head++, complete((struct cq *)p->q.recv_cq, wc);
			return broken(q, wr->wr_id, IBV_WC_REM_OP_ERR);
		}
	}
	if (length) memcpy((void *)p->recv[p->head % MOST].addr, data, length);
	p->head++;
	complete((struct cq *)p->q.recv_cq, wc);
	finish(q, wr->wr_id, 0, IBV_WC_SEND);
	return 0;
}

static int bind_mw(struct qp *q, struct ibv_send_wr *wr)
{
	struct mw *w = (struct mw *)wr->bind_mw.mw;
	struct mr *m = (struct mr *)wr->bind_mw.bind_info.mr;
	uint64_t addr = wr->bind_mw.bind_info.addr, length = wr->bind_mw.bind_info.length;
	int access = wr->bind_mw.bind_info.mw_access_flags;
	if (w->state == VALID || w->w.rkey != w->current || wr->bind_mw.rkey == w->current || (wr->bind_mw.rkey ^ w->current) & ~0xff ||
	    !(m->access & IBV_ACCESS_MW_BIND) || access & ~(IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE) || addr < m->offset || !length ||
	    addr + length > m->offset + m->m.length)
		return broken(q, wr->wr_id, IBV_WC_MW_BIND_ERR);
	w->current = wr->bind_mw.rkey, w->state = VALID, w->mr = m, w->qp = q, w->addr = addr, w->length = length, w->access = access, m->windows++;
	finish(q, wr->wr_id, 0, IBV_WC_BIND_MW);
	return 0;
}

static int moved(struct qp *q, struct ibv_send_wr *wr, void *data, uint32_t length)
{
	int read = wr->opcode == IBV_WR_RDMA_READ;
	if (read && !q->reads) { q->pending[q->stuck++] = wr->wr_id; return 0; } /* it waits for ever */
	void *there = remote(q->peer, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr, length, read ? IBV_ACCESS_REMOTE_READ : IBV_ACCESS_REMOTE_WRITE);
	if (!there) return broken(q, wr->wr_id, IBV_WC_REM_ACCESS_ERR);
	memcpy(read ? data : there, read ? there : data, length);
	finish(q, wr->wr_id, 0, read ? IBV_WC_RDMA_READ : IBV_WC_RDMA_WRITE);
	return 0;
}

static int post_one(struct ibv_qp *qp, struct ibv_send_wr *wr)
{
	LOCKED;
	struct qp *q = (struct qp *)qp;
	void *data = NULL;
	uint32_t length = 0;
	if (failing("post_send")) return set.iwarp ? -set.err : set.err; /* as Soft-iWARP does */
	if (wr->num_sge < 0 || wr->num_sge > 1 || wr->send_flags != IBV_SEND_SIGNALED) return WRONG;
	if (q->q.state == IBV_QPS_ERR) { finish(q, wr->wr_id, IBV_WC_WR_FLUSH_ERR, 0); return 0; }
	if (q->q.state != IBV_QPS_RTS) return WRONG;
	if (wr->num_sge) {
		int read = wr->opcode == IBV_WR_RDMA_READ;
		length = wr->sg_list->length;
		data = local(q, wr->sg_list, read ? IBV_ACCESS_LOCAL_WRITE | (set.iwarp ? IBV_ACCESS_REMOTE_WRITE : 0) : 0);
		if (!data) return WRONG;
	}
	if (!((struct id *)q->q.qp_context)->connected) { q->pending[q->stuck++] = wr->wr_id; return 0; }
	switch ((int)wr->opcode) {
	case IBV_WR_SEND:
	case IBV_WR_SEND_WITH_INV: return sent(q, wr, data, length);
	case IBV_WR_RDMA_READ:
	case IBV_WR_RDMA_WRITE: return moved(q, wr, data, length);
	case IBV_WR_BIND_MW: return bind_mw(q, wr);
	case IBV_WR_LOCAL_INV:
		if (!invalidate(q, wr->invalidate_rkey)) return broken(q, wr->wr_id, IBV_WC_MW_BIND_ERR);
		finish(q, wr->wr_id, 0, IBV_WC_LOCAL_INV);
		return 0;
	}
	return WRONG;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
	for (; wr; wr = wr->next) {
		int err = post_one(qp, wr);
		*bad = wr;
		if (err) return err;
	}
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	LOCKED;
	struct qp *q = (struct qp *)qp;
	*bad = wr;
	if (failing("post_recv")) return set.err;
	if (wr->next || wr->num_sge != 1 || !local(q, wr->sg_list, IBV_ACCESS_LOCAL_WRITE)) return WRONG;
	if (q->tail - q->head == q->max_recv) return ENOMEM;
	q->recv[q->tail % MOST].id = wr->wr_id;
	q->recv[q->tail % MOST].addr = wr->sg_list->addr;
	q->recv[q->tail++ % MOST].length = wr->sg_list->length;
	if (q->q.state == IBV_QPS_ERR) flush(q);
	return 0;
}

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	LOCKED;
	if (failing("alloc_mw")) return NULL;
	if (type != IBV_MW_TYPE_2) return WRONG0;
	struct mw *w = made(sizeof *w);
	w->w.context = pd->context, w->w.pd = pd, w->w.type = type;
	w->w.rkey = w->current = (++keys << 8) | 0xfe; /* its key overflows soon */
	w->next = mws, mws = w;
	return &w->w;
}

static int dealloc_mw(struct ibv_mw *mw)
{
	LOCKED;
	for (struct mw **w = &mws; *w; w = &(*w)->next)
		if (&(*w)->w == mw) {
			struct mw *dead = *w;
			if (dead->state == VALID) dead->mr->windows--;
			*w = dead->next;
			return gone(dead);
		}
	return WRONG;
}

/* libibverbs. */

#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

struct ibv_device **ibv_get_device_list(int *n)
{
	LOCKED;
	if (failing("get_device_list")) return NULL;
	if (!strcmp(set.fail, "no_support")) { errno = ENOSYS; return NULL; }
	*n = !failing("no_device");
	alive++;
	return devices;
}
void ibv_free_device_list(struct ibv_device **list) { LOCKED; if (list == devices) alive--; }

static struct ibv_context *opened(void)
{
	context.sz = sizeof context;
	context.context.abi_compat = strcmp(set.fail, "old_context") ? __VERBS_ABI_IS_EXTENDED : NULL;
	context.context.device = &device;
	context.context.ops.poll_cq = poll_cq;
	context.context.ops.req_notify_cq = req_notify_cq;
	context.context.ops.post_send = post_send;
	context.context.ops.post_recv = post_recv;
	context.context.ops.alloc_mw = alloc_mw;
	context.context.ops.dealloc_mw = dealloc_mw;
	return &context.context;
}

struct ibv_context *ibv_open_device(struct ibv_device *d) { LOCKED; if (d != &device || failing("open_device")) return NULL; alive++; return opened(); }
int ibv_close_device(struct ibv_context *c) { LOCKED; if (c != &context.context) return WRONG1; alive--; return 0; }
int ibv_query_device(struct ibv_context *c, struct ibv_device_attr *a)
{
	LOCKED;
	if (c != &context.context) return WRONG;
	if (failing("query_device")) return set.err;
	memset(a, 0, sizeof *a);
	a->max_qp_wr = MAX_WR, a->max_cqe = MOST, a->max_qp_rd_atom = MAX_RD, a->max_qp_init_rd_atom = MAX_RD / 2;
	a->vendor_id = !set.soft ? 0x1234 : set.iwarp ? 0x626d74 : 0xffffff;
	a->device_cap_flags = set.windows ? IBV_DEVICE_MEM_WINDOW_TYPE_2B : 0;
	return 0;
}
int ibv_query_port(struct ibv_context *c, uint8_t port, struct _compat_ibv_port_attr *p) { return WRONG; }
struct ibv_pd *ibv_alloc_pd(struct ibv_context *c)
{
	LOCKED;
	if (failing("alloc_pd")) return NULL;
	if (c != &context.context) return WRONG0;
	struct ibv_pd *p = made(sizeof *p);
	p->context = c;
	return p;
}
int ibv_dealloc_pd(struct ibv_pd *p)
{
	LOCKED;
	for (struct mr *m = mrs; m; m = m->next) if (m->m.pd == p) return WRONG;
	for (struct mw *w = mws; w; w = w->next) if (w->w.pd == p) return WRONG;
	return gone(p);
}

static struct ibv_mr *registered(struct ibv_pd *p, void *addr, size_t length, uint64_t offset, int access)
{
	if (failing("reg_mr")) return NULL;
	if (!length || !(access & IBV_ACCESS_LOCAL_WRITE) || (access & IBV_ACCESS_MW_BIND && !set.windows) || ((uintptr_t)addr ^ offset) & 0xfff)
		return WRONG0;
	struct mr *m = made(sizeof *m);
	m->m = (struct ibv_mr){ .context = p->context, .pd = p, .addr = addr, .length = length, .lkey = ++keys << 8, .rkey = keys << 8 | 1 };
	m->access = access, m->offset = set.soft && set.iwarp ? (uintptr_t)addr : offset, m->next = mrs, mrs = m;
	return &m->m;
}
struct ibv_mr *ibv_reg_mr(struct ibv_pd *p, void *addr, size_t length, int access) { LOCKED; return registered(p, addr, length, (uintptr_t)addr, access); }
struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *p, void *addr, size_t length, uint64_t iova, int access) { LOCKED; return registered(p, addr, length, iova, access); }
int ibv_dereg_mr(struct ibv_mr *mr)
{
	LOCKED;
	for (struct mr **m = &mrs; *m; m = &(*m)->next)
		if (&(*m)->m == mr) {
			struct mr *dead = *m;
			if (dead->windows) return EBUSY;
			*m = dead->next;
			return gone(dead);
		}
	return WRONG;
}
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *c)
{
	LOCKED;
	if (failing("create_comp_channel")) return NULL;
	struct ibv_comp_channel *ch = made(sizeof *ch);
	ch->context = c, ch->fd = eventfd(0, EFD_SEMAPHORE);
	return ch;
}
int ibv_destroy_comp_channel(struct ibv_comp_channel *c) { LOCKED; if (c->refcnt) return WRONG; close(c->fd); return gone(c); }
struct ibv_cq *ibv_create_cq(struct ibv_context *c, int n, void *arg, struct ibv_comp_channel *ch, int vector)
{
	LOCKED;
	if (failing("create_cq")) return NULL;
	if (c != &context.context || n < 2 || n > MOST || arg || vector) return WRONG0;
	struct cq *q = made(sizeof *q);
	q->c.context = c, q->c.channel = ch, q->c.cqe = n, ch->refcnt++;
	return &q->c;
}
int ibv_destroy_cq(struct ibv_cq *cq)
{
	LOCKED;
	struct cq *q = (struct cq *)cq;
	if (q->qps || q->events != q->acked) return WRONG; /* the real one waits for ever */
	cq->channel->refcnt--;
	return gone(q);
}
static struct cq *on(struct ibv_comp_channel *c); /* the one that has the channel */
int ibv_get_cq_event(struct ibv_comp_channel *c, struct ibv_cq **q, void **arg)
{
	uint64_t n;
	if (read(c->fd, &n, 8) != 8) return -1;
	LOCKED;
	struct cq *of = on(c);
	*q = &of->c, *arg = NULL, of->events++;
	return 0;
}
void ibv_ack_cq_events(struct ibv_cq *q, unsigned n) { LOCKED; ((struct cq *)q)->acked += n; }
struct ibv_qp *ibv_create_qp(struct ibv_pd *p, struct ibv_qp_init_attr *a) { WRONG; return NULL; }
int ibv_destroy_qp(struct ibv_qp *q) { return WRONG; }
int ibv_modify_qp(struct ibv_qp *q, struct ibv_qp_attr *a, int mask) { return WRONG; }
const char *ibv_wc_status_str(enum ibv_wc_status s) { return s == IBV_WC_RNR_RETRY_EXC_ERR ? "RNR retry counter exceeded" : "some status"; }

/* librdmacm. */

struct rdma_event_channel *rdma_create_event_channel(void)
{
	LOCKED;
	if (failing("create_event_channel")) return NULL;
	if (!strcmp(set.fail, "no_support") || !strcmp(set.fail, "no_device")) { errno = ENODEV; return NULL; }
	struct chan *c = made(sizeof *c);
	c->c.fd = eventfd(0, EFD_SEMAPHORE);
	return &c->c;
}
void rdma_destroy_event_channel(struct rdma_event_channel *c)
{
	LOCKED;
	for (struct id *i = ids; i; i = i->next) if (i->i.channel == c) wrong(__LINE__);
	for (struct chan *q = (struct chan *)c; q->head < q->tail; q->head++) free(q->queue[q->head % MOST]);
	close(c->fd);
	gone(c);
}
static struct id *newid(struct rdma_event_channel *c)
{
	struct id *i = made(sizeof *i);
	i->i.channel = c, i->i.ps = RDMA_PS_TCP, i->next = ids, ids = i;
	return i;
}
int rdma_create_id(struct rdma_event_channel *c, struct rdma_cm_id **id, void *ctx, enum rdma_port_space ps)
{
	LOCKED;
	if (failing("create_id")) return -1;
	if (ctx || ps != RDMA_PS_TCP) return WRONG1;
	*id = &newid(c)->i;
	return 0;
}
int rdma_migrate_id(struct rdma_cm_id *id, struct rdma_event_channel *to)
{
	LOCKED;
	struct id *i = (struct id *)id;
	struct chan *from = (struct chan *)id->channel;
	if (failing("migrate_id")) return -1;
	if (i->unacked) return WRONG1; /* the real one waits for ever */
	id->channel = to;
	for (int n = from->head; n < from->tail; n++) {
		struct ev *e = from->queue[n % MOST];
		if (e->dead || e->of != i) continue;
		tell(i, e->e.event, e->e.status, NULL, &e->e.param.conn, 0);
		e->dead = 1;
	}
	return 0;
}
static void unwind(struct id *i);
int rdma_destroy_id(struct rdma_cm_id *id)
{
	LOCKED;
	struct id *i = (struct id *)id;
	if (id->qp || i->unacked) return WRONG1;
	unwind(i);
	return 0;
}
static void unwind(struct id *i)
{
	struct chan *c = (struct chan *)i->i.channel;
	if (i->connected && i->peer) leave(i->peer);
	if (i->peer) {
		if (!i->connected && !i->was && !i->peer->was) tell(i->peer, RDMA_CM_EVENT_REJECTED, 28, NULL, NULL, 0);
		i->peer->peer = NULL;
	}
	for (int n = c->head; n < c->tail; n++) {
		struct ev *e = c->queue[n % MOST];
		if (e->dead || e->of != i) continue;
		e->dead = 1;
		if (e->e.event == RDMA_CM_EVENT_CONNECT_REQUEST) unwind((struct id *)e->e.id);
	}
	for (struct id **p = &ids; *p; p = &(*p)->next) if (*p == i) { *p = i->next; break; }
	gone(i);
}
int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *a)
{
	LOCKED;
	struct sockaddr_in *in = (struct sockaddr_in *)a;
	if (failing("bind_addr")) return -1;
	if (in->sin_family != AF_INET) return WRONG1;
	id->route.addr.src_sin = *in;
	if (!in->sin_port) id->route.addr.src_sin.sin_port = htons(49152);
	return 0;
}
int rdma_listen(struct rdma_cm_id *id, int backlog)
{
	LOCKED;
	if (failing("listen")) return -1;
	if (backlog < 1 || !id->route.addr.src_sin.sin_port) return WRONG1;
	for (struct id *i = ids; i; i = i->next)
		if (i->listening && i->i.route.addr.src_sin.sin_port == id->route.addr.src_sin.sin_port) { errno = EADDRINUSE; return -1; }
	((struct id *)id)->listening = 1;
	return 0;
}
int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *from, struct sockaddr *to, int ms)
{
	LOCKED;
	struct sockaddr_in *in = (struct sockaddr_in *)to;
	if (failing("resolve_addr")) return -1;
	if (in->sin_family != AF_INET || ntohl(in->sin_addr.s_addr) != 0xc0000201 || ms < 1) return WRONG1; /* 192.0.2.1 */
	id->route.addr.dst_sin = *in;
	id->route.addr.src_sin.sin_family = AF_INET;
	id->route.addr.src_sin.sin_addr.s_addr = htonl(0xc0000202);
	if (from) id->route.addr.src_sin = *(struct sockaddr_in *)from;
	if (!strcmp(set.fail, "no_address_event")) return 0;
	if (!strcmp(set.fail, "address_error")) return tell((struct id *)id, RDMA_CM_EVENT_ADDR_ERROR, -set.err, NULL, NULL, 0), 0;
	id->verbs = opened();
	return tell((struct id *)id, RDMA_CM_EVENT_ADDR_RESOLVED, 0, NULL, NULL, 0), 0;
}
int rdma_resolve_route(struct rdma_cm_id *id, int ms)
{
	LOCKED;
	if (failing("resolve_route")) return -1;
	if (!id->verbs || ms < 1) return WRONG1;
	if (!strcmp(set.fail, "route_error")) return tell((struct id *)id, RDMA_CM_EVENT_ROUTE_ERROR, -set.err, NULL, NULL, 0), 0;
	return tell((struct id *)id, RDMA_CM_EVENT_ROUTE_RESOLVED, 0, NULL, NULL, 0), 0;
}
int rdma_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd, struct ibv_qp_init_attr *a)
{
	LOCKED;
	if (failing("create_qp")) return -1;
	if (id->qp || !id->verbs || a->qp_context || a->srq || a->cap.max_send_sge != 1 || a->cap.max_recv_sge != 1 || a->cap.max_inline_data ||
	    a->cap.max_send_wr < 1 || a->cap.max_send_wr > MAX_WR || a->cap.max_recv_wr < 1 || a->cap.max_recv_wr > MAX_WR ||
	    a->qp_type != IBV_QPT_RC || a->sq_sig_all || a->cap.max_send_wr + a->cap.max_recv_wr > (unsigned)a->send_cq->cqe)
		return WRONG1;
	struct qp *q = made(sizeof *q);
	q->q = (struct ibv_qp){ .context = id->verbs, .qp_context = id, .pd = pd, .send_cq = a->send_cq, .recv_cq = a->recv_cq, .qp_num = ++keys, .qp_type = IBV_QPT_RC, .state = IBV_QPS_INIT };
	q->max_send = a->cap.max_send_wr, q->max_recv = a->cap.max_recv_wr;
	((struct cq *)a->send_cq)->qps++;
	id->qp = &q->q;
	return 0;
}
void rdma_destroy_qp(struct rdma_cm_id *id)
{
	LOCKED;
	struct qp *q = (struct qp *)id->qp;
	if (!q) { wrong(__LINE__); return; }
	for (struct mw *w = mws; w; w = w->next) if (w->qp == q && w->state == VALID) wrong(__LINE__); /* Soft-RoCE waits for these 50 s */
	((struct cq *)q->q.send_cq)->qps--;
	if (q->peer) q->peer->peer = NULL;
	id->qp = NULL;
	leave((struct id *)id);
	if (((struct id *)id)->peer) leave(((struct id *)id)->peer);
	gone(q);
}
static int known(struct rdma_conn_param *p) { return p->retry_count && !p->rnr_retry_count && !p->flow_control && !p->srq && !p->qp_num && !p->private_data == !p->private_data_len; }
int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *p)
{
	LOCKED;
	struct id *i = (struct id *)id;
	if (failing("connect")) return -1;
	if (!strcmp(set.fail, "connect_twice") && tries++ < 2) { errno = set.err; return -1; }
	if (!strcmp(set.fail, "connect_waits")) { /* as Soft-iWARP's does for TCP */
		pthread_mutex_unlock(&mutex);
		usleep(300000);
		pthread_mutex_lock(&mutex);
		errno = ETIMEDOUT;
		return -1;
	}
	if (!id->qp || !known(p) || p->responder_resources > MAX_RD || (!set.iwarp && p->private_data_len > 56)) return WRONG1;
	if (!strcmp(set.fail, "no_answer")) return 0;
	if (!strcmp(set.fail, "unreachable")) return tell(i, RDMA_CM_EVENT_UNREACHABLE, -set.err, NULL, NULL, 0), 0;
	for (struct id *l = ids; l; l = l->next)
		if (l->listening && l->i.route.addr.src_sin.sin_port == id->route.addr.dst_sin.sin_port) {
			struct id *n = newid(l->i.channel);
			struct rdma_conn_param asked = *p;
			n->i.verbs = opened();
			n->i.route.addr.src_sin = id->route.addr.dst_sin, n->i.route.addr.dst_sin = id->route.addr.src_sin;
			n->peer = i, i->peer = n;
			asked.initiator_depth = p->responder_resources, asked.responder_resources = p->initiator_depth;
			n->asked = asked;
			tell(l, RDMA_CM_EVENT_CONNECT_REQUEST, 0, n, &asked, 56);
			return 0;
		}
	if (set.iwarp) { errno = ECONNREFUSED; return -1; }
	return tell(i, RDMA_CM_EVENT_REJECTED, 8, NULL, NULL, 0), 0;
}
int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *p)
{
	LOCKED;
	struct id *i = (struct id *)id;
	if (failing("accept")) return -1;
	if (!id->qp || !known(p) || p->initiator_depth > i->asked.initiator_depth || p->initiator_depth > MAX_RD / 2 || p->responder_resources > i->asked.responder_resources)
		return WRONG1;
	if (!i->peer) { errno = ECONNRESET; return -1; }
	struct qp *q = (struct qp *)id->qp, *other = (struct qp *)i->peer->i.qp;
	q->peer = other, other->peer = q;
	q->reads = p->initiator_depth, other->reads = 0;
	q->q.state = other->q.state = IBV_QPS_RTS;
	i->connected = i->peer->connected = 1;
	tell(i->peer, RDMA_CM_EVENT_ESTABLISHED, 0, NULL, p, 196);
	tell(i, RDMA_CM_EVENT_ESTABLISHED, 0, NULL, NULL, 0);
	return 0;
}
int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t length)
{
	LOCKED;
	struct id *i = (struct id *)id;
	struct rdma_conn_param p = { .private_data = data, .private_data_len = length };
	if (!i->peer || id->qp) return WRONG1;
	i->was = 1;
	tell(i->peer, RDMA_CM_EVENT_REJECTED, set.iwarp ? -ECONNRESET : 28, NULL, &p, 148);
	return 0;
}
int rdma_disconnect(struct rdma_cm_id *id)
{
	LOCKED;
	struct id *i = (struct id *)id;
	if (!i->connected && !i->was) { errno = EINVAL; return -1; }
	if (id->qp && id->qp->state != IBV_QPS_ERR) flush((struct qp *)id->qp);
	if (i->connected && i->peer) leave(i->peer);
	leave(i);
	return 0;
}
int rdma_get_cm_event(struct rdma_event_channel *ch, struct rdma_cm_event **event)
{
	struct chan *c = (struct chan *)ch;
	uint64_t n;
	for (;;) {
		if (read(c->c.fd, &n, 8) != 8) return -1;
		LOCKED;
		struct ev *e = c->queue[c->head++ % MOST];
		if (e->dead) { free(e); continue; }
		e->of->unacked++, alive++;
		*event = &e->e;
		return 0;
	}
}
int rdma_ack_cm_event(struct rdma_cm_event *event)
{
	LOCKED;
	struct ev *e = (struct ev *)event;
	e->of->unacked--;
	memset(e->data, 0xdd, sizeof e->data); /* who reads it now reads it too late */
	return gone(e);
}

static struct cq *on(struct ibv_comp_channel *c)
{
	for (struct id *i = ids; i; i = i->next)
		if (i->i.qp && i->i.qp->send_cq->channel == c) return (struct cq *)i->i.qp->send_cq;
	abort();
}
