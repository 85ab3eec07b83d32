/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A local optimum of 2-opt and Or-opt from the nearest-neighbour tour, in plain C: what crates/problems/benches/tsp.rs is compared with.
 *
 *     gcc -O3 -o tsp_two_opt scripts/peers/tsp_two_opt.c -lm && ./tsp_two_opt 1000 1000 2000 && ./tsp_two_opt 10000 10000 200
 *
 * Arguments: cities and seed of DIMACS portgen, and how many times the optimum is found. The same search as there: ten neighbours, a queue
 * of cities, the best move of a city, the shorter side of a path turned round. Prints the length of the optimum, the
 * milliseconds of processor time that one takes (the median) and how many moves were judged. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define K 10
#define MAX_SEGMENT 3

static int n;
static double *x, *y;
static uint16_t *near_city, *order, *position, *start, *queue;
static int32_t *near_weight;
static uint8_t *queued;
static int64_t evaluations;

static int32_t numbers[55];
static int at_a, at_b;

static int32_t next_number(void) {
    at_a = at_a == 0 ? 54 : at_a - 1;
    at_b = at_b == 0 ? 54 : at_b - 1;
    int32_t t = numbers[at_a] - numbers[at_b];
    if (t < 0) t += 1000000000;
    return numbers[at_a] = t;
}

static void seed_numbers(int32_t seed) {
    int32_t last = seed, next = 1;
    numbers[0] = seed;
    for (int i = 1; i < 55; i++) {
        int ii = 21 * i % 55;
        numbers[ii] = next;
        next = last - next;
        if (next < 0) next += 1000000000;
        last = numbers[ii];
    }
    at_a = 0, at_b = 24;
    for (int i = 0; i < 165; i++) next_number();
}

static inline int64_t weight(int a, int b) {
    double dx = x[a] - x[b], dy = y[a] - y[b];
    return (int64_t)(sqrt(dx * dx + dy * dy) + 0.5);
}

/* By weight and then by number, as there; quadratic, and not timed. */
static void find_neighbours(void) {
    for (int a = 0; a < n; a++) {
        uint16_t *city = near_city + (size_t)a * K;
        int32_t *far = near_weight + (size_t)a * K;
        int count = 0;
        for (int b = 0; b < n; b++) {
            if (b == a) continue;
            int32_t d = (int32_t)weight(a, b);
            if (count == K && d >= far[K - 1]) continue;
            int place = count < K ? count++ : K - 1;
            while (place > 0 && far[place - 1] > d) {
                far[place] = far[place - 1], city[place] = city[place - 1];
                place--;
            }
            far[place] = d, city[place] = (uint16_t)b;
        }
    }
}

static void nearest_neighbour(void) {
    uint8_t *visited = calloc(n, 1);
    int city = 0;
    for (int i = 0; i < n; i++) {
        start[i] = (uint16_t)city;
        visited[city] = 1;
        int64_t least = INT64_MAX;
        int next = 0;
        for (int b = 0; b < n; b++)
            if (!visited[b] && weight(city, b) < least) least = weight(city, b), next = b;
        city = next;
    }
    free(visited);
}

static inline int next_of(int c) { int p = position[c] + 1; return order[p == n ? 0 : p]; }
static inline int previous_of(int c) { int p = position[c]; return order[p == 0 ? n - 1 : p - 1]; }

static void reverse(int first, int last) {
    int i = position[first], j = position[last];
    int length = j >= i ? j - i + 1 : j + n - i + 1;
    if (2 * length > n) {
        int k = i;
        i = j + 1 == n ? 0 : j + 1;
        j = k == 0 ? n - 1 : k - 1;
        length = n - length;
    }
    for (int s = length / 2; s > 0; s--) {
        uint16_t a = order[i], b = order[j];
        order[i] = b, position[b] = (uint16_t)i;
        order[j] = a, position[a] = (uint16_t)j;
        if (++i == n) i = 0;
        if (--j < 0) j = n - 1;
    }
}

static void reverse_beside(int outside, int beside, int end) {
    if (next_of(outside) == beside) reverse(beside, end); else reverse(end, beside);
}

static void move_path(int first, int last, int before, int is_turned) {
    int in_front = previous_of(first), behind = next_of(last);
    reverse(first, before);
    reverse_beside(in_front, before, behind);
    if (!is_turned) reverse_beside(before, last, first);
}

struct move { int64_t delta; int kind, first, last, before, is_turned; };

static inline int step(int city, int forward) { return forward ? next_of(city) : previous_of(city); }

static struct move best_move(int city) {
    struct move best = {0, 0, 0, 0, 0, 0};
    const uint16_t *cities = near_city + (size_t)city * K;
    const int32_t *far = near_weight + (size_t)city * K;
    for (int forward = 1; forward >= 0; forward--) {
        int left = step(city, forward);
        int64_t removed = weight(city, left);
        for (int k = 0; k < K; k++) {
            int64_t gain = removed - far[k];
            if (gain <= 0) break;
            int near = cities[k], beyond = step(near, forward);
            int64_t delta = weight(left, beyond) - weight(near, beyond) - gain;
            evaluations++;
            if (delta < best.delta) best = (struct move){delta, 1, forward ? left : near, forward ? near : left, 0, 0};
        }
    }
    for (int forward = 1; forward >= 0; forward--) {
        int left = step(city, !forward), end = city, path[MAX_SEGMENT] = {city};
        int64_t removed = weight(left, city);
        if (far[0] >= removed) continue;
        for (int length = 1; length <= MAX_SEGMENT; length++) {
            if (length > 1) end = step(end, forward), path[length - 1] = end;
            int right = step(end, forward);
            int64_t opened = removed + weight(end, right) - weight(left, right);
            for (int k = 0; k < K && far[k] < removed; k++) {
                int near = cities[k], inside = 0;
                for (int p = 1; p < length; p++) inside |= path[p] == near;
                if (inside) continue;
                for (int after = 1; after >= 0; after--) {
                    int beyond = step(near, after == forward);
                    if (beyond == city || beyond == end) continue;
                    int64_t delta = far[k] + weight(end, beyond) - weight(near, beyond) - opened;
                    evaluations++;
                    if (delta < best.delta)
                        best = (struct move){delta, 2, forward ? city : end, forward ? end : city, after == forward ? near : beyond, !after};
                }
            }
        }
    }
    return best;
}

static int head, tail, n_queued;

static void push(int city) {
    if (queued[city]) return;
    queued[city] = 1;
    queue[tail] = (uint16_t)city;
    if (++tail == n) tail = 0;
    n_queued++;
}

static int64_t optimum(void) {
    int64_t length = 0;
    memcpy(order, start, n * sizeof *order);
    head = tail = n_queued = 0;
    memset(queued, 0, n);
    for (int i = 0; i < n; i++) position[order[i]] = (uint16_t)i, push(order[i]);
    for (int i = 0; i < n; i++) length += weight(order[i], order[i + 1 == n ? 0 : i + 1]);
    while (n_queued > 0) {
        int city = queue[head];
        if (++head == n) head = 0;
        n_queued--;
        queued[city] = 0;
        struct move m = best_move(city);
        if (!m.kind) continue;
        int ends[6] = {previous_of(m.first), m.first, m.last, next_of(m.last), m.before, 0}, n_ends = 4;
        if (m.kind == 2) ends[5] = next_of(m.before), n_ends = 6;
        if (m.kind == 1) reverse(m.first, m.last); else move_path(m.first, m.last, m.before, m.is_turned);
        length += m.delta;
        for (int e = 0; e < n_ends; e++) push(ends[e]);
        push(city);
    }
    return length;
}

static int compare(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

int main(int argc, char **argv) {
    n = argc > 1 ? atoi(argv[1]) : 1000;
    int seed = argc > 2 ? atoi(argv[2]) : 1000, rounds = argc > 3 ? atoi(argv[3]) : 1000;
    x = malloc(n * sizeof *x), y = malloc(n * sizeof *y);
    near_city = malloc((size_t)n * K * sizeof *near_city), near_weight = malloc((size_t)n * K * sizeof *near_weight);
    order = malloc(n * sizeof *order), position = malloc(n * sizeof *position), start = malloc(n * sizeof *start);
    queue = malloc(n * sizeof *queue), queued = malloc(n);
    seed_numbers(seed);
    for (int i = 0; i < n; i++) x[i] = next_number() / 1000, y[i] = next_number() / 1000;
    find_neighbours();
    nearest_neighbour();
    int64_t length = optimum();
    evaluations = 0;
    double *times = malloc(rounds * sizeof *times);
    for (int r = 0; r < rounds; r++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
        length = optimum();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
        times[r] = 1e3 * (end.tv_sec - begin.tv_sec) + 1e-6 * (end.tv_nsec - begin.tv_nsec);
    }
    qsort(times, rounds, sizeof *times, compare);
    double ms = times[rounds / 2];
    printf("cities %d seed %d length %lld ms %.4f evaluations %lld\n", n, seed, (long long)length, ms, (long long)(evaluations / rounds));
    return 0;
}
