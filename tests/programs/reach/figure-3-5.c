// The dissertation's figure 3.5, which no forward strategy solves there.
//@ revisions: default sdse
//@[sdse] flags: --search SDSE --max-instructions 5000000
//@[default] target: label:goal reached
//@[sdse] target: label:goal unknown
#include "../../../bench/programs/figure-3-5.c"
