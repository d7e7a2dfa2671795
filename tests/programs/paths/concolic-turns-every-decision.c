// One path after the other: as many as brute force counts, whoever chooses what is turned, whole or by parts; switches, values of pointers and checks are decisions too.
//@ revisions: dfs bound ippc crest generational adaptive random
//@[dfs] flags: --search concolic(DFS)
//@[bound] flags: --search concolic(DFS(100))
//@[ippc] flags: --search concolic(IPPC)
//@[crest] flags: --search concolic(IPPC(DFS-crest))
//@[generational] flags: --search concolic(generational)
//@[adaptive] flags: --search concolic(IPPC-adaptive)
//@[random] flags: --search concolic(IPPC,random) --seed 3
//@ brute-force
#include <taw.h>

static const int table[] = {5, 7, 9, 11};

int main(void) {
  unsigned char a = taw_u8("a"), b = taw_u8("b");
  int n = 0;
  switch (a) {
    case 3: n = 1; break;
    case 4:
    case 5: n = 2; break;
    case 200: n = 3; break;
    default: n = 4;
  }
  for (int i = 0; i < b && i < 3; i++) n += i;
  taw_assert(n != 7 || a < 250);  //~ BUG assertion-failure
  if (a > b && (a & 3) == 1) n += table[a & 3];
  return n;
}
