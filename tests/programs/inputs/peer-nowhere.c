//@ flags: --sym-peer udp:53=4
//@ exit: 2
//@ error: `udp:53` is no address; write tcp:PORT or unix:PATH
int main(void) { return 0; }
