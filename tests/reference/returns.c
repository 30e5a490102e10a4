// What every wager of Tiger Baccarat returns from one shoe, exactly: a yardstick for `punto bench lab`.
// Doubles hold whole numbers below 2^53, and no count of deals of eight decks is larger. It prints the time of one
// state: of the endings alone, which is the work of a plain enumeration, and of all wagers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef long long whole;
static double ended[4][10][20];
static char draws[8][11];

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int banker_draws(int total, int third) {  // third 10: Player has none
    if (third == 10) return total <= 5;
    if (total <= 2) return 1;
    if (total == 3) return third != 8;
    if (total == 4) return third >= 2 && third <= 7;
    if (total == 5) return third >= 4 && third <= 7;
    return total == 6 && third >= 6 && third <= 7;
}

typedef struct { double with[10][16], turned[10][24], pairs[10]; } Partners;

static void pair_up(const double *cards, Partners *p) {
    for (int total = 0; total < 10; total++) {
        double ordered = 0;
        for (int value = 0; value < 10; value++) {
            int other = total >= value ? total - value : total + 10 - value;
            double count = cards[other] - (other == value);
            p->with[total][value] = p->turned[total][9 - value] = p->turned[total][19 - value] = count;
            ordered += cards[value] * count;
        }
        p->pairs[total] = ordered;
    }
}

static void without(int third, const Partners *all, Partners *left, double sign) {
    for (int total = 0; total < 10; total++) {
        int value = total >= third ? total - third : total + 10 - third;
        left->with[total][value] -= sign;
        left->turned[total][9 - value] -= sign;
        left->turned[total][19 - value] -= sign;
        left->pairs[total] = all->pairs[total] - 2 * all->with[total][third];
    }
}

static inline void add_thirds(double *restrict into, const double *restrict cards, const Partners *restrict p,
                              int player, int banker, double weight, double deals) {
    const double *one = p->with[player], *other = p->with[banker];
    const double *beside = p->turned[banker] + 9 - player, *beneath = p->turned[player] + 9 - banker;
    double a = p->pairs[banker] + 4 * (player == banker), b = p->pairs[player];
    for (int y = 0; y < 10; y++) {
        double lost = one[y] * (a - 4 * other[y] - 2 * beside[y]) + other[y] * (b - 2 * beneath[y]);
        into[y] += weight * cards[y] * (deals - 2 * lost);
    }
}

__attribute__((noinline)) static void count_endings(const double *given) {
    double cards[16] = {0}, shared[10][10], n = 0;
    Partners all, left;
    for (int value = 0; value < 10; value++) n += cards[value] = given[value];
    memset(ended, 0, sizeof ended);
    pair_up(cards, &all);
    left = all;
    for (int player = 0; player < 10; player++)
        for (int banker = player; banker < 10; banker++) {
            double both = 0;
            for (int v = 0; v < 10; v++) both += cards[v] * all.with[player][v] * all.with[banker][v];
            shared[player][banker] = shared[banker][player] = both;
        }
    for (int player = 0; player < 10; player++)
        for (int banker = 0; banker < 10; banker++) {
            int same = player == banker;
            double deals = all.pairs[player] * all.pairs[banker] - 4 * shared[player][banker] + 2 * same * all.pairs[player];
            if (player >= 8 || banker >= 8 || (player >= 6 && banker >= 6))
                ended[0][player][banker] = deals * (n - 4) * (n - 5);
            else if (player >= 6)
                add_thirds(ended[1][player] + banker, cards, &all, player, banker, n - 5, deals);
        }
    for (int third = 0; third < 10; third++) {
        double count = cards[third];
        if (count == 0) continue;
        cards[third] = count - 1;
        without(third, &all, &left, 1);
        for (int player = 0; player < 6; player++) {
            double(*row)[20] = ended[2] + (player + third) % 10, (*rows)[20] = ended[3] + (player + third) % 10;
            double own = all.with[player][third];
            for (int banker = 0; banker < 8; banker++) {
                int same = player == banker;
                double other = all.with[banker][third];
                double both = shared[player][banker] - own * (other + all.turned[banker][9 - player + third] - same) -
                              other * all.turned[player][9 - banker + third];
                double deals = left.pairs[player] * left.pairs[banker] - 4 * both + 2 * same * left.pairs[player];
                if (draws[banker][third])
                    add_thirds(*rows + banker, cards, &left, player, banker, count, deals);
                else
                    (*row)[banker] += deals * count * (n - 5);
            }
        }
        without(third, &all, &left, -1);
        cards[third] = count;
    }
}

// Player, Banker (in twentieths), Tie, Tiger, Big Tiger, Small Tiger, Tiger Pair, Tiger Tie.
__attribute__((noinline)) static void returns(const int *ranks, whole *of) {
    double values[10] = {0};
    whole n = 0, player = 0, banker = 0, tie = 0, small = 0, big = 0, six = 0;
    for (int rank = 0; rank < 13; rank++) {
        values[rank < 9 ? rank + 1 : 0] += ranks[rank];
        n += ranks[rank];
    }
    count_endings(values);
    for (int kind = 0; kind < 4; kind++)
        for (int p = 0; p < 10; p++)
            for (int b = 0; b < 10; b++) {
                whole deals = (whole)(ended[kind][p][b] + ended[kind][p][b + 10]);
                if (p > b) player += deals;
                else if (p == b) tie += deals, six += p == 6 ? deals : 0;
                else banker += deals, (kind & 1 ? &big : &small)[0] += b == 6 ? deals : 0;
            }
    whole all = player + banker + tie, one_pair = 0, twins = 0, squares = 0, rest = (n - 4) * (n - 5);
    for (int rank = 0; rank < 13; rank++) {
        whole c = ranks[rank], pair = c * (c - 1);
        one_pair += pair;
        squares += pair * pair;
        twins += pair * (c - 2) * (c - 3);
    }
    whole doubles = one_pair * one_pair - squares, single = 2 * (one_pair * (n - 2) * (n - 3) - doubles - twins);
    of[0] = player - banker;
    of[1] = 19 * banker - 20 * player;
    of[2] = 9 * tie - all;
    of[3] = 13 * small + 21 * big - all;
    of[4] = 51 * big - all;
    of[5] = 23 * small - all;
    of[6] = (101 * twins + 21 * doubles + 5 * single) * rest - all;
    of[7] = 36 * six - all;
}

int main(int count, char **given) {
    for (int banker = 0; banker < 8; banker++)
        for (int third = 0; third <= 10; third++) draws[banker][third] = banker_draws(banker, third);
    int ranks[13];
    for (int rank = 0; rank < 13; rank++) ranks[rank] = count > 13 ? atoi(given[rank + 1]) : 32;
    double values[10] = {0}, endings = 1, everything = 1;
    for (int rank = 0; rank < 13; rank++) values[rank < 9 ? rank + 1 : 0] += ranks[rank];
    whole of[8];
    for (int turn = 0; turn < 400; turn++) {
        double began = now();
        for (int each = 0; each < 20; each++) count_endings(values);
        double took = (now() - began) / 20;
        if (took < endings) endings = took;
        began = now();
        for (int each = 0; each < 20; each++) returns(ranks, of);
        took = (now() - began) / 20;
        if (took < everything) everything = took;
    }
    printf("%.3f us a state, all wagers; %.3f us the endings\n", 1e6 * everything, 1e6 * endings);
    for (int wager = 0; wager < 8; wager++) printf("%lld\n", of[wager]);
}
