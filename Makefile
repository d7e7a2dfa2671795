# The two commands of the README are `make demo` and `make test`; each sets up what it needs.

CARGO ?= cargo
TAW = target/release/taw

.PHONY: demo test bench csmith fuzz setup build help

help:
	@echo 'make demo    set everything up and run Taw on an example'
	@echo 'make test    set everything up and run all tests'
	@echo 'make bench   measure, beside an older build (OLDER=COMMIT; slower is an error) and beside KLEE where it is installed'
	@echo 'make csmith  N random programs (default 1000) against their native runs'
	@echo 'make fuzz    FUZZ damaged inputs of each kind (default 20000): scripts, text IR, LLVM assembly'
	@echo 'make build   build target/release/taw'
	@echo 'make setup   install what is missing (Debian packages, Z3)'

setup:
	@sh scripts/setup.sh

build: setup
	$(CARGO) build --release --locked -p taw-cli

# The example has errors, which is exit code 1 and the very purpose.
demo: build
	$(TAW) run examples/decode.c || test $$? -eq 1

test: setup
	@sh scripts/test.sh

N ?= 1000
csmith: build
	TAW_BIN=$(CURDIR)/$(TAW) TAW_SEEDS=1..$(N) $(CARGO) test --locked -p taw-testkit --test csmith

FUZZ ?= 20000
fuzz: setup
	TAW_FUZZ=$(FUZZ) $(CARGO) test --locked -p taw-expr -p taw-ir -p taw-loader --test hostile

# The commit whose release build `make bench` compares with: the last one whose figures were looked at.
OLDER ?= $(shell cat bench/older)
bench: build
	older=$$(sh scripts/older.sh $(OLDER)) && python3 bench/run.py --taw $(TAW) --against "$$older"
