// The unit bsort of the IPPC paper, written anew: bubble sort of 30 numbers.
struct numbers {
  int of[30];
};

int bsort(struct numbers v) {
  int swaps = 0;
  for (int i = 0; i < 29; i++)
    for (int j = 0; j < 29 - i; j++)
      if (v.of[j] > v.of[j + 1]) {
        int t = v.of[j];
        v.of[j] = v.of[j + 1];
        v.of[j + 1] = t;
        swaps++;
      }
  if (swaps == 0) return 0;
  return swaps == 435 ? 2 : 1;
}
