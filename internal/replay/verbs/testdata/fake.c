// SPDX-License-Identifier: Apache-2.0
/* A libibverbs of its own with one device, built with the headers of the real one: what
 * is called with wrong arguments, by wrong offsets or in the wrong order, it refuses. */
#include <infiniband/verbs.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MOST = 4096, MAX_WR = 64 };

static struct { char fail[32]; int err, frames, burst, link, state, compat; } set;
static struct ibv_device device;
static struct ibv_device *devices[2] = { &device };
static struct verbs_context context;
static struct ibv_pd pd;
static struct ibv_mr mr;
static struct ibv_comp_channel channel;
static struct ibv_cq cq;
static struct ibv_qp qp;
static struct ibv_flow flow;
static struct { uint64_t id, addr; } posted[MOST];
static int head, tail, sent, events, acked, alive, sniffing, lost;
static char *lo, *hi;

static int failing(const char *call)
{
	if (strcmp(call, set.fail)) return 0;
	errno = set.err;
	return 1;
}

static int refuse(void) { errno = EINVAL; return EINVAL; }

static int post_recv(struct ibv_qp *q, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
	*bad = wr;
	if (failing("post_recv")) return set.err;
	struct ibv_sge *s = wr->sg_list;
	if (q != &qp || wr->next || wr->num_sge != 1 || s->lkey != mr.lkey || (char *)s->addr < lo || (char *)s->addr + s->length > hi)
		return refuse();
	if (tail - head == MAX_WR) return ENOMEM;
	posted[tail % MOST].id = wr->wr_id;
	posted[tail++ % MOST].addr = s->addr;
	return 0;
}

/* Frame n has 64 + n % 1000 bytes, of which each is n. */
static int poll_cq(struct ibv_cq *q, int n, struct ibv_wc *wc)
{
	int i;
	if (q != &cq || failing("poll_cq")) return -1;
	for (i = 0; i < n && i < set.burst && sniffing && sent < set.frames && head < tail; i++, head++, sent++) {
		memset(&wc[i], 0, sizeof *wc);
		wc[i].wr_id = posted[head % MOST].id;
		wc[i].byte_len = 64 + sent % 1000;
		if (!strcmp(set.fail, "completion")) wc[i].status = IBV_WC_WR_FLUSH_ERR;
		memset((void *)posted[head % MOST].addr, sent, wc[i].byte_len);
	}
	return i;
}

static int req_notify_cq(struct ibv_cq *q, int solicited)
{
	uint64_t one = 1;
	if (q != &cq || solicited) return refuse();
	if (sent < set.frames && write(channel.fd, &one, 8) != 8) return errno;
	return 0;
}

static struct ibv_flow *create_flow(struct ibv_qp *q, struct ibv_flow_attr *a)
{
	if (failing("create_flow")) return NULL;
	if (q != &qp || qp.state != IBV_QPS_RTR || a->comp_mask || a->type != IBV_FLOW_ATTR_SNIFFER || a->size != sizeof *a ||
	    a->num_of_specs || a->port != 1 || a->flags || a->priority) { refuse(); return NULL; }
	sniffing = 1, alive++;
	return &flow;
}

static int destroy_flow(struct ibv_flow *f)
{
	if (f != &flow) return refuse();
	sniffing = 0, alive--;
	return 0;
}

/* fake_set begins anew. */
void fake_set(const char *fail, long err, long frames, long burst, long link, long state, long compat)
{
	memset(&set, 0, sizeof set);
	strncpy(set.fail, fail, sizeof set.fail - 1);
	set.err = err, set.frames = frames, set.burst = burst, set.link = link, set.state = state, set.compat = compat;
	head = tail = sent = events = acked = alive = sniffing = lost = 0;
	strcpy(device.name, "fake0");
	strcpy(device.dev_name, "uverbs77");
}

/* fake_alive is how much is not given back yet, and fake_sent how many frames were given. */
long fake_alive(void) { return alive; }
long fake_sent(void) { return sent; }

#undef ibv_query_port
#undef ibv_reg_mr

struct ibv_device **ibv_get_device_list(int *n)
{
	if (failing("get_device_list")) return NULL;
	*n = !failing("no_device");
	alive++;
	return devices;
}
void ibv_free_device_list(struct ibv_device **list) { if (list == devices) alive--; }
struct ibv_context *ibv_open_device(struct ibv_device *d)
{
	if (d != &device || failing("open_device")) return NULL;
	memset(&context, 0, sizeof context);
	context.sz = sizeof context;
	context.context.abi_compat = set.compat ? __VERBS_ABI_IS_EXTENDED : NULL;
	context.context.device = d;
	context.context.ops.poll_cq = poll_cq;
	context.context.ops.req_notify_cq = req_notify_cq;
	context.context.ops.post_recv = post_recv;
	context.ibv_create_flow = create_flow;
	context.ibv_destroy_flow = destroy_flow;
	alive++;
	return &context.context;
}
int ibv_close_device(struct ibv_context *c) { if (c != &context.context) return -1; alive--; return 0; }
int ibv_query_device(struct ibv_context *c, struct ibv_device_attr *a)
{
	if (c != &context.context) return refuse();
	memset(a, 0, sizeof *a);
	a->max_qp_wr = MAX_WR;
	return failing("query_device") ? set.err : 0;
}
int ibv_query_port(struct ibv_context *c, uint8_t port, struct _compat_ibv_port_attr *p)
{
	struct ibv_port_attr *a = (void *)p;
	if (c != &context.context || port != 1) return refuse();
	a->state = set.state;
	a->link_layer = set.link;
	return 0;
}
struct ibv_pd *ibv_alloc_pd(struct ibv_context *c) { if (c != &context.context) return NULL; pd.context = c; alive++; return &pd; }
int ibv_dealloc_pd(struct ibv_pd *p) { if (p != &pd || lo) return refuse(); alive--; return 0; }
struct ibv_mr *ibv_reg_mr(struct ibv_pd *p, void *addr, size_t length, int access)
{
	if (failing("reg_mr")) return NULL;
	if (p != &pd || access != IBV_ACCESS_LOCAL_WRITE) { refuse(); return NULL; }
	lo = addr, hi = lo + length, mr.lkey = 0xabcd0123, alive++;
	return &mr;
}
int ibv_dereg_mr(struct ibv_mr *m) { if (m != &mr || qp.state) return refuse(); lo = hi = NULL; alive--; return 0; }
struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *c)
{
	channel.context = c, channel.fd = eventfd(0, 0), alive++;
	return &channel;
}
int ibv_destroy_comp_channel(struct ibv_comp_channel *c) { if (c != &channel || cq.context) return refuse(); close(c->fd); alive--; return 0; }
struct ibv_cq *ibv_create_cq(struct ibv_context *c, int n, void *arg, struct ibv_comp_channel *ch, int vector)
{
	if (c != &context.context || n < 1 || arg || ch != &channel || vector) { refuse(); return NULL; }
	cq.context = c, alive++;
	return &cq;
}
int ibv_destroy_cq(struct ibv_cq *q)
{
	if (q != &cq || qp.state || acked != events) return refuse(); /* the real one waits for ever */
	cq.context = NULL, alive--;
	return 0;
}
int ibv_get_cq_event(struct ibv_comp_channel *c, struct ibv_cq **q, void **arg)
{
	uint64_t n;
	if (read(c->fd, &n, 8) != 8) return -1;
	*q = &cq, *arg = NULL, events++;
	return 0;
}
void ibv_ack_cq_events(struct ibv_cq *q, unsigned n) { if (q == &cq) acked += n; }
struct ibv_qp *ibv_create_qp(struct ibv_pd *p, struct ibv_qp_init_attr *a)
{
	if (failing("create_qp")) return NULL;
	if (p != &pd || a->send_cq != &cq || a->recv_cq != &cq || a->srq || a->cap.max_recv_wr < 1 || a->cap.max_recv_wr > MAX_WR ||
	    a->cap.max_recv_sge != 1 || a->qp_type != IBV_QPT_RAW_PACKET) { refuse(); return NULL; }
	qp.context = p->context, qp.state = IBV_QPS_RESET + 1000, alive++;
	return &qp;
}
int ibv_destroy_qp(struct ibv_qp *q) { if (q != &qp || sniffing) return refuse(); qp.state = 0; alive--; return 0; }
int ibv_modify_qp(struct ibv_qp *q, struct ibv_qp_attr *a, int mask)
{
	if (failing("modify_qp")) return set.err;
	if (q != &qp) return refuse();
	if (a->qp_state == IBV_QPS_INIT && mask == (IBV_QP_STATE | IBV_QP_PORT) && a->port_num == 1 && qp.state == IBV_QPS_RESET + 1000)
		return qp.state = IBV_QPS_INIT, 0;
	if (a->qp_state == IBV_QPS_RTR && mask == IBV_QP_STATE && qp.state == IBV_QPS_INIT)
		return qp.state = IBV_QPS_RTR, 0;
	return refuse();
}
