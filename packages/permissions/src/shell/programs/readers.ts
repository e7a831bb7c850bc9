import type { Program, Usage } from '../program.ts'

const WRITES = 'writes to another file'
const LISTED = 'reads the files listed in another file'
const FOLLOWS = 'follows symbolic links'

/** A name without special characters, in case a program passes it to a shell. */
const FILE_NAME = /^[\w./@+,:~ -]+$/

/** Any character set except a few common ones. */
const OTHER_CHARACTER_SET =
  /^(?!(?:utf-?(?:7|8|16|32)(?:[lb]e)?|ucs-?[24](?:[lb]e)?|(?:us-)?ascii|latin-?\d{1,2}|iso-?8859-\d{1,2}|iso-2022-(?:jp|kr|cn)|(?:windows-|cp)\d{3,5}|koi8-[rtu]|gb2312|gbk|gb18030|big5|euc-(?:jp|kr|cn|tw)|shift[_-]jis|sjis|macintosh)(?:\/\/(?:translit|ignore)){0,2}$)/i

/** Prints the lines of files, or something derived from them. */
const lines: Usage = {
  input: 'data',
  onlyReads: true,
  operands: { rest: 'read' },
  // Only long options take values here. `cat -t FILE` and `expand -t 4` differ, as do `tac
  // --separator x` and `pr --separator FILE`, so a file must not be mistaken for a value.
  options: `
      -A -b -e -E -n -s -t -T -u -v -c -d -w -f -l -i -m -p -x -a -o -j -N -z -h -H -R -L
      --number --number-nonblank --show-all --show-ends --show-tabs --show-nonprinting
      --squeeze-blank --separator[=] --before --regex --delimiters= --serial --zero-terminated
      --width= --spaces --bytes --tabs= --initial --first-only --split-only --table --fillrows
      --output-separator= --output-delimiter= --header --check-order --nocheck-order --total
      --ignore-case --body-numbering= --number-format= --number-width= --version --help`,
}

/** Prints the names of files. */
const lists: Usage = { input: 'data', onlyReads: true, operands: { rest: 'list' }, harmless: true }

/** Programs that read files and print them, or parts of them. */
export const readers: readonly Program[] = [
  {
    ...lines,
    names: 'cat',
    filters: { only: '-s -u --squeeze-blank' },
  },
  {
    ...lines,
    names: 'tac rev nl paste fold fmt expand unexpand comm join column pr colrm ul col',
  },
  {
    names: 'cmp od hexdump hd tsort look vis',
    input: 'data',
    onlyReads: true,
    operands: { rest: 'read' },
    options: `
      -A -a -b -c -C -d -f -i -j -l -N -n -o -s -t -v -w -x -e -z --bytes= --skip=
      --ignore-initial= --print-bytes --quiet --silent --verbose --address-radix= --format=
      --skip-bytes= --read-bytes= --output-duplicates --width[=] --endian=big|little --canonical
      --length= --strings[=] --no-squeezing --version --help`,
  },
  {
    names:
      'cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum base32 basenc shasum',
    input: 'data',
    operands: { rest: 'read' },
    options: `
      -b -t -z -r -s -a -l -d -i -w --binary --text --tag --zero --algorithm= --length= --decode
      --ignore-garbage --wrap= --base64 --base64url --base32 --base32hex --base16 --base2msbf
      --base2lsbf --z85 --raw --untagged --debug --sysv --version --help`,
    // The program checks the files listed in another file.
    reach: { [LISTED]: '-c --check' },
  },
  {
    names: 'zcat gzcat bzcat xzcat lzcat zstdcat lz4cat',
    input: 'data',
    operands: { rest: 'read' },
    options: '-c -d -f -q -v -k --stdout --force --quiet --verbose --version --help',
    // Without one of these extensions, it reads a file with another name: `zcat x` reads `x.gz`.
    plainOperand: /\.(?:t?gz|taz|[zZ]|t?bz2?|t?xz|tlz|lzma|t?zst|lz4)$|^-$/,
    reach: { [WRITES]: '-o=', [LISTED]: '--files[=] --files0[=] --filelist=' },
  },
  {
    names: 'ptx',
    still: true,
    operands: { rest: 'read' },
    options: '-A -f -w= --version --help',
    files: { read: '-i= -o=' },
  },
  {
    names: 'bat batcat',
    input: 'data',
    operands: { rest: 'read' },
    options: `
      -l= --language= -r= --line-range= -H= --highlight-line= --theme= --style= --color=
      -n --number -p --plain -A --show-all -d --diff --wrap= --tabs= --terminal-width=
      --decorations= --paging=never -P --no-paging --version --help`,
    reach: { 'runs a pager': '--pager=' },
    plainOperand: /^(?!cache$)/,
  },
  {
    names: 'strings',
    still: true,
    operands: { rest: 'read' },
    plainOperand: /^[^@]/,
    options: `
      -a -d -f -n= -t=d|o|x -e=s|S|b|l|B|L -o -s= -w -v --all --data --print-file-name --bytes=
      --radix=d|o|x --encoding= --include-all-whitespace --version --help`,
  },
  {
    names: 'readelf nm size',
    still: true,
    operands: { rest: 'read' },
    plainOperand: /^[^@]/,
    options: `
      -a -h -l -S -s -d -r -u -V -W -A -g -C -D -p -B -n -e -t -o --all --headers --sections
      --segments --symbols --dynamic --relocs --notes --wide --version-info --file-header
      --program-headers --section-headers --demangle[=] --extern-only --undefined-only
      --defined-only --print-size --size-sort --numeric-sort --reverse-sort --no-sort --totals
      --common --version --help`,
    reach: { 'runs other code': '--plugin=' },
  },
  {
    names: 'base64',
    input: 'data',
    operands: { rest: 'read' },
    options: '-d -D -i -w= -b= --decode --ignore-garbage --wrap= --break= --version --help',
    reach: { [WRITES]: '-o= --output=' },
  },
  {
    names: 'head',
    input: 'data',
    onlyReads: true,
    filters: { only: '-n= -q --lines= --quiet --silent' },
    operands: { rest: 'read' },
    options: '-n= -c= -q -v -z --lines= --bytes= --quiet --silent --verbose --version --help',
  },
  {
    names: 'tail',
    input: 'data',
    onlyReads: true,
    filters: { only: '-n= -q --lines= --quiet --silent' },
    operands: { rest: 'read' },
    options: `
      -n= -c= -q -v -z -f -F -r -s= --lines= --bytes= --quiet --silent --verbose --follow[=]
      --retry --pid= --sleep-interval= --max-unchanged-stats= --zero-terminated --version --help`,
  },
  {
    names: 'wc',
    input: 'data',
    onlyReads: true,
    operands: { rest: 'read' },
    options:
      '-l -w -c -m -L --lines --words --bytes --chars --max-line-length --total= --version --help',
    files: { read: '--files0-from=' },
    reach: { [LISTED]: '--files0-from=' },
  },
  { names: 'ls', ...lists, printsOperands: '-1 -A -t -r -S -U -v -X -c -u -h' },
  { names: 'dir vdir exa eza', ...lists },
  {
    names: 'lsd',
    input: 'data',
    operands: { rest: 'list' },
    options: `
      -1 -a -A -d -F -g -h -i -l -r -R -S -t -U -v -X -Z --all --almost-all --classify --color= --date=
      --depth= --directory-only --git --group-directories-first --group-dirs= --header --icon= --inode
      --long --oneline --permission= --recursive --reverse --size= --sort= --timesort --total-size --tree
      --version --help`,
    reach: { 'loads other settings': '--config-file=' },
  },
  {
    names: 'du',
    input: 'data',
    operands: { rest: 'entry' },
    summarizesWith: '-s --summarize',
    options: `
      -a -b -c -h -k -m -s -S -x -0 -l -P -d= -t= -B= --all --apparent-size --bytes --total
      --human-readable --si --summarize --separate-dirs --one-file-system --null --inodes
      --max-depth= --exclude= --threshold= --block-size= --time[=] --time-style= --count-links
      --no-dereference --version --help`,
    reach: { [FOLLOWS]: '-L -D -H --dereference --dereference-args', [LISTED]: '--files0-from=' },
    files: { read: '-X= --exclude-from= --files0-from=' },
  },
  {
    names: 'df',
    input: 'data',
    operands: { rest: 'list' },
    options: `
      -a -h -H -k -m -i -l -P -T -t= -x= -B= --all --human-readable --si --inodes --local --portability
      --print-type --total --block-size= --type= --exclude-type= --output[=] --no-sync --version --help`,
  },
  {
    names: 'stat gstat',
    input: 'data',
    onlyReads: true,
    operands: { rest: 'list' },
    options: `
      -c= -f -t -L -x -s --format= --printf= --dereference --file-system --terse --cached=
      --version --help`,
  },
  {
    names: 'readlink realpath namei lsattr getfacl pathchk',
    input: 'data',
    onlyReads: true,
    operands: { rest: 'list' },
    options: `
      -f -e -m -n -q -s -v -z -x -l -o -p -P -L -a -d -c -E --canonicalize --canonicalize-existing
      --canonicalize-missing --no-newline --quiet --silent --verbose --zero --logical --physical
      --relative-to= --relative-base= --strip --no-symlinks --modes --owners --long --mountpoints
      --nosymlinks --access --default --numeric --omit-header --version --help`,
  },
  {
    names: 'tree',
    still: true,
    operands: { rest: 'list' },
    options: `
      -a -d -f -x -L= -P= -I= -p -u -g -s -h -D -F -i -A -S -n -C -N -Q -q -v -t -c -r -U -J -X
      -H= -T= --gitignore --ignore-case --matchdirs --noreport --dirsfirst --filesfirst --prune
      --si --du --inodes --device --sort[=] --filelimit= --charset= --metafirst --timefmt= --nolinks
      --info --version --help`,
    // The program prints both files.
    files: { read: '--hintro= --houtro=' },
    reach: {
      [WRITES]: '-o=',
      'runs itself in every folder and writes there': '-R',
      [FOLLOWS]: '-l',
      [LISTED]: '--fromfile --fromtabfile --infofile= --gitfile=',
    },
  },
  {
    names: 'file',
    still: true,
    operands: { rest: 'read' },
    options: `
      -b -i -L -h -k -n -N -r -s -v -0 -E -d -l -F= -P= -e= --brief --mime --mime-type
      --mime-encoding --dereference --no-dereference --keep-going --no-buffer --no-pad
      --raw --special-files --extension --apple --separator= --parameter=
      --exclude= --print0 --version --help`,
    files: { read: '-f= --files-from= -m= --magic-file=' },
    reach: {
      [LISTED]: '-f= --files-from=',
      'loads other settings': '-m= --magic-file=',
      'writes a compiled file': '-C --compile',
      'runs decompressors': '-z -Z --uncompress --uncompress-noreport',
    },
  },
  {
    names: 'sort gsort',
    input: 'data',
    filters: {
      only: `
      -b -d -f -g -h -i -M -n -R -r -V -s -u -k= -t= --ignore-case --reverse --unique --numeric-sort
      --version-sort --human-numeric-sort --random-sort --stable --key= --field-separator=`,
    },
    operands: { rest: 'read' },
    options: `
      -b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z -k= -t= -S= --ignore-leading-blanks
      --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort
      --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --sort= --check[=]
      --merge --stable --unique --zero-terminated --debug --key= --field-separator= --buffer-size=
      --parallel= --batch-size= --version --help`,
    files: { read: '--files0-from=', write: '-o= --output=' },
    reach: {
      [WRITES]: '-o= --output= -T= --temporary-directory=',
      'runs another program': '--compress-program=',
      [LISTED]: '--files0-from=',
    },
  },
  {
    names: 'uniq',
    input: 'data',
    filters: { only: '-d -u -i --repeated --unique --ignore-case' },
    operands: { first: 'read', rest: 'write' },
    options: `
      -c -d -D -u -i -z -f= -s= -w= --count --repeated --all-repeated[=] --group[=] --unique
      --ignore-case --zero-terminated --skip-fields= --skip-chars= --check-chars= --version --help`,
  },
  {
    names: 'cut',
    input: 'data',
    onlyReads: true,
    operands: { rest: 'read' },
    options: `
      -b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --complement
      --only-delimited --output-delimiter= --zero-terminated --version --help`,
  },
  {
    names: 'tr',
    input: 'data',
    operands: { rest: 'text' },
    options:
      '-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1 --version --help',
  },
  {
    names: 'shuf',
    input: 'data',
    filters: { only: '-n= -r --head-count= --repeat' },
    operands: { rest: 'read' },
    options: `
      -e -i= -n= -r -z --echo --input-range= --head-count= --repeat --zero-terminated
      --version --help`,
    files: { read: '--random-source=' },
    reach: { [WRITES]: '-o= --output=' },
  },
  {
    names: 'numfmt',
    input: 'data',
    operands: { rest: 'text' },
    options: `
      -d= -z --from= --to= --from-unit= --to-unit= --field= --format= --header[=] --invalid=
      --padding= --round= --suffix= --delimiter= --grouping --debug --zero-terminated --version
      --help`,
  },
  {
    names: 'diff colordiff',
    input: 'data',
    operands: { rest: 'read' },
    options: `
      -u -U= -c -C= -q -s -y -W= -e -f -n -i -E -Z -b -w -B -I= -a -t -T -d -p -F= -L= -N
      --unified[=] --context[=] --brief --report-identical-files --side-by-side --width=
      --left-column --suppress-common-lines --ed --rcs --normal --ignore-case
      --ignore-file-name-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change
      --ignore-all-space --ignore-blank-lines --ignore-matching-lines= --text
      --strip-trailing-cr --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --minimal
      --horizon-lines= --speed-large-files --color[=] --palette= --show-c-function
      --show-function-line= --label= --line-format= --old-line-format= --new-line-format=
      --unchanged-line-format= --ignore-space-at-eol --no-dereference --new-file --version --help`,
    files: { read: '--from-file= --to-file=', write: '-o= --output=' },
    reach: {
      [WRITES]: '-o= --output=',
      'compares whole folders through symbolic links':
        '-r --recursive -x= -X= -S= --exclude= --exclude-from= --starting-file=',
    },
  },
  {
    names: 'sdiff diff3 wdiff diffstat',
    still: true,
    operands: { rest: 'read' },
    // diffstat passes the name of a compressed file to a shell.
    plainOperand: FILE_NAME,
    options: '-s -w -i -b -B -l -W -t -d -A -m -T -1 -2 -3 -p -c -u --version --help',
    files: { write: '-o= --output=' },
    reach: {
      [WRITES]: '-o= -e= --output=',
      'runs another program': '--diff-program= --auto-pager',
    },
  },
  {
    // Options precede the file, and a second file is written.
    names: 'xxd',
    operands: { first: 'read', rest: 'write' },
    options: '-a -b -C -c= -e -E -g= -h -i -l= -n= -o= -p -ps -r -s= -u -v -d -R=',
    oneDash: true,
    early: true,
    input: 'data',
  },
  {
    names: 'iconv uconv',
    input: 'data',
    operands: { rest: 'read' },
    options: '-c -s -l --list --silent --version --help',
    // Any other name may be a file that defines a character set.
    files: { mention: '-f= -t= --from-code= --to-code=' },
    valueReach: { 'may read a file': OTHER_CHARACTER_SET },
    reach: { [WRITES]: '-o= --output=' },
  },
  { names: 'cloc', always: 'unpacks commits with other programs if an operand is no file' },
  {
    names: 'tokei scc',
    still: true,
    operands: { rest: 'read', folder: 'always' },
    options: `
      --by-file --by-file-by-lang --by-percent= --quiet --json --csv --md --yaml --xml --sum-one
      --exclude-dir= --exclude-ext= --exclude-lang= --include-ext= --include-lang=
      --match-f= --not-match-f= --match-d= --not-match-d= --skip-uniqueness --version --help
      -h -V -e= --exclude= -f= --files -s= --sort= -t= --type= --hidden --no-ignore -C --compact
      -i= -x= -l --languages -M= -n= --no-complexity --no-cocomo --wide -w`,
  },
  {
    names: 'ps',
    still: true,
    operands: { rest: 'text' },
    // Options that ps can't parse, such as `-x` or `-u` with an unknown user, are parsed again
    // without the dashes, and then `e` shows environment variables.
    options: `
      -A -a -d -e -f -F -H -j -l -L -m -M -N -T -w -y -Z -V -o= -O= -p= -C= -U= -G= -t= -q= -u=root
      --format= --pid= --ppid= --sort= --user= --User= --group= --Group= --tty= --cols=
      --columns= --rows= --lines= --width= --forest --headers --no-headers --no-heading
      --deselect --info --version --help`,
    reach: {
      'may show secrets in environment variables': '-E',
      'may be read without the dash': '-x -g= -s= -u=',
    },
    // Without a dash, letters are BSD options: `ps auxe`.
    operandReach: { 'may show secrets in environment variables': /^[^-\d]*[eE]/ },
    valueReach: { 'may show secrets in environment variables': /env/i },
  },
  {
    names: 'lsof',
    still: true,
    operands: { rest: 'text' },
    options: `
      -a -b -C -E -I -l -L[=] -n -N -O -P -R -s[=] -S[=] -t -U -V -w -h -v -i[=] -c= -d= -g= -p= -u=
      -F[=] -T[=] +c= +L`,
    reach: { [WRITES]: '-D=', 'runs other code': '-K[=] -k= -A= -r[=]' },
  },
  {
    names: 'lsblk',
    still: true,
    operands: { rest: 'text' },
    options: `
      -a -b -d -D -f -i -J -l -m -n -O -o= -p -P -r -s -S -t -T -x= --all --bytes --nodeps --discard
      --fs --ascii --json --list --perms --noheadings --output= --output-all --paths --pairs --raw
      --inverse --scsi --topology --tree --sort= --version --help`,
  },
  {
    names: 'who users',
    still: true,
    operands: { rest: 'read' },
    options: `
      -a -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --dead --heading --login --lookup --process
      --count --runlevel --short --time --mesg --message --writable --users --version --help`,
  },
  {
    names: 'uptime free vmstat lscpu w lsusb lspci getconf locale',
    still: true,
    reach: { 'asks a server on the network': '-q -Q' },
    operands: { rest: 'text' },
    plainOperand: /^[\w.]+$/,
    options: `
      -a -b -c -d -e -g -h -H -k -l -L -m -n -p -r -s -S -t -T -u -v -V -w -y -x --bytes --kibi
      --mebi --gibi --tebi --kilo --mega --giga --human --si --wide --total --lohi --committed
      --pretty --since --json --all --list --heading --short --ips --lookup --count --boot --users
      --version --help`,
  },
]
