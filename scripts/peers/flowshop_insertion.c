/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Plain C for comparison with `cargo bench -p evogrid-problems --bench flowshop`: every job of a sequence is taken out and all its
 * insertion positions are computed by Taillard's acceleration (EJOR 47, 1990); the best is found, and the job is put back.
 * The sequence is 0, 1, 2, ...
 *
 *   gcc -O3 -o flowshop_insertion scripts/peers/flowshop_insertion.c && ./flowshop_insertion JOBS MACHINES SEED SECONDS
 *
 * prints insertion positions, the seconds that the fastest pass over them takes, which other processes disturb less, and the sum of the
 * best makespans. ta001 is 20 5 873654221, ta081 is 100 20 450926852.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_JOBS = 100, MAX_MACHINES = 20 };

static int n, m;
static int time_of[MAX_JOBS][MAX_MACHINES];
static int head[MAX_JOBS + 1][MAX_MACHINES + 1];
static int tail[MAX_JOBS + 1][MAX_MACHINES + 1];

static inline int max(int a, int b) { return a > b ? a : b; }

/* Taillard's generator, EJOR 64, 1993: times 1 to 99, machine by machine. */
static void generate(int jobs, int machines, int64_t state)
{
    n = jobs;
    m = machines;
    for (int k = 0; k < m; k++)
        for (int j = 0; j < n; j++) {
            state = state * 16807 % 2147483647;
            time_of[j][k] = (int)(1 + state * 99 / 2147483647);
        }
}

/* The best makespan with `job` inserted into `count` others. */
static int best_insertion(const int *others, int count, int job)
{
    for (int i = 0; i < count; i++) {
        const int *p = time_of[others[i]];
        int done = 0;
        for (int k = 0; k < m; k++)
            head[i + 1][k] = done = max(done, head[i][k]) + p[k];
    }
    for (int k = 0; k < m; k++)
        tail[count][k] = 0;
    for (int i = count - 1; i >= 0; i--) {
        const int *p = time_of[others[i]];
        int left = 0;
        for (int k = m - 1; k >= 0; k--)
            tail[i][k] = left = max(left, tail[i + 1][k]) + p[k];
    }
    const int *p = time_of[job];
    int best = INT32_MAX;
    for (int i = 0; i <= count; i++) {
        int done = 0, makespan = 0;
        for (int k = 0; k < m; k++) {
            done = max(done, head[i][k]) + p[k];
            makespan = max(makespan, done + tail[i][k]);
        }
        if (makespan < best)
            best = makespan;
    }
    return best;
}

static long pass(void)
{
    int others[MAX_JOBS];
    long sum = 0;
    for (int job = 0; job < n; job++) {
        for (int i = 0; i < n - 1; i++)
            others[i] = i < job ? i : i + 1;
        sum += best_insertion(others, n - 1, job);
    }
    return sum;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void measure(int jobs, int machines, int64_t seed, double seconds)
{
    generate(jobs, machines, seed);
    long sum = pass(), passes = 0, check = 0;
    double fastest = 1e9, begin = now();
    while (now() - begin < seconds) {
        double before = now();
        check += pass();
        double took = now() - before;
        if (took < fastest)
            fastest = took;
        passes++;
    }
    if (check != sum * passes)
        exit(1);
    printf("{\"work\": %d, \"wall\": %.9g, \"best\": %ld}\n", n * n, fastest, sum);
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    measure(atoi(argv[1]), atoi(argv[2]), atol(argv[3]), atof(argv[4]));
    return 0;
}
