// The dissertation's figure 3.3 from the goal's side: one path through `f` is found, and the eighth call takes it up.
//@ revisions: ccbse mix sdse sage
//@[ccbse] flags: --search CCBSE(SDSE) --max-instructions 1500000
//@[mix] flags: --search Mix-CCBSE(RP) --max-instructions 5000000
//@[sdse] flags: --search SDSE --max-instructions 5000000
//@[sage] flags: --search SAGE --max-instructions 5000000
//@[ccbse] target: label:goal reached
//@[mix] target: label:goal reached
//@[sdse] target: label:goal unknown
//@[sage] target: label:goal unknown
#include "../../../bench/programs/figure-3-3.c"
