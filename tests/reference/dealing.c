/* A yardstick for `punto bench simulate`: the same work in C, written as fast as we know how.

   Whole shoes of eight decks, shuffled without bias, dealt until the cutting card, 14 from the end, has shown. In every
   round two counts: how it ended (both totals, both numbers of cards), and what the initial deal was (for each hand
   whether it is a pair, of which rank, and whether of diamonds). They settle every wager of the five games.

   Four shoes are dealt side by side. It shares no code with Punto; a test compares what it counts with the exact odds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DECKS = 8, SIZE = 52 * DECKS, CUT = SIZE - 14, LANES = 4, KINDS = 27, ENDINGS = 400, TIMES = 5 };

static uint8_t shoe[LANES][SIZE + 8], value[64], hand_total[64 * 64], hand_kind[64 * 64];
static uint16_t ended[10 * 10 * 10 * 10]; /* an ending above the number of cards taken, by both totals and both thirds */
static uint32_t endings[LANES][ENDINGS], initials[LANES][KINDS * KINDS];
static uint64_t s0, s1, s2, s3;

static int banker_draws(int banker, int third) {
    if (banker < 3) return 1;
    if (banker == 3) return third != 8;
    return banker < 7 && third >= 2 * (banker - 3) && third <= 7;
}

static void make_tables(void) {
    for (int card = 0; card < 52; card++) value[card] = card % 13 < 9 ? card % 13 + 1 : 0;
    for (int a = 0; a < 52; a++)
        for (int b = 0; b < 52; b++) {
            int pair = a % 13 == b % 13, diamonds = a / 13 == 3 && b / 13 == 3;
            hand_total[a << 6 | b] = (value[a] + value[b]) % 10;
            hand_kind[a << 6 | b] = pair ? 1 + 2 * (a % 13) + diamonds : 0;
        }
    for (int at = 0; at < 10000; at++) {
        int player = at / 1000, banker = at / 100 % 10, fifth = at / 10 % 10, sixth = at % 10;
        int natural = player > 7 || banker > 7, player_draws = !natural && player < 6;
        int draws = !natural && (player_draws ? banker_draws(banker, fifth) : banker < 6);
        int p = player_draws ? (player + fifth) % 10 : player;
        int b = draws ? (banker + (player_draws ? sixth : fifth)) % 10 : banker;
        ended[at] = (uint16_t)((((player_draws * 2 + draws) * 10 + p) * 10 + b) << 3 | (4 + player_draws + draws));
    }
}

static inline uint64_t rotated(uint64_t x, int by) { return x << by | x >> (64 - by); }

static inline uint64_t next_word(void) { /* xoshiro256++ */
    uint64_t word = rotated(s0 + s3, 23) + s0, shifted = s1 << 17;
    s2 ^= s0, s3 ^= s1, s1 ^= s2, s0 ^= s3, s2 ^= shifted, s3 = rotated(s3, 45);
    return word;
}

static inline void swap(uint8_t *cards, uint64_t one, uint64_t other) {
    uint8_t kept = cards[one];
    cards[one] = cards[other], cards[other] = kept;
}

/* Four places from each word: half of it is multiplied by the number of places, twice, and what overflows is the choice;
   where that would favour some, the word is drawn anew. */
static void shuffle(uint8_t *cards) {
    const uint64_t low = 0xffffffff;
    for (uint64_t at = 0; at < SIZE - 4;) {
        uint64_t word = next_word(), n = SIZE - at;
        uint64_t a = (word & low) * n, b = (a & low) * (n - 1), c = (word >> 32) * (n - 2), d = (c & low) * (n - 3);
        uint64_t one = n * (n - 1), other = (n - 2) * (n - 3);
        if (((b & low) < one && (b & low) < (low + 1 - one) % one) || ((d & low) < other && (d & low) < (low + 1 - other) % other)) continue;
        swap(cards, at, at + (a >> 32)), at++;
        swap(cards, at, at + (b >> 32)), at++;
        swap(cards, at, at + (c >> 32)), at++;
        swap(cards, at, at + (d >> 32)), at++;
    }
}

static uint64_t deal(int shoes) {
    uint64_t rounds = 0;
    for (; shoes > 0; shoes -= LANES) {
        uint64_t at[LANES] = {0}, any = 1;
        for (int lane = 0; lane < LANES; lane++) shuffle(shoe[lane]);
        while (any) {
            any = 0;
            for (int lane = 0; lane < LANES; lane++) {
                const uint8_t *cards = shoe[lane] + at[lane];
                uint64_t goes_on = at[lane] <= CUT;
                unsigned player = (unsigned)cards[0] << 6 | cards[2], banker = (unsigned)cards[1] << 6 | cards[3];
                unsigned end = ended[hand_total[player] * 1000 + hand_total[banker] * 100 + value[cards[4]] * 10 + value[cards[5]]];
                at[lane] += (end & 7) & -goes_on;
                endings[lane][end >> 3] += goes_on;
                initials[lane][hand_kind[player] * KINDS + hand_kind[banker]] += goes_on;
                any |= goes_on, rounds += goes_on;
            }
        }
    }
    return rounds;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

int main(int count, char **words) {
    int shoes = count > 1 ? atoi(words[1]) : 80000;
    double best = 0;
    uint64_t rounds = 0, by_winner[3] = {0}, pairs = 0;
    make_tables();
    s0 = 0x9e3779b97f4a7c15, s1 = 0xbf58476d1ce4e5b9, s2 = 0x94d049bb133111eb, s3 = 0x2545f4914f6cdd1d;
    for (int lane = 0; lane < LANES; lane++)
        for (int card = 0; card < SIZE; card++) shoe[lane][card] = (uint8_t)(card % 52);
    for (int time = 0; time < TIMES; time++) {
        double start = seconds();
        uint64_t dealt = deal(shoes);
        double rate = dealt / (seconds() - start) / 1e6;
        if (rate > best) best = rate;
        rounds += dealt;
    }
    for (int lane = 0; lane < LANES; lane++) {
        for (int end = 0; end < ENDINGS; end++) {
            int p = end / 10 % 10, b = end % 10;
            by_winner[p > b ? 0 : b > p ? 1 : 2] += endings[lane][end];
        }
        for (int kinds = KINDS; kinds < KINDS * KINDS; kinds++) pairs += initials[lane][kinds];
    }
    printf("%.1f M/s\n%llu rounds: Player %llu, Banker %llu, Tie %llu, Player Pair %llu\n", best, (unsigned long long)rounds,
           (unsigned long long)by_winner[0], (unsigned long long)by_winner[1], (unsigned long long)by_winner[2], (unsigned long long)pairs);
    return 0;
}
