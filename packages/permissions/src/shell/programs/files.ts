import type { Program, Usage } from '../program.ts'

const WRITES = 'writes other files'
const RUNS = 'writes other files, and can run programs'

/** Copies or links files. */
const installs: Usage = {
  operands: { rest: 'read', last: 'write' },
  files: { write: '-t= --target-directory=' },
  options: '-m= -o= -g= -S=',
}

/** Programs that write, move and remove files. */
export const files: readonly Program[] = [
  {
    names: 'mkdir mkfifo',
    runsNothing: true,
    operands: { rest: 'write' },
    implied: true,
    options: '-p -v -m= --parents --verbose --mode= --version --help',
  },
  {
    names: 'touch',
    runsNothing: true,
    operands: { rest: 'write' },
    implied: true,
    options: '-a -c -m -h -f -d= -t= --date= --time= --no-create --no-dereference --version --help',
    files: { read: '-r= --reference=' },
  },
  { names: 'trash trash-put', operands: { rest: 'write' }, always: 'moves files elsewhere' },
  {
    names: 'rmdir',
    runsNothing: true,
    operands: { rest: 'write' },
    removes: true,
    always: 'removes folders',
  },
  {
    names: 'rm unlink srm rimraf del grm',
    runsNothing: true,
    operands: { rest: 'write' },
    removes: true,
    implied: true,
    options: `
      -f -i -I -r -R -d -v --force --interactive[=] --recursive --dir --verbose --one-file-system
      --preserve-root[=] --version --help`,
    same: ['-r -R --recursive', '-f --force', '-i --interactive', '-v --verbose', '-d --dir'],
  },
  {
    names: 'cp gcp',
    runsNothing: true,
    operands: { rest: 'read', last: 'write' },
    copies: true,
    options:
      '-f -i -n -p -r -R -u -v -T --recursive --force --interactive --no-clobber --update --verbose --version --help',
    brings: '-r -R --recursive',
    reach: {
      [WRITES]: '-t= --target-directory= -a -d -l -s -b -S= -P -L -H -x --archive --link',
    },
    same: ['-r -R --recursive', '-a --archive', '-f --force'],
  },
  {
    names: 'mv gmv',
    runsNothing: true,
    operands: { rest: 'move', last: 'write' },
    copies: true,
    options:
      '-f -i -n -u -v -T --force --interactive --no-clobber --update --verbose --version --help',
    reach: { [WRITES]: '-t= --target-directory= -b -S= --suffix= --backup[=] --exchange' },
    same: ['-f --force'],
  },
  { names: 'rename mmv', operands: { rest: 'write' }, always: RUNS },
  {
    names: 'tee',
    runsNothing: true,
    input: 'data',
    operands: { rest: 'write' },
    options: '-a -i -p --append --ignore-interrupts --output-error[=] --version --help',
  },
  { names: 'ln link gln', runsNothing: true, ...installs, always: WRITES },
  { names: 'install ginstall', ...installs, always: RUNS },
  {
    names: 'shred sponge truncate fallocate mknod mktemp dos2unix unix2dos',
    runsNothing: true,
    operands: { rest: 'write' },
    always: WRITES,
  },
  {
    names: 'patch split csplit gsplit ed red recode',
    operands: { rest: 'write' },
    always: RUNS,
  },
  {
    names: 'chmod chown chgrp chattr setfacl setfattr chcon attr setcap',
    runsNothing: true,
    operands: { first: 'text', rest: 'write' },
    always: 'changes permissions or ownership',
    same: ['-R --recursive'],
  },
  {
    names: 'dd',
    runsNothing: true,
    operands: { rest: 'mention' },
    files: { read: 'if=', write: 'of=' },
    always: WRITES,
  },
  {
    names: `
      uuencode uudecode mkfs mount umount losetup fdisk parted wipefs swapon swapoff debugfs
      mcopy tune2fs blkdiscard`,
    operands: { rest: 'mention' },
    always: RUNS,
  },
  {
    names: 'rsync rclone unison restic borg duplicity',
    operands: { rest: 'read', last: 'write' },
    always: 'writes files and runs a remote shell',
    wrapper: { text: '-e= --rsh=' },
  },
]
