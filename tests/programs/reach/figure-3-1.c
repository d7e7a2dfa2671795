// The dissertation's figure 3.1: strategies that know the distance are made for it, and random ones are lucky.
//@ revisions: default sdse intra pr batched robin rp
//@[sdse] flags: --search SDSE
//@[intra] flags: --search SDSE-intra
//@[pr] flags: --search SDSE-pr
//@[batched] flags: --search B(SDSE)
//@[robin] flags: --search RR(RP,SDSE)
//@[rp] flags: --search RP
//@ flags: --max-time 30s
//@ target: label:goal reached
#include "../../../bench/programs/figure-3-1.c"
