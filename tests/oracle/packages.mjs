import { isHere } from './programs.mjs'

/** Small Debian packages with programs from the tables that a minimal system lacks. */
const PACKAGES = `
  ack: ack
  acl: getfacl setfacl
  ansible-core: ansible-test ansible-console ansible-vault ansible-pull ansible ansible-playbook ansible-galaxy
  ansible-lint: ansible-lint
  ant: ant
  aptitude: aptitude
  avahi-utils: avahi-resolve
  bat: batcat
  bats: bats
  bc: bc
  bind9-dnsutils: dig nslookup delv
  bind9-host: host
  binutils: gprofng strings readelf nm size ld as ar objcopy objdump strip ranlib
  black: black
  bmake: bmake
  bosh: bosh
  bsdextrautils: column colrm ul col hexdump hd look write
  buildah: buildah
  bzip2: bzcat bzless bzip2 bunzip2
  cargo: cargo
  checkstyle: checkstyle
  chicken-bin: chicken csi csc
  clang-format: clang-format
  clang-tidy: clang-tidy
  clisp: clisp
  cloc: cloc
  cmake: cmake ctest cpack
  coffeescript: coffee
  colordiff: colordiff
  composer: composer
  cpp: cpp
  cppcheck: cppcheck
  crun: crun
  cscope: cscope
  curl: curl
  darcs: darcs
  dbus-daemon: dbus-run-session
  dc: dc
  diffstat: diffstat
  direnv: direnv
  distrobox: distrobox
  dnf: dnf
  docker-compose: docker-compose
  ecl: ecl
  ed: ed red
  elixir: elixir iex mix
  elvish: elvish
  erlang-base: erl escript erlc
  esbuild: esbuild
  eslint: eslint
  exa: exa
  expect: unbuffer expect
  fabric: fab
  fakeroot: fakeroot
  fasm: fasm
  fd-find: fdfind
  file: file
  finger: finger
  fish: fish
  flake8: flake8
  fossil: fossil
  fping: fping fping6
  g++: g++
  g++-12: c++
  gambc: gsi
  gawk: awk gawk nawk
  gcc: gcc
  gcc-12: cc
  gdb: gdb gcore
  gettext: msgattrib msgcat msgconv msgfilter msgmerge msguniq
  gh: gh
  gnuplot-nox: gnuplot
  gojq: gojq
  golang-go: go gofmt
  gotestsum: gotestsum
  gpg: gpg
  gradle: gradle
  groovy: groovy
  guile-3.0: guile
  haskell-stack: stack
  heaptrack: heaptrack
  hping3: hping3
  hub: hub
  icu-devtools: uconv
  iptables: iptables iptables-save
  iputils-arping: arping
  iputils-tracepath: tracepath
  ipython3: ipython3
  isort: isort
  jq: jq
  jruby: jruby
  jython: jython
  knot-dnsutils: kdig
  kubectx: kubectx kubens
  ldnsutils: drill
  leiningen: lein
  libnotify-bin: notify-send
  livescript: lsc
  lsd: lsd
  lsof: lsof
  lua5.1: lua
  luajit: luajit
  luarocks: luarocks
  lz4: lz4cat lz4
  m4: m4
  make: make gmake
  maven: mvn
  mercurial: hg
  meson: meson
  mksh: mksh
  moarvm: moar
  mocha: mocha _mocha
  mtr-tiny: mtr
  mypy: dmypy mypy
  ncal: cal
  newlisp: newlisp
  nim: nim nimble
  ninja-build: ninja
  node-grunt-cli: grunt
  node-istanbul: nyc istanbul
  node-jake: jake
  node-jasmine: jasmine
  node-rimraf: rimraf
  node-typescript: tsc
  nox: nox
  ocaml-dune: dune
  opam: opam
  openjdk-17-jdk-headless: jrunscript jshell javac jar
  openjdk-17-jre-headless: jexec java
  openssh-client: ssh-agent sftp scp ssh-keygen ssh-keyscan ssh-copy-id ssh-add ssh slogin
  openssl: openssl
  patch: patch
  pciutils: lspci
  perl: shasum cpan perldoc perlbug
  php-codesniffer: phpcs
  php8.2-cli: php
  phpunit: phpunit
  picolisp: picolisp
  pipenv: pipenv
  pipx: pipx
  plocate: locate plocate
  podman: podman
  podman-compose: podman-compose
  posh: posh
  postgresql-client-common: psql pg_dump pg_restore pg_dumpall createdb dropdb
  psmisc: killall fuser
  pycodestyle: pycodestyle
  pydocstyle: pydocstyle
  pylint: pylint
  pypy3: pypy3
  python-is-python3: python pydoc
  python3: pydoc3
  python3-bandit: bandit
  python3-doit: doit
  python3-invoke: invoke inv
  python3-minimal: python3
  python3-pip: pip pip3
  python3-poetry: poetry
  python3-pytest: pytest py.test
  r-base-core: Rscript R
  rake: rake
  rakudo: raku perl6
  rbenv: rbenv
  rdate: rdate
  remake: remake
  ripgrep: rg
  rollup: rollup
  rubocop: rubocop
  ruby: ruby irb ri
  ruby-bundler: bundle bundler
  ruby-rspec-core: rspec
  ruby-rubygems: gem
  rustc: rustc
  rustfmt: rustfmt
  sash: sash
  sbcl: sbcl
  scons: scons
  secure-delete: srm
  shellcheck: shellcheck
  silversearcher-ag: ag
  skopeo: skopeo
  socat: socat
  software-properties-common: add-apt-repository
  sqlite3: sqlite3
  ssed: ssed
  subversion: svn
  swi-prolog-core: swipl
  taskwarrior: task
  tcl: tclsh
  tcsh: tcsh
  time: time
  tk: wish
  tmux: tmux
  tox: tox
  trash-cli: trash trash-put
  tree: tree
  ts-node: ts-node
  unzip: unzip zipinfo
  usbutils: lsusb
  uvu: uvu
  valgrind: valgrind
  vim: vi vim view vimdiff rvim rview ex
  vim-runtime: vimtutor
  vulture: vulture
  wdiff: wdiff
  wget: wget
  whois: whois
  x11-utils: xkill xmessage
  xdg-user-dirs: xdg-user-dir
  xdg-utils: open xdg-open
  xonsh: xonsh
  xxd: xxd
  xz-utils: xzcat lzcat xzless xz unxz lzma
  yamllint: yamllint
  yarnpkg: yarnpkg
  yash: yash
  yq: yq tomlq
  zip: zip zipsplit zipnote
  zsh: zsh rzsh
  zstd: zstdcat zstd unzstd
  zx: zx
`

/** The packages with programs that are missing here. */
export const missingPackages = () =>
  PACKAGES.trim()
    .split('\n')
    .map((line) => line.trim().split(': '))
    .filter(([, names]) => names.split(' ').some((name) => !isHere(name)))
    .map(([name]) => name)
