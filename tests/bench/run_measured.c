/* run_measured.c: runs a command and prints what it took:
 *
 *     run_measured CPU_SECONDS COMMAND [ARGUMENT ...]
 *
 * prints "status user_seconds system_seconds clock_seconds resident_kilobytes" on standard error's last line.
 * A process begins life with the peak memory of the one that started it, so Python cannot start what is to
 * be measured: its own size would be the least it could see.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static void run(long limit, char **command)
{
    struct rlimit cpu = {(rlim_t)limit, (rlim_t)limit};
    setrlimit(RLIMIT_CPU, &cpu);
    execv(command[0], command);
    _exit(127);
}

int main(int argc, char **argv)
{
    struct rusage used;
    int status;
    if (argc < 3) return 1;
    double start = now();
    pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) run(atol(argv[1]), argv + 2);
    if (wait4(child, &status, 0, &used) != child) return 1;
    fprintf(stderr, "\n%d %.6f %.6f %.6f %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
            seconds(used.ru_utime), seconds(used.ru_stime), now() - start, used.ru_maxrss);
    return 0;
}
