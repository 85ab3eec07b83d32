// tdoku (BSD-2-Clause, github.com/t-dillon/tdoku) on boards of standard input, a board a line: `exact_tdoku REPEATS < BOARDS`.
// Built by the driver where EVOGRID_TDOKU names the folder of its sources.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <vector>

#include "tdoku.h"

int main(int, char **argv) {
    const long repeats = std::atol(argv[1]);
    std::vector<std::string> boards;
    for (std::string board; std::getline(std::cin, board);) boards.push_back(board);
    const std::clock_t start = std::clock();
    long solved = 0;
    for (long round = 0; round < repeats; ++round)
        for (const std::string &board : boards) {
            char solution[81];
            size_t guesses;
            solved += TdokuSolverDpllTriadSimd(board.c_str(), 1, 0, solution, &guesses) == 1;
        }
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    if (solved != repeats * long(boards.size())) return 1;
    std::printf("{\"work\": %ld, \"seconds\": %g, \"asked\": %ld, \"counted\": %ld, \"best\": 0}\n", solved, seconds, solved, solved);
}
