mod draws;
mod perft;
mod support;
mod vectors;
