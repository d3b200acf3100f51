//! Everything that is tested from outside, in one binary.

mod analyse; // `mainroad analyse`: positions, games written back, pages, runs that are ended and go on
mod bench; // `mainroad bench`: the same count on every run, equal to the golden file
mod board; // geometry, keys, positions
mod book; // reading opening books, and playing from them
mod book_building; // building, keeping and checking opening books
mod clients; // real Python clients, where Python is at hand
mod commands; // the command line: output, errors, exit codes
mod conformance; // the Hub protocol, a named check for each thing that clients rely on
mod draws; // how games end, by the vectors and by an independent referee
mod dxp; // DXP: messages, transcripts, games over pipes and sockets, sides that misbehave
mod egdb; // endgame tables: numbering, counts, values that follow from each other, damage
mod endings; // the engine with endgame tables: won endings are won
mod faster; // the build for newer processors beside the program
mod fuzz; // what fuzzing has collected, through the same checks
mod games; // whole games over Hub, engine against engine, for every rule set
mod hub; // transcripts against the built binary
mod lines; // several best lines, and searches of some moves only
mod matches; // engines against each other: faults, journals, shards, statistics, every result re-derived
mod notation; // FEN, Hub positions, move texts
mod oracle; // the fast generator against a slow one that shares no code with it
mod pdn; // files of games
mod perft; // published leaf counts
mod perft_hash; // the same counts with a cache, shared by threads
mod properties; // what holds in every position, on positions made by proptest
mod punctual; // answers in time on a busy machine
mod search; // solved positions, repeatability, limits, threads
mod shell; // the shell: conversations through a pseudo-terminal and a pipe
mod soak; // thousands of searches that are set up, stopped and asked in random order
mod solve; // proofs: against tables not shown, against plain play with counts, over the command line
mod suite; // combinations and endings with a proved answer, found within budgets
mod support; // what the tests share
mod svg; // diagrams: well-formed, everything in its place
mod table; // the transposition table while it grows, when it is cleared, when there is no memory for it
mod tidy; // layers, forgotten files, documents
mod training; // self-play, fitting, weights files, the learned evaluation
mod vectors; // move lists and leaf counts of hard positions
