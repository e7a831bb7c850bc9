import type { Program } from '../program.ts'

const RUNS = 'runs another command'

/** Programs that run the command in their arguments. The first ones have no other effect. */
export const wrappers: readonly Program[] = [
  {
    names: 'timeout gtimeout',
    options: '-k= --kill-after= -s= --signal= --preserve-status --foreground -v --verbose',
    wrapper: { skip: 1, clear: true },
  },
  {
    names: 'time gtime',
    options: '-p -v -f= --portability --verbose --format=',
    reach: { 'writes to another file': '-o= --output=' },
    wrapper: { clear: true },
  },
  {
    names: 'nice',
    options: '-n= --adjustment= -0 -1 -2 -3 -4 -5 -6 -7 -8 -9',
    wrapper: { clear: true },
  },
  { names: 'nohup', wrapper: { clear: true } },
  {
    names: 'stdbuf',
    options: '-i=0|L -o=0|L -e=0|L --input=0|L --output=0|L --error=0|L',
    wrapper: { clear: true },
  },
  { names: 'command', options: '-p -v -V', wrapper: { clear: true, unless: '-v -V' } },
  { names: 'builtin noglob nocorrect', wrapper: { clear: true } },
  {
    names: 'ionice',
    options: '-c= -n= -t -p= --class= --classdata= --ignore',
    wrapper: { clear: true },
  },
  {
    names: 'env genv',
    reach: {
      [RUNS]: '-S= --split-string=',
      'changes the environment': '-i --ignore-environment -u= --unset= - -C= --chdir= -0 -v',
    },
    bare: 'may show secrets in environment variables',
    wrapper: { assigns: true, clear: true, text: '-S= --split-string=' },
  },

  { names: 'exec', always: RUNS, options: '-a=', wrapper: {} },
  {
    names: 'xargs gxargs',
    always: RUNS,
    options: `
      -n= -I= -L= -P= -s= -d= -a= -E= --arg-file= --max-args= --max-procs= --delimiter=
      --replace --max-lines --max-chars=`,
    files: { read: '-a= --arg-file=' },
    wrapper: {
      adds: `
      -0 --null -n= --max-args= -P= --max-procs= -L= -s= --max-chars= -r --no-run-if-empty -t
      --verbose -x --exit`,
      replaces: '-I=',
      delimits: '-d= --delimiter=',
      otherwise: 'echo',
      nameable: true,
    },
  },
  {
    names: 'parallel rush sem',
    always: RUNS,
    options: '-j= --jobs= -n= -I= -a= -d= --colsep= --arg-file=',
    wrapper: { adds: '-j= --jobs=', joins: true },
  },
  {
    names: 'sudo doas pkexec run0 gosu su-exec calife super dzdo pfexec kdesu gksu gksudo please',
    always: 'runs another command as another user',
    options:
      '-u= -g= -p= -C= -D= -h= -r= -t= -T= -R= -U= --user= --group= --prompt= --chdir= --host=',
    wrapper: { assigns: true, nameable: true },
  },
  {
    names: 'su runuser sg',
    always: 'runs another command as another user',
    options: '-s= -g= -G= -w= -u= --shell= --group=',
    wrapper: { text: '-c= --command=', skip: 1 },
  },
  {
    names: 'script',
    always: RUNS,
    options: '-E= -I= -O= -B= -T= -m= -o=',
    wrapper: { text: '-c= --command=' },
  },
  {
    names: 'watch viddy hwatch',
    always: RUNS,
    options: '-n= --interval=',
    wrapper: { joins: true },
  },
  {
    names: 'flock',
    always: RUNS,
    options: '-w= --wait= --timeout= -E= --conflict-exit-code=',
    wrapper: { skip: 1, text: '-c= --command=' },
  },
  {
    names: 'setarch chroot taskset chrt cgexec setlock softlimit lxc-attach numactl cpulimit',
    always: RUNS,
    options: '-p= -g= -n= -T= -P= -D= --userspec= --groups= -l= -N= -m= -i= -C=',
    wrapper: { skip: 1 },
  },
  {
    names: `
      setsid prlimit nsenter unshare linux32 linux64 i386 x86_64 uname26 setpriv fakeroot
      fakechroot proot bwrap firejail systemd-run systemd-inhibit systemd-nspawn
      dbus-run-session dbus-launch ssh-agent torsocks torify proxychains proxychains4 tsocks
      unbuffer rlwrap ltrace strace perf valgrind callgrind heaptrack hyperfine catchsegv
      caffeinate chpst envdir setuidgid daemonize daemon start-stop-daemon tini dumb-init
      s6-setuidgid catatonit xvfb-run busybox toybox coreutils ld.so ld-linux
      ld-linux-x86-64.so ld-linux-aarch64.so ld-linux-armhf.so ld-linux.so ld-musl-x86_64.so
      ld-musl-aarch64.so linker64 aa-exec runcon newgrp choom uclampset eatmydata faketime
      libtool ccache distcc sccache bear intercept-build scan-build gprofng apptainer
      singularity vglrun optirun primusrun prime-run gamemoderun mangohud steam-run nixGL tsp
      nq task-spooler qsub srun sbatch mpirun mpiexec accelerate torchrun horovodrun ray
      chronic lckdo zrun`,
    always: RUNS,
    options: '-e= -o= -p= -P= -u= -t= -n= -E= -a= -s= -S=',
    wrapper: {},
  },
]
