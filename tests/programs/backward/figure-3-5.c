// The dissertation's figure 3.5: from the start alone the goal is too deep, from its side alone too many calls are impossible; both together get there.
//@ revisions: mix klee rp sdse
//@[mix] flags: --search Mix-CCBSE(KLEE) --max-instructions 5000000
//@[klee] flags: --search KLEE --max-instructions 5000000
//@[rp] flags: --search RP --max-instructions 5000000
//@[sdse] flags: --search SDSE --max-instructions 5000000
//@[mix] target: label:goal reached
//@[klee] target: label:goal unknown
//@[rp] target: label:goal unknown
//@[sdse] target: label:goal unknown
#include "../../../bench/programs/figure-3-5.c"
