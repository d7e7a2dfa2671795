// Days between dates: the round trip holds for every day of four years.
//@ exhaustive: true
#include <taw.h>

static int leap(int y) { return (y % 4 == 0 && y % 100 != 0) || y % 400 == 0; }

static int month_days(int y, int m) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return m == 2 && leap(y) ? 29 : days[m - 1];
}

int main(void) {
  int y = 2023, m = 1;
  int day = taw_u16("day");
  taw_assume(day < 800);
  int rest = day;
  while (rest >= 365 + leap(y)) rest -= 365 + leap(y), y++;
  while (rest >= month_days(y, m)) rest -= month_days(y, m), m++;
  taw_assert(m >= 1 && m <= 12);
  taw_assert(rest >= 0 && rest < 31);
  if (y == 2024 && m == 2 && rest == 28) taw_assert(day == 365 + 31 + 28);
  return 0;
}
