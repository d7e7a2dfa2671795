/* A part of a larger program: what reads the sensor and what draws the display are elsewhere. */
struct sample { int value; unsigned char age; };

int sensor_read(struct sample *out);
void display(const char *text, int percent);

int percent_of(int limit) {
  struct sample now;
  if (sensor_read(&now) != 0) return -1;
  if (now.age > 60) return -2;
  int percent = now.value / limit;
  display("level", percent);
  return percent;
}
