// A loop that goes one too far is an error for every length: with the tie nobody else is to blame.
//@ flags: --entry sum --array data=len --assume=len<4&&data
//@ signature: int sum(const short *data, unsigned char len)
//@ rests-on: `data` leads to exactly `len` elements where `sum` starts
//@ rests-on: `len<4&&data` holds where `sum` starts
int sum(const short *data, unsigned char len) {
  int total = 0;
  for (int i = 0; i <= len; i++)
    total += data[i]; //~ BUG out-of-bounds-read: of `*data`
                      //~| COUNT 4
  return total;
}
