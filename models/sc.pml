/* Servers and clients: N of each, every client with lines of its own to every server.
 *
 * A client chooses a server and asks for a service, which takes two messages in each direction and some
 * computation on both sides. What a client and a server do from the first message to the last concerns nobody else,
 * but afterwards both are where they were before, and so is the whole system: ample sets suffer from their proviso.
 *
 * Source:    "SC3" and "SC4" in Table 1 of R. Nalumasu, G. Gopalakrishnan, A partial order reduction algorithm without
 *            the proviso, UUCS-98-017, University of Utah, 1998; written after the description there.
 * Parameter: N servers and clients, 2 to 4.
 * Error:     none.
 *
 * Each process is a proctype of its own, and xr and xs name the one process at each end of a line, so that analysis sees
 * who uses which line.
 */
#ifndef N
#define N 3
#endif

#define LINE(c, s) chan ask_##c##s = [1] of { bit }; chan answer_##c##s = [1] of { bit };

LINE(0, 0) LINE(0, 1) LINE(1, 0) LINE(1, 1)
#if N > 2
LINE(0, 2) LINE(1, 2) LINE(2, 0) LINE(2, 1) LINE(2, 2)
#endif
#if N > 3
LINE(0, 3) LINE(1, 3) LINE(2, 3) LINE(3, 0) LINE(3, 1) LINE(3, 2) LINE(3, 3)
#endif

inline compute()
{
	work = 1;
	work = 0
}

inline request(ask, answer)
{
	work = 1;				/* the choice is made */
	ask!0;
	answer?0;
	compute();
	ask!1;
	answer?1;
	compute()
}

inline serve(ask, answer)
{
	ask?0;
	compute();
	answer!0;
	ask?1;
	compute();
	answer!1
}

#if N == 2
#define EACH(WHAT, x) WHAT(x, 0) WHAT(x, 1)
#elif N == 3
#define EACH(WHAT, x) WHAT(x, 0) WHAT(x, 1) WHAT(x, 2)
#else
#define EACH(WHAT, x) WHAT(x, 0) WHAT(x, 1) WHAT(x, 2) WHAT(x, 3)
#endif

#define CLIENT_ENDS(c, s) xs ask_##c##s; xr answer_##c##s;
#define SERVER_ENDS(s, c) xr ask_##c##s; xs answer_##c##s;
#define REQUEST(c, s)     :: request(ask_##c##s, answer_##c##s)
#define SERVE(s, c)       :: serve(ask_##c##s, answer_##c##s)

#define CLIENT(c) active proctype Client##c() { bit work; EACH(CLIENT_ENDS, c) end: do EACH(REQUEST, c) od }
#define SERVER(s) active proctype Server##s() { bit work; EACH(SERVER_ENDS, s) end: do EACH(SERVE, s) od }

CLIENT(0) SERVER(0)
CLIENT(1) SERVER(1)
#if N > 2
CLIENT(2) SERVER(2)
#endif
#if N > 3
CLIENT(3) SERVER(3)
#endif
