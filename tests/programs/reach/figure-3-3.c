// The dissertation's figure 3.3: SDSE steps into the first call and stays there; the default does not.
//@ revisions: default sdse intra
//@[sdse] flags: --search SDSE --max-instructions 5000000
//@[intra] flags: --search SDSE-intra --max-instructions 5000000
//@[default] target: label:goal reached
//@[sdse] target: label:goal unknown
//@[intra] target: label:goal unknown
#include "../../../bench/programs/figure-3-3.c"
