import { awkDoubt } from '../languages/awk.ts'
import { jqDoubt } from '../languages/jq.ts'
import { sedDoubt } from '../languages/sed.ts'
import type { Program } from '../program.ts'

const WRITES = 'writes to a file of its choice'
const LISTED = 'reads the files that another file lists'

/** Programs that read files and print them or something of them. */
export const readers: readonly Program[] = [
  {
    names: `
      cat tac rev nl paste fold fmt expand unexpand comm join cmp od hexdump column pr
      cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum tsort ptx zcat
      bzcat xzcat look colrm ul col base32 basenc gzcat vis hd`,
    input: 'data',
    operands: { rest: 'read' },
  },
  {
    names: 'zstdcat lz4cat',
    input: 'data',
    operands: { rest: 'read' },
    reach: { [WRITES]: '-o=' },
  },
  {
    names: 'bat batcat',
    input: 'data',
    operands: { rest: 'read' },
    values: '-l= --language= -r= --line-range= -H= --highlight-line= --theme= --style= --color=',
    reach: { 'runs a pager': '--paging= --pager=' },
    operandReach: { 'writes its own files': /^cache$/ },
  },
  {
    names: 'strings readelf nm size',
    operands: { rest: 'read' },
    operandReach: { 'reads its options from a file': /^@/ },
    reach: { 'runs other code': '--plugin=' },
  },
  {
    names: 'base64',
    input: 'data',
    operands: { rest: 'read' },
    values: '-w= --wrap= -b= --break=',
    files: { read: '-i= --input=' },
    reach: { [WRITES]: '-o= --output=' },
  },
  {
    names: 'head tail',
    input: 'data',
    operands: { rest: 'read' },
    values: '-n= -c= --lines= --bytes= -s= --sleep-interval= --pid=',
  },
  { names: 'wc', input: 'data', operands: { rest: 'read' }, files: { read: '--files0-from=' } },
  { names: 'ls dir vdir exa eza lsd', input: 'data', operands: { rest: 'list' }, harmless: true },
  {
    names: 'du df',
    input: 'data',
    operands: { rest: 'list' },
    values: '-d= --max-depth= --exclude= -t= -B=',
    files: { read: '-X= --exclude-from= --files0-from=' },
  },
  {
    names: 'stat readlink realpath namei lsattr getfacl pathchk',
    input: 'data',
    operands: { rest: 'list' },
    values: '-c= --format= --printf=',
  },
  {
    names: 'tree',
    operands: { rest: 'list' },
    values: '-L= -P= -I=',
    reach: {
      [WRITES]: '-o=',
      'runs itself in every folder, and writes there': '-R',
      [LISTED]: '--fromfile --fromtabfile --infofile=',
    },
  },
  {
    names: 'file',
    operands: { rest: 'read' },
    values: '-F= --separator= -P= --parameter= -e= --exclude=',
    files: { read: '-f= --files-from= -m= --magic-file=' },
    reach: {
      [LISTED]: '-f= --files-from=',
      'loads other settings': '-m= --magic-file=',
      'writes a compiled file': '-C --compile',
      'runs decompressors': '-z -Z --uncompress --uncompress-noreport',
    },
  },
  {
    names: 'grep egrep fgrep zgrep zegrep zfgrep ggrep',
    input: 'data',
    operands: {
      first: 'text',
      unless: '-e= --regexp= -f= --file=',
      rest: 'read',
      folder: { with: '-r -R --recursive --dereference-recursive -d= --directories=' },
    },
    values: `
      -e= --regexp= -m= --max-count= -A= -B= -C= --after-context= --before-context= --context=
      --include= --exclude= --exclude-dir= --label= -d= -D=`,
    files: { read: '-f= --file= --exclude-from=' },
  },
  {
    names: 'rg ripgrep',
    input: 'data',
    operands: {
      first: 'text',
      unless: '-e= --regexp= -f= --file= --files --type-list',
      rest: 'read',
      folder: 'always',
    },
    values: `
      -e= --regexp= -m= --max-count= -A= -B= -C= --after-context= --before-context= --context=
      -g= --glob= --iglob= -t= --type= -T= --type-not= -r= --replace= -M= --max-columns= -d=
      --max-depth= -j= --threads= -E= --encoding= --sort= --sortr= --color= --colors=`,
    files: { read: '-f= --file= --ignore-file=' },
    reach: {
      'runs another program on every file': '--pre= --pre-glob= --hostname-bin= -z --search-zip',
    },
  },
  {
    // What takes a value differs from one to the other: every word may be a file.
    names: 'ag ack pt sift ugrep ug',
    input: 'data',
    operands: { first: 'read', rest: 'read', folder: 'always' },
    reach: {
      'runs another program': `
      --pager= --filter= --view= --output= --ackrc= --env -z --search-zip --decompress`,
      [WRITES]: '--save-config= --create-ackrc',
      [LISTED]: '-x --files-from= --from= --config=',
    },
  },
  {
    names: 'sed gsed ssed',
    input: 'data',
    operands: { first: 'script', unless: '-e= --expression= -f= --file=', rest: 'read' },
    script: { options: '-e= --expression=', doubt: sedDoubt },
    values: '-l= --line-length=',
    writesWith: '-i --in-place -I',
    reach: { 'changes files in place': '-i --in-place -I', 'runs a script file': '-f= --file=' },
    files: { read: '-f= --file=' },
  },
  {
    names: 'awk gawk mawk nawk original-awk goawk',
    input: 'data',
    operands: { first: 'script', unless: '-f= --file= -e= --source= -E= --exec=', rest: 'read' },
    script: { options: '-e= --source=', doubt: awkDoubt },
    values: '-F= --field-separator= -v= --assign=',
    files: { read: '-f= --file= -E= --exec=' },
    reach: {
      'runs other code': '-f= --file= -E= --exec= -l= --load= -i= --include= -D --debug -W=',
      [WRITES]: '-d --dump-variables -o --pretty-print -p --profile',
    },
  },
  {
    names: 'jq gojq jaq',
    input: 'data',
    operands: { first: 'script', unless: '-f= --from-file=', rest: 'read' },
    script: { doubt: jqDoubt },
    values: '--indent=',
    files: { read: '-f= --from-file= --slurpfile= --rawfile= -L=' },
    reach: {
      'loads other code': '-f= --from-file= -L= --library-path=',
      'reads another file into a variable': '--slurpfile= --rawfile= --argfile=',
      'takes two values': '--arg --argjson',
      'runs the tests in a file': '--run-tests',
    },
  },
  {
    names: 'yq dasel xq tomlq',
    input: 'data',
    operands: { first: 'script', rest: 'read' },
    script: { doubt: jqDoubt },
    // Behind a command of its own (`yq e …`) the filter is the second.
    operandReach: { 'may load other files, or tell of the environment': /(?:env|load|eval)\w*\b/i },
    reach: {
      'changes files in place': '-i --inplace --in-place -s= --split-exp=',
      'loads other code': '-f= --from-file= -L= --split-exp-file=',
      'reads another file into a variable': '--slurpfile= --rawfile= --argfile=',
    },
  },
  {
    names: 'sort gsort',
    input: 'data',
    operands: { rest: 'read' },
    values: '-k= --key= -t= --field-separator= -S= --buffer-size= --parallel= --batch-size=',
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
    operands: { first: 'read', rest: 'write' },
    values: '-f= -s= -w=',
  },
  {
    names: 'cut',
    input: 'data',
    operands: { rest: 'read' },
    values: '-d= -f= -c= -b= --delimiter= --fields=',
  },
  { names: 'tr', input: 'data', operands: { rest: 'text' } },
  {
    names: 'shuf numfmt',
    input: 'data',
    operands: { rest: 'read' },
    files: { read: '--random-source=' },
    reach: { [WRITES]: '-o= --output=' },
  },
  {
    names: 'diff colordiff',
    operands: { rest: 'read' },
    values: '-U= -C= -x= --exclude= -I= -W= -L= --label= --width=',
    files: { read: '-X= --exclude-from= --from-file= --to-file=', write: '-o= --output=' },
    reach: { [WRITES]: '-o= --output=' },
  },
  {
    names: 'sdiff diff3 wdiff diffstat',
    operands: { rest: 'read' },
    files: { write: '-o= --output=' },
    reach: {
      [WRITES]: '-o= -e= --output=',
      'runs another program': '--diff-program= -a --auto-pager',
    },
  },
  {
    names: 'xxd',
    operands: { first: 'read', rest: 'write' },
    values: '-c= -g= -l= -s= -o=',
    oneDash: true,
    input: 'data',
  },
  {
    names: 'iconv uconv',
    input: 'data',
    operands: { rest: 'read' },
    values: '-f= -t= --from-code= --to-code=',
    reach: { [WRITES]: '-o= --output=' },
  },
  {
    names: 'tokei cloc scc',
    operands: { rest: 'list' },
    only: `
      --by-file --by-file-by-lang --by-percent= --quiet --json --csv --md --yaml --xml --sum-one
      --exclude-dir= --exclude-ext= --exclude-lang= --include-ext= --include-lang= --git
      --match-f= --not-match-f= --match-d= --not-match-d= --skip-uniqueness --version --help
      -h -V -e= --exclude= -f= --files -s= --sort= -t= --type= --hidden --no-ignore -C --compact
      -i= -x= -l --languages -M= -n= --no-complexity --no-cocomo --wide -w`,
  },
  {
    names: 'ps',
    operands: { rest: 'text' },
    values: `
      -o= -O= -p= -C= -u= -U= -g= -G= -t= -s= -q= --format= --pid= --ppid= --sort= --user= --User=
      --group= --tty= --cols= --rows=`,
    reach: { 'shows secrets of the environment': '-E' },
    // Without a dash, letters are options of another kind: `ps auxe`.
    operandReach: { 'shows secrets of the environment': /^[^-\d]*[eE]/ },
    valueReach: { 'shows secrets of the environment': /env/i },
  },
  {
    names: 'uptime free vmstat lscpu lsblk lsof w who last lsusb lspci getconf locale',
    operands: { rest: 'text' },
    reach: { [WRITES]: '-D=' },
  },
]
