// The dissertation's figure 3.3: SDSE steps into the first call and stays there; the default does not.
//@ revisions: default sdse intra
//@[sdse] flags: --search SDSE --max-time 1s
//@[intra] flags: --search SDSE-intra --max-time 1s
//@[default] target: label:goal reached
//@[sdse] target: label:goal unknown
//@[intra] target: label:goal unknown
#include "../../../bench/programs/figure-3-3.c"
