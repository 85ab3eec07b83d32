/* SPDX-License-Identifier: MIT OR Apache-2.0

   A plain C program of the loop of robust tabu search (E. Taillard, 1991) on symmetric assignment problems: each iteration looks at every
   exchange of two rows by the delta matrix, makes the best allowed one and updates the matrix. `crates/problems/benches/qap.rs` does the
   same loop; `make bench-peers` compares the two, which must find the same costs.

   cc -O3 -o qap_deltas qap_deltas.c;  ./qap_deltas FORM N ITERATIONS
   FORM is `textbook` (the formulas as they are printed: int matrices, each entry by itself) or `rows` (short integers, the second matrix
   kept in the order of the assignment, whole rows at a time). Prints the best cost. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 256
static int n, p[MAX], a[MAX][MAX], b[MAX][MAX], delta[MAX][MAX];
static long tabu[MAX][MAX];

/* Taillard's generator. */
static long state;
static int integer(int low, int high)
{
    state = 16807 * state % 2147483647;
    return low + (int)(state * (high - low + 1) / 2147483647);
}

static void matrix(int m[MAX][MAX], long seed)
{
    state = seed;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            m[i][j] = m[j][i] = integer(0, 99);
}

static int anew(int i, int j)
{
    int sum = 0;
    for (int k = 0; k < n; k++)
        if (k != i && k != j)
            sum += (a[i][k] - a[j][k]) * (b[p[j]][p[k]] - b[p[i]][p[k]]);
    return 2 * sum;
}

static void textbook_exchange(int r, int s)
{
    int old = p[r];
    p[r] = p[s];
    p[s] = old;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (i != r && i != s && j != r && j != s)
                delta[i][j] += 2 * (a[r][i] - a[r][j] + a[s][j] - a[s][i])
                    * (b[p[s]][p[i]] - b[p[s]][p[j]] + b[p[r]][p[j]] - b[p[r]][p[i]]);
            else
                delta[i][j] = anew(i, j);
}

/* The same by rows: `sa` is A, `sb` twice B in the order of the assignment. */
static short sa[MAX][MAX], sb[MAX][MAX];

static int rows_anew(int i, int j)
{
    const short *ai = sa[i], *aj = sa[j], *bi = sb[i], *bj = sb[j];
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += (short)(ai[k] - aj[k]) * (short)(bj[k] - bi[k]);
    return sum + 2 * ai[j] * bi[j];
}

static void rows_exchange(int r, int s)
{
    short u[MAX], v[MAX], row[MAX];
    int old = p[r];
    p[r] = p[s];
    p[s] = old;
    for (int k = 0; k < n; k++) {
        u[k] = sa[r][k] - sa[s][k];
        v[k] = sb[r][k] - sb[s][k];
    }
    memcpy(row, sb[r], sizeof row);
    memcpy(sb[r], sb[s], sizeof row);
    memcpy(sb[s], row, sizeof row);
    for (int k = 0; k < n; k++) {
        short entry = sb[k][r];
        sb[k][r] = sb[k][s];
        sb[k][s] = entry;
    }
    for (int i = 0; i < n; i++) {
        if (i == r || i == s) {
            for (int j = i + 1; j < n; j++)
                delta[i][j] = rows_anew(i, j);
            continue;
        }
        int *restrict d = delta[i];
        short ui = u[i], vi = v[i];
        for (int j = i + 1; j < n; j++)
            d[j] += (short)(ui - u[j]) * (short)(vi - v[j]);
        if (i < r)
            d[r] = rows_anew(i, r);
        if (i < s)
            d[s] = rows_anew(i, s);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int by_rows = strcmp(argv[1], "rows") == 0;
    n = atoi(argv[2]);
    long iterations = atol(argv[3]);
    if (n < 2 || n > MAX)
        return 2;
    matrix(a, 123456789);
    matrix(b, 443596051);
    for (int i = 0; i < n; i++)
        p[i] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            sa[i][j] = a[i][j];
            sb[i][j] = 2 * b[i][j];
        }
    long now = 0, best;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            now += a[i][j] * b[i][j];
    best = now;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            delta[i][j] = anew(i, j);
    state = 1;
    for (long iteration = 1; iteration <= iterations; iteration++) {
        int least = INT_MAX, r = -1, s = -1;
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                if (delta[i][j] < least) {
                    int is_tabu = tabu[i][p[j]] > iteration && tabu[j][p[i]] > iteration;
                    if (!is_tabu || now + delta[i][j] < best) {
                        least = delta[i][j];
                        r = i;
                        s = j;
                    }
                }
        if (r < 0)
            continue;
        tabu[r][p[r]] = iteration + integer(9 * n / 10, 11 * n / 10);
        tabu[s][p[s]] = iteration + integer(9 * n / 10, 11 * n / 10);
        now += least;
        best = now < best ? now : best;
        if (by_rows)
            rows_exchange(r, s);
        else
            textbook_exchange(r, s);
    }
    printf("%ld\n", best);
    return 0;
}
