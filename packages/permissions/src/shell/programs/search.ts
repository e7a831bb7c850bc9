import { list, type Program, type Usage } from '../program.ts'

const LISTED = 'reads the files listed in another file'
const FOLLOWS = 'follows symbolic links'
const RUNS = 'runs a command on the files it finds'

/** Searches for text in files. */
/** Options of grep that only select lines. */
const SELECTS = `
    -i -v -w -x -a -E -F -G -P -e= -m= --ignore-case --invert-match --word-regexp --line-regexp --text
    --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp= --max-count=`

const grep: Usage = {
  input: 'data',
  onlyReads: true,
  only: '--include=',
  // If --exclude is the first of the two, names that match neither are included.
  onlyUnless: '--exclude= --exclude-from=',
  printsNames: {
    with: '-l -L --files-with-matches --files-without-match',
    only: `
    ${SELECTS} -l -L -r -R -n -H -s -I --files-with-matches --files-without-match --recursive
    --dereference-recursive --line-number --no-messages --include= --exclude= --exclude-dir=`,
  },
  filters: { only: `${SELECTS} -h --no-filename` },
  operands: {
    first: 'text',
    unless: '-e= --regexp= -f= --file=',
    rest: 'read',
    folder: [{ with: '-r -R --recursive --dereference-recursive -d= --directories=' }],
  },
  options: `
    -E -F -G -P -i -y -v -w -x -c -l -L -o -q -s -b -H -h -n -T -U -a -I -z -Z -r -e= -m= -A= -B=
    -C= -D= -d=read|skip|recurse --extended-regexp --fixed-strings --basic-regexp --perl-regexp
    --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count
    --files-with-matches --files-without-match --only-matching --quiet --silent --no-messages
    --byte-offset --with-filename --no-filename --line-number --initial-tab --text --null
    --null-data --recursive --line-buffered --regexp= --max-count= --after-context=
    --before-context= --context= --include= --exclude= --exclude-dir= --label= --binary-files=
    --color[=] --colour[=] --directories=read|skip|recurse --devices= --version --help -V`,
  files: { read: '-f= --file= --exclude-from=' },
  reach: { [FOLLOWS]: '-R --dereference-recursive' },
}

/**
 * Scripts around grep. Each parses its options in its own way: the word after a long option may be
 * its value, the pattern or a file. So no long option with a value is plain, and any word that may
 * be a file counts as one.
 */
const script: Usage = {
  operands: { ...grep.operands!, first: 'mention' },
  options: list(grep.options)
    .filter((option) => !/^--.*[^[]=|^-.=$|^-[rd]|^--recursive/.test(option))
    .join(' '),
  files: { read: '-f=', mention: '-e= -m= -A= -B= -C= -D=' },
  // Some of them pass values without quotes.
  valueReach: { 'may be split into several words': /[^\w./]/ },
  // With these options, grep does not see the names of files.
  reach: { ...grep.reach!, 'searches the whole folder': '-r -d= --recursive --directories=' },
  only: '',
}

/** Programs that search for files, and for text in them. */
export const search: readonly Program[] = [
  { names: 'grep egrep fgrep ggrep', ...grep },
  { names: 'zgrep zegrep zfgrep', ...grep, ...script },
  {
    names: `
      bzgrep bzegrep bzfgrep xzgrep xzegrep xzfgrep lzgrep lzegrep lzfgrep zstdgrep zstdegrep
      zstdfgrep lz4grep lz4egrep lz4fgrep`,
    ...script,
  },
  {
    names: 'rg ripgrep',
    input: 'data',
    only: '-g= --glob=',
    onlyUnless: '--iglob= --glob-case-insensitive --files --type-list',
    listsWith: '--files',
    printsNames: {
      with: '-l --files-with-matches --files-without-match --files',
      only: `
      -l -g= -t= -T= -i -s -S -w -x -v -F -e= -u -m= -d= -j= -U -n -N -H -0 -. --files --files-with-matches
      --files-without-match --glob= --iglob= --type= --type-not= --ignore-case --smart-case
      --case-sensitive --word-regexp --line-regexp --invert-match --fixed-strings --regexp= --hidden
      --no-ignore --no-ignore-vcs --max-depth= --max-count= --multiline --sort= --sortr= --null
      --no-messages`,
    },
    operands: {
      first: 'text',
      unless: '-e= --regexp= -f= --file= --files --type-list',
      rest: 'read',
      folder: 'always',
    },
    options: `
      -e= --regexp= -m= --max-count= -A= -B= -C= --after-context= --before-context= --context=
      -g= --glob= --iglob= -t= --type= -T= --type-not= -r= --replace= -M= --max-columns= -d=
      --max-depth= -j= --threads= -E= --encoding= --sort= --sortr= --color= --colors= --max-filesize=
      -i -s -S -v -w -x -c -l -o -q -n -N -H -I -U -u -F -P -p -a -b -0 -. -h -V --ignore-case
      --case-sensitive --smart-case --invert-match --word-regexp --line-regexp --count
      --count-matches --files --files-with-matches --files-without-match --only-matching --quiet
      --line-number --no-line-number --with-filename --no-filename --multiline --multiline-dotall
      --unrestricted --fixed-strings --pcre2 --auto-hybrid-regex --engine=default|pcre2|auto
      --pretty --text --byte-offset --null --null-data --hidden --no-hidden --no-ignore
      --no-ignore-vcs --no-ignore-dot --no-ignore-parent --no-ignore-global --no-ignore-exclude
      --no-ignore-files --no-messages --no-config --json --stats --trim --column --no-column
      --heading --no-heading --vimgrep --passthru --include-zero --type-list --crlf --no-mmap --mmap
      --line-buffered --block-buffered --one-file-system --glob-case-insensitive --no-unicode
      --context-separator= --field-match-separator= --field-context-separator= --path-separator=
      --max-columns-preview --no-follow --debug --trace --version --help`,
    files: { read: '-f= --file= --ignore-file=' },
    reach: {
      'runs another program on every file': '--pre= --pre-glob= --hostname-bin= -z --search-zip',
      [FOLLOWS]: '-L --follow',
      'redefines types of files': '--type-add= --type-clear=',
    },
  },
  {
    // These programs differ on which options take values, and `-C` takes only numbers, so every
    // word may be a file.
    names: 'ag ack',
    input: 'data',
    // If so, the next word is the pattern rather than a folder.
    operandReach: { 'may be the value of an option': /^-?\d+$/ },
    operands: { first: 'read', rest: 'read', folder: 'always' },
    options: `
      -i -s -S -v -w -l -L -c -n -H -h -o -Q -A[=] -B[=] -C[=] -m[=] --ignore-case --case-sensitive
      --smart-case --invert-match --word-regexp --files-with-matches --files-without-matches
      --count --literal --hidden --nocolor --color --nogroup --group --noheading --heading
      --numbers --column --version --help`,
    reach: {
      'runs another program': '--pager= --output= --ackrc= --env -z --search-zip',
      'writes to another file': '--create-ackrc',
      [LISTED]: '-x --files-from=',
    },
  },
  {
    names: 'ugrep ug pt sift',
    operands: { first: 'read', rest: 'read', folder: 'always' },
    always: 'follows symbolic links, and can write files or run another program',
  },
  {
    names: 'find gfind',
    still: true,
    oneDash: true,
    printsNames: {
      only: `
      -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= -type= -xtype=
      -size= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newer= -newermt= -maxdepth= -mindepth=
      -perm= -user= -group= -links= -a -and -o -or -not -print -print0 -prune -quit -empty -depth -mount
      -xdev -readable -writable -executable -true -false`,
    },
    chooses: {
      named: '-name=',
      files: '-type=',
      narrows: `
      -maxdepth= -mindepth= -size= -mtime= -mmin= -newermt= -path= -perm= -empty -print -print0
      -xdev -mount -a -and -not`,
    },
    operands: { rest: 'list' },
    // Tests with values that are not files.
    options: `
      -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype=
      -type= -xtype= -size= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newermt= -maxdepth=
      -mindepth= -perm= -user= -group= -uid= -gid= -links= -inum= -printf= -lname= -ilname=
      -fstype= -used= -context= -D= -a -and -o -or -n -not -print -print0 -prune -quit -empty
      -depth -d -mount -xdev -ls -daystart -nogroup -nouser -readable -writable -executable
      -ignore_readdir_race -noignore_readdir_race -noleaf -nowarn -warn -true -false -P -H -O1 -O2
      -O3 -help -version`,
    files: {
      read: '-newer= -anewer= -cnewer= -samefile= -files0-from=',
      write: '-fprint= -fprint0= -fprintf= -fls=',
    },
    reach: {
      [RUNS]: '-exec= -execdir= -ok= -okdir=',
      'removes what it finds': '-delete',
      'writes to another file': '-fprint= -fprint0= -fprintf= -fls=',
      [LISTED]: '-files0-from=',
      [FOLLOWS]: '-L -follow',
    },
    wrapper: { sections: '-exec -execdir -ok -okdir' },
  },
  {
    names: 'fd fdfind',
    still: true,
    printsNames: {
      only: `
      -e= -t= -d= -E= -S= -j= -H -I -u -s -i -g -F -p -0 -1 --extension= --type= --max-depth= --min-depth=
      --exact-depth= --exclude= --size= --changed-within= --changed-before= --max-results= --hidden
      --no-ignore --no-ignore-vcs --case-sensitive --ignore-case --glob --regex --fixed-strings
      --full-path --print0`,
    },
    operands: { first: 'text', rest: 'list' },
    options: `
      -e= --extension= -t= --type= -d= --max-depth= --min-depth= --exact-depth= -E= --exclude=
      -S= --size= -c= --color= --changed-within= --changed-before= -o= --owner= -j= --threads=
      --max-results= -H -I -u -s -i -g -F -a -p -0 -1 -q -h -V --hidden --no-ignore
      --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob
      --regex --fixed-strings --absolute-path --relative-path --full-path --print0
      --prune --quiet --show-errors --one-file-system --strip-cwd-prefix --and= --version --help`,
    files: { read: '--search-path=' },
    reach: {
      [RUNS]: '-x= --exec= -X= --exec-batch=',
      'runs ls': '-l --list-details',
      'loads other settings': '--ignore-file= -C= --base-directory=',
      [FOLLOWS]: '-L --follow',
    },
    wrapper: { sections: '-x --exec -X --exec-batch' },
  },
  {
    names: 'locate mlocate plocate',
    still: true,
    operands: { rest: 'text' },
    options:
      '-A -b -c -e -i -l= -n= -q -r= -w -0 --all --basename --count --existing --ignore-case --limit= --quiet --regex --regexp= --version --help',
    reach: { 'loads other settings': '-d= --database=' },
  },
]
