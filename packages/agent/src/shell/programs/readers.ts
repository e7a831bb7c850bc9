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
      cat tac rev nl paste fold fmt expand unexpand comm join cmp od hexdump strings column pr
      cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum tsort ptx bat
      batcat zcat bzcat xzcat zstdcat lz4cat look colrm ul col readelf nm size base32 basenc
      gzcat vis hd`,
    input: 'data',
    operands: { rest: 'read' },
    reach: { [WRITES]: '-o= --output=', 'runs a pager': '--paging= --pager=' },
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
    values: '-d= --max-depth= --exclude= -t= -x= -B=',
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
    names: 'grep egrep fgrep zgrep zegrep zfgrep ugrep ggrep',
    input: 'data',
    operands: { first: 'text', unless: '-e= --regexp= -f= --file=', rest: 'read' },
    values: `
      -e= --regexp= -m= --max-count= -A= -B= -C= --after-context= --before-context= --context=
      --include= --exclude= --exclude-dir= --label= -d= -D= --color= --colour=`,
    files: { read: '-f= --file= --exclude-from=' },
    reach: { 'runs a filter': '--filter= --pager= --view=' },
  },
  {
    names: 'rg ripgrep ag ack pt sift',
    input: 'data',
    operands: {
      first: 'text',
      unless: '-e= --regexp= -f= --file= --files --type-list',
      rest: 'read',
    },
    values: `
      -e= --regexp= -m= --max-count= -A= -B= -C= --after-context= --before-context= --context=
      -g= --glob= --iglob= -t= --type= -T= --type-not= -r= --replace= -M= --max-columns= -d=
      --max-depth= -j= --threads= -E= --encoding= --sort= --sortr= --color= --colors=`,
    files: { read: '-f= --file= --ignore-file=' },
    reach: {
      'runs another program on every file': `
      --pre= --pre-glob= --hostname-bin= -z --search-zip --pager= --filter= --output= --ackrc=
      --env`,
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
    },
  },
  {
    names: 'yq dasel xq tomlq',
    input: 'data',
    operands: { first: 'script', rest: 'read' },
    script: { doubt: jqDoubt },
    reach: {
      'changes files in place': '-i --inplace --in-place -s= --split-exp=',
      'loads other code': '-f= --from-file= -L= --split-exp-file=',
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
    operandReach: {},
    reach: {},
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
    names: 'diff sdiff diff3 wdiff colordiff diffstat',
    operands: { rest: 'read' },
    values: '-U= -C= --unified= --context= -x= --exclude= -I= -W= -L= --label= --width=',
    files: { read: '-X= --exclude-from= --from-file= --to-file=', write: '-o= --output=' },
    reach: { [WRITES]: '-o= --output=', 'runs another program': '--diff-program=' },
  },
  {
    names: 'xxd',
    operands: { first: 'read', rest: 'write' },
    values: '-c= -g= -l= -s= -o=',
    oneDash: true,
    input: 'data',
  },
  {
    names: 'iconv recode dos2unix unix2dos uconv',
    input: 'data',
    operands: { rest: 'read' },
    values: '-f= -t= --from-code= --to-code=',
    reach: { [WRITES]: '-o= --output=' },
  },
  {
    names: 'tokei cloc scc',
    operands: { rest: 'list' },
    reach: {
      'runs other code': `
      --config= --script-lang= --diff-alignment= --extract-with= --vcs= --read-lang-def=
      --report-file=`,
    },
  },
  {
    names: 'ps uptime free vmstat lscpu lsblk lsof w who last lsusb lspci getconf locale',
    operands: { rest: 'text' },
    reach: { [WRITES]: '-D=' },
  },
]
