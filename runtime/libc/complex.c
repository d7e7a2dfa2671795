/* Products and quotients of complex numbers, as the compiler calls them. */

double _Complex __muldc3(double a, double b, double c, double d) {
  return __builtin_complex(a * c - b * d, a * d + b * c);
}

float _Complex __mulsc3(float a, float b, float c, float d) {
  return __builtin_complex(a * c - b * d, a * d + b * c);
}

double _Complex __divdc3(double a, double b, double c, double d) {
  double square = c * c + d * d;
  return __builtin_complex((a * c + b * d) / square, (b * c - a * d) / square);
}

float _Complex __divsc3(float a, float b, float c, float d) {
  float square = c * c + d * d;
  return __builtin_complex((a * c + b * d) / square, (b * c - a * d) / square);
}
