# The front door.  Everything here calls tools/ or meson; nothing is decided here.
PREFIX ?= /usr/local
DESTDIR ?=
CROSS = aarch64-linux-gnu-gcc=gcc-aarch64-linux-gnu \
	/usr/aarch64-linux-gnu/include/stdio.h=libc6-dev-arm64-cross
# With sanitizers compiling takes far longer than what runs, so these optimise less.
LESS = -Db_lundef=false -Doptimization=1 -Dc_args=-g1
SAN = -Db_sanitize=address,undefined $(LESS)
TSAN = -Db_sanitize=thread $(LESS)

all: build
deps:
	@tools/deps
build/build.ninja: | deps
	@meson setup build
build: deps build/build.ninja
	@ninja -C build
build-asan: build
	@test -f build-asan/build.ninja || meson setup build-asan $(SAN)
	@ninja -C build-asan
build-tsan: build
	@test -f build-tsan/build.ninja || meson setup build-tsan $(TSAN)
	@ninja -C build-tsan threads
run: deps build/build.ninja
	@ninja -C build src/cmd/dtrace
	@tools/run build/src/cmd/dtrace
test: build build-asan build-tsan
	@tools/deps $(CROSS) || echo 'test: without a cross compiler'
	@tools/deps patch xz=xz-utils gfortran ruby php=php-cli go=golang-go gdb dwz eu-stack=elfutils || \
		echo "test: without patch, xz, Ruby, PHP, Go, or what looks at programs"
	@tools/run-tests build build-asan:unit,golden,fuzz build-tsan:threads
test-vm: build
	@tools/deps qemu-system-x86_64=qemu-system-x86 busybox=busybox-static \
		xz=xz-utils zstd=zstd $(if $(findstring arm64,$(VM)),qemu-system-aarch64=qemu-system-arm $(CROSS)) || echo 'test-vm: without a machine'
	@tools/run-tests build:$(or $(VM),vm)
soak: build
	@tools/soak build
fuzz: build
	@build/tests/diff/diff-fuzz --seconds $(or $(SECONDS),1800)
	@build/tests/diff/diff-fuzz --real --seconds $(or $(SECONDS),1800)
	@tools/fuzz $(SECONDS)
bench: build
	@tools/deps bpftrace || echo 'bench: without bpftrace'
	@bench/run build/src/cmd/dtrace
install: build
	@meson configure build -Dprefix=$(PREFIX)
	@DESTDIR=$(DESTDIR) meson install -C build
clean:
	@rm -rf build build-asan build-tsan build-fuzz

.PHONY: all deps build build-asan build-tsan run test test-vm soak fuzz bench install clean
