/* The (1+1) evolutionary algorithm on OneMax and LeadingOnes in C: a program for each run, `problem = "external"` (docs/external.md).
 *
 *     cc -O2 -o target/external/bits experiments/external/bits.c
 *     target/external/bits INSTANCE SEED EVALUATIONS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10000 };

static uint64_t state;

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t draw(void)
{
    uint64_t mixed = (state += 0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
}

static int one_max(const char *bits, int n)
{
    int ones = 0;
    for (int at = 0; at < n; at++)
        ones += bits[at] == '1';
    return ones;
}

static int leading_ones(const char *bits, int n)
{
    int at = 0;
    while (at < n && bits[at] == '1')
        at++;
    return at;
}

int main(int count, char **words)
{
    const char *size = count == 4 ? strstr(words[1], "\"n\":") : NULL;
    int n = size ? atoi(size + 4) : 0;
    if (n < 1 || n > MOST) {
        fprintf(stderr, "expected an instance with \"n\", a seed and a number of evaluations\n");
        return 1;
    }
    int (*function)(const char *, int) = strstr(words[1], "OneMax") ? one_max : leading_ones;
    long limit = atol(words[3]), evaluations = 1;
    static char best[MOST + 1], candidate[MOST + 1];
    state = strtoull(words[2], NULL, 10);
    for (int at = 0; at < n; at++)
        best[at] = draw() & 1 ? '1' : '0';
    int value = function(best, n);
    while (value < n && evaluations < limit) {
        memcpy(candidate, best, n);
        for (int at = 0; at < n; at++)
            if (draw() % n == 0)
                candidate[at] ^= 1;
        int found = function(candidate, n);
        evaluations++;
        if (found > value)
            printf("{\"improvement\": true, \"evaluations\": %ld, \"objective\": %d}\n", evaluations, found);
        if (found >= value) {
            memcpy(best, candidate, n);
            value = found;
        }
    }
    printf("{\"solution\": \"%s\", \"objective\": %d, \"evaluations\": %ld, \"stop\": \"evaluations\"}\n", best, value, evaluations);
    return 0;
}
