/* A yardstick for `punto bench odds`: how many deals from eight decks lead to each ending (both totals, both numbers of
   cards), by going through all initial deals and third cards by point value. Whole numbers throughout.

   It shares no code with Punto; a test compares what it counts with the exact odds. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TIMES = 1000 };

static uint64_t endings[2][2][10][10];
static char draws_after[10][10];

static int banker_draws(int banker, int third) {
    if (banker < 3) return 1;
    if (banker == 3) return third != 8;
    return banker < 7 && third >= 2 * (banker - 3) && third <= 7;
}

static inline int sum(int a, int b) { return a + b > 9 ? a + b - 10 : a + b; }

/* Cards that a coup leaves undealt are dealt too, so that every deal has six and all are equally likely. */
static inline void third_cards(int *left, uint64_t deals, int player, int banker, int cards) {
    uint64_t one = (uint64_t)(cards - 1), two = (uint64_t)cards * one;
    if (player > 7 || banker > 7 || (player > 5 && banker > 5)) {
        endings[0][0][player][banker] += deals * two;
    } else if (player > 5) {
        for (int v = 0; v < 10; v++) endings[0][1][player][sum(banker, v)] += deals * left[v] * one;
    } else {
        for (int v = 0; v < 10; v++) {
            uint64_t after = deals * left[v];
            if (!draws_after[banker][v]) {
                endings[1][0][sum(player, v)][banker] += after * one;
                continue;
            }
            left[v]--;
            uint64_t *row = endings[1][1][sum(player, v)];
            for (int w = 0; w < 10; w++) row[sum(banker, w)] += after * left[w];
            left[v]++;
        }
    }
}

static void count(int *left, int cards) {
    memset(endings, 0, sizeof endings);
    for (int a = 0; a < 10; a++) {
        uint64_t first = left[a]--;
        for (int b = a; b < 10; b++) { /* two cards of a hand in either order are alike */
            uint64_t second = first * left[b]-- * (a == b ? 1 : 2);
            for (int c = 0; c < 10; c++) {
                uint64_t third = second * left[c]--;
                for (int d = c; d < 10; d++) {
                    uint64_t fourth = third * left[d]-- * (c == d ? 1 : 2);
                    third_cards(left, fourth, sum(a, b), sum(c, d), cards - 4);
                    left[d]++;
                }
                left[c]++;
            }
            left[b]++;
        }
        left[a]++;
    }
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(void) {
    int left[10] = {128, 32, 32, 32, 32, 32, 32, 32, 32, 32};
    double best = 1e9;
    uint64_t by_winner[3] = {0};
    for (int b = 0; b < 10; b++)
        for (int v = 0; v < 10; v++) draws_after[b][v] = (char)banker_draws(b, v);
    for (int time = 0; time < TIMES; time++) {
        double start = seconds();
        count(left, 416);
        double took = seconds() - start;
        if (took < best) best = took;
    }
    for (int at = 0; at < 400; at++) {
        int p = at / 10 % 10, b = at % 10;
        by_winner[p > b ? 0 : b > p ? 1 : 2] += endings[at / 200][at / 100 % 2][p][b];
    }
    printf("%.1f us\nPlayer %llu, Banker %llu, Tie %llu\n", best * 1e6, (unsigned long long)by_winner[0],
           (unsigned long long)by_winner[1], (unsigned long long)by_winner[2]);
    return 0;
}
