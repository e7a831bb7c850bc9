/**
 * Shell commands from a grammar: allowed and other commands, in every construct and spelling of
 * Bash.
 */
const DENY = ['Read(.env)', 'Read(./secrets/**)']
const bash = (names) => names.split(' ').map((name) => `Bash(${name}:*)`)

const SETS = [
  {
    allow: [
      ...bash('echo cat head tail grep wc sort find sed awk tr cut uniq printf jq diff ls du'),
      ...['Bash(xargs grep:*)', 'Bash(xargs wc:*)', 'Bash(xargs cat:*)'],
    ],
    deny: DENY,
    good: [
      ...[
        'cat notes.txt',
        'head -1 notes.txt',
        'grep foo notes.txt',
        'wc -l notes.txt',
        'sort notes.txt',
        'ls src',
      ],
      ...[
        'find src -name "*.ts"',
        'sed -n 1p notes.txt',
        "awk '{print $1}' notes.txt",
        'cut -d, -f1 a.csv',
      ],
      ...[
        'grep -rn foo src',
        'grep -rn foo --include="*.ts" .',
        'cat src/*.ts',
        'wc -l *.txt',
        'du -sh *',
      ],
      ...[
        'find src -name "*.ts" -exec grep -l foo {} +',
        'find src -type f | xargs grep foo',
        'cat {notes,list}.txt',
      ],
      ...[
        'diff <(sort notes.txt) <(sort list.txt)',
        'jq --arg x y .b a.json',
        'find . -type f -print0 | xargs -0 cat',
      ],
    ],
  },
  {
    allow: [
      ...bash('git echo ls cat head grep find wc cp mv make cd sleep'),
      ...['Bash(xargs cat:*)', 'Bash(xargs grep:*)', 'Bash(xargs wc:*)', 'Write(./out/**)'],
    ],
    deny: DENY,
    good: [
      ...[
        'git status',
        'git log --oneline',
        'git -C packages/api status',
        'cd packages/api && git log -1',
        'ls -la',
      ],
      ...[
        'git diff --stat',
        'git show --stat HEAD',
        'git diff $(git merge-base HEAD main) --stat',
        'git ls-files',
      ],
      ...[
        'git grep -n foo -- src',
        'git branch',
        'git config user.name',
        'cat src/a.ts',
        'echo hi',
      ],
    ],
  },
  {
    allow: [...bash('echo cat ls cp mv tee sed mkdir touch'), 'Write(./out/**)'],
    deny: DENY,
    good: [
      ...[
        'echo hi > out/x',
        'cp notes.txt out/n.txt',
        'cp notes.txt list.txt out',
        'mv out/old.txt out/new.txt',
      ],
      ...[
        'cat notes.txt | tee out/t',
        "sed -i 's/o/0/' out/old.txt",
        'cp -r src out/src',
        'mkdir out/d',
        'touch out/e',
      ],
      ...[
        'cp *.txt out',
        'mv out/*.txt out',
        'cat a.json >> out/log',
        'tee -a out/t < notes.txt',
        'ls out',
      ],
    ],
  },
  {
    allow: [...bash('make cd ls cat echo'), 'Bash(npm test:*)'],
    deny: [],
    good: [
      'make test',
      'make ok',
      'make -C packages/api test',
      'cd packages/api && make test',
      'ls',
      'cd src',
      'cat README.md',
    ],
  },
  {
    allow: ['Bash'],
    deny: ['Bash(rm:*)', 'Bash(touch:*)', ...DENY],
    good: [
      'echo hi',
      'ls',
      'git status',
      'cat notes.txt',
      'date',
      'uname',
      'wc -l notes.txt',
      'mkdir -p d/e',
      'seq 3',
    ],
  },
]

/** Commands that no set of rules allows, or that a deny rule covers. */
const BAD = [
  ...[
    'touch PWNED',
    'cat .env',
    'cat secrets/key.txt',
    './evil.sh',
    'echo x > NEWFILE',
    'cat /home/u/out.txt',
    'sh evil.sh',
  ],
  ...[
    'cat .e*',
    'head -1 hard.txt',
    'rm -rf src',
    'grep -r CANARY .',
    'cat < .env',
    '. ./evil.sh',
    'exec touch NEWFILE',
  ],
  ...[
    'eval touch NEWFILE',
    'command cd evilrepo',
    'env',
    'printenv',
    'set',
    'cat link.txt',
    'cat lnk/key2.txt',
    'cd evilmk',
  ],
  ...[
    'find . -name key.txt -exec cat {} +',
    'xargs cat',
    "sed 's/l/x/w NEWFILE' notes.txt",
    'git show HEAD:.env',
    'git grep CANARY',
  ],
  ...[
    `awk 'BEGIN { system("touch NEWFILE") }'`,
    'tee NEWFILE',
    'mv notes.txt NEWFILE',
    'cp evil.sh out/Makefile',
    'cp package.json out',
  ],
  ...[
    'git -C evilrepo status',
    'make -C evilmk',
    'cd evilpkg && npm test',
    'cat */*',
    'cat .[a-z]*',
    'find -exec touch NEWFILE ;',
  ],
  ...[
    'cp -r secrets out/s',
    'cat > /tmp/x.sh',
    'sh /tmp/x.sh',
    'cp /home/u/out.txt /tmp/y',
    'ls $(echo /home/u/.ssh)',
    'mv secrets out/s',
    'sed -i s/a/b/ Makefile',
    'cat docs/*',
    'ls $SECRET_VARIABLE',
    'echo "$SECRET_VARIABLE"',
  ],
]

const FILES = [
  'notes.txt',
  '*.txt',
  'src/*.ts',
  'src',
  '.env',
  '.e*',
  '*',
  'sub',
  'lnk',
  'out',
  'secrets/*',
  'docs/*',
  '{a,b}',
  'hard.txt',
  'src/?.ts',
  '[a-n]*.txt',
  '**/*.ts',
]
const OPERATORS = [
  ' ; ',
  ' && ',
  ' || ',
  ' | ',
  ' & ',
  '\n',
  ' |& ',
  ';',
  '&&',
  '|',
  '\n\n',
  ' ;\n',
  ' && ! ',
  '\n# note\n',
  ' \\\n&& ',
]
const WRAPPERS = [
  ...[
    'time',
    '!',
    'command',
    'builtin',
    'nice',
    'nohup',
    'timeout 2',
    'env',
    'exec',
    'nice -n 1',
    'stdbuf -oL',
    'command -p',
  ],
  ...[
    'env A=1',
    'env -i',
    'xargs',
    'eval',
    'coproc',
    'time -p',
    'command --',
    'env -S',
    'busybox',
    '\\command',
    'timeout -k 1 2',
  ],
]
const PREFIXES = [
  ...[
    'A=1',
    'NODE_ENV=test',
    'PATH=evilbin:$PATH',
    'CI=1',
    'LC_ALL=C',
    'IFS=x',
    'BASH_ENV=evil.sh',
    'x=1;',
    'x=$(ls);',
  ],
  ...[
    'GIT_DIR=evilrepo/.git',
    'A+=1',
    'export CI=1;',
    'export PATH=evilbin;',
    'x=*;',
    'CI=(1 2)',
    'http_proxy=x;',
  ],
]
const REDIRECTS = [
  ...[
    '>/dev/null',
    '2>&1',
    '&>/dev/null',
    '> out/x',
    '< notes.txt',
    '< .env',
    '>&-',
    '<> notes.txt',
    '>| NEWFILE',
    '{fd}>NEWFILE',
  ],
  ...[
    '1<&0',
    '>/dev/null/../../ws/NEWFILE',
    '2> >(cat)',
    '&>>NEWFILE',
    '>&NEWFILE',
    '> out/../NEWFILE',
    '>> out/Makefile',
    '> /tmp/x',
  ],
]

/** The text with a number. */
export function grammarText({ pick, below, chance }) {
  const set = pick(SETS)
  const command = () => respelled(chance(0.16) ? pick(BAD) : pick(set.good))
  const inert = () => (chance(0.5) ? pick(BAD) : pick(set.good)).replace(/['"`$\\\n]/g, '')
  let text
  do text = make(1 + below(4))
  while (text.length > 900)
  return { text, allow: set.allow, deny: set.deny }

  function respelled(text) {
    if (!chance(0.3)) return text
    return text
      .split(' ')
      .map((word) => (chance(0.3) && !/['"$<>|{}]/.test(word) ? spelled(word) : word))
      .join(' ')
  }

  function spelled(word) {
    const at = below(word.length)
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    return pick([
      ...quoted(head, tail),
      ...[`$"${word}"`, `\${x:-${word}}`],
      ...[
        `$(echo ${word})`,
        `\`echo ${word}\``,
        `{${word},}`,
        `${head}[${word[at]}]${word.slice(at + 1)}`,
      ],
      ...[
        `${head}?${word.slice(at + 1)}`,
        `${head}*`,
        `${head}\\\n${tail}`,
        `./${word}`,
        `${word}\r`,
        `"${head}"'${tail}'`,
        `{${word},${word}}`,
      ],
    ])
  }

  /** A pattern of file names that is known only at runtime. */
  function patternOutside() {
    const value = pick([
      ...["'/home/u/.ssh/*'", '/home/u/.ssh', "$(echo '/home/u/.ssh/*')", '/home/u'],
    ])
    const use = pick(['$x', '"$x"', '$x/*', '"$x"/*', '${x}/.s*', '"$x/*"', '$x*/*', 'a $x b'])
    const then = pick([
      ...[`echo ${use}`, `: ${use}`, `for f in ${use}; do echo a; done`, `basename ${use}`],
      ...[`y=${use}; echo $y`, `y=${use}; echo "$y"`],
      `for i in 1 2; do echo ${use}; x=$(pwd); done`,
    ])
    return pick([
      ...[`x=${value}; ${then}`, `x=a; ${then}; x=${value}; ${then}`, `echo ${value}`],
      `for x in ${value}; do ${then}; done`,
      `echo ${value} | while read -r x; do ${then}; done`,
      ...['echo $HOME/.ssh/*', 'echo "$HOME"/.s*/*', 'echo ${HOME}/*/*', 'echo $HOME $PATH'],
    ])
  }

  function make(depth) {
    if (depth <= 0) return command()
    const inner = () => make(depth - 1 - below(2))
    return pick([
      () => inner() + pick(OPERATORS) + inner(),
      () => inner() + pick(OPERATORS) + inner(),
      () => `(${inner()})`,
      () => `{ ${inner()}; }`,
      () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
      () => `while ${inner()}; do ${inner()}; break; done`,
      () =>
        `for f in ${pick(FILES)} ${pick(FILES)}; do ${chance(0.6) ? loopBody() : inner()}; done`,
      () =>
        `for d in ${pick(['src', 'packages/*/', 'sub', 'evilrepo', '*/', 'evilmk src'])}; do (cd "$d" && ${inner()}); done`,
      () =>
        `${pick(['cat notes.txt |', 'ls |', 'printf ".env\\n" |', ''])} while ${pick(['read f', 'IFS= read -r f', 'read -r f g', 'read'])}; do ${loopBody()}; ${chance(0.5) ? 'break;' : ''} done ${pick(['', '< notes.txt', '< names.txt', '< .env'])}`,
      () => `case ${pick(['x', '$x', 'a'])} in ${pick(['x', '*', 'a|b', '(x'])}) ${inner()};; esac`,
      () => `echo "${inert()}"`,
      () => `echo '${inert()}' # ${inert()}`,
      () => `echo $(${inner()})`,
      () => `echo "$(${inner()})"`,
      () => `echo \`${inner().replace(/[`\\]/g, '')}\``,
      () =>
        `x=$(${inner()}); echo "$x"; ${chance(0.3) ? pick(['$x', 'cat $x', 'cat "$x"', 'ls $x', 'grep foo "$x"', 'cd "$x"']) : 'ls'}`,
      () =>
        `x=${pick(['a', '.env', '"a b"', '-r', '$y', '$SECRET_VARIABLE', '*'])}; ${pick(['echo $x', 'cat $x', 'echo "$((x))"', '[[ $x -eq 1 ]]', 'ls "$x"'])}`,
      patternOutside,
      () =>
        `cat <<${pick(["'E'", 'E', '"E"', '-E'])}${pick(['', ' | cat', ' >/dev/null', ` && ${command()}`])}\n${inert()}\n${chance(0.3) ? `$(${pick(BAD)})\n` : ''}E\n${chance(0.4) ? inner() : ''}`,
      () => `cat <<< ${pick([`"${inert()}"`, `$(${inner()})`, 'x'])}`,
      () => `${inner()} ${pick(REDIRECTS)}`,
      () => `${pick(WRAPPERS)} ${inner()}`,
      () => `${pick(PREFIXES)} ${inner()}`,
      () => `f() { ${inner()}; }; ${chance(0.5) ? 'f' : inner()}`,
      () =>
        `[[ ${pick(['-f notes.txt', 'a == b', '-n "$x"', '1 -eq 1', "'a[$(touch NEWFILE)]' -eq 1", '-v x', `$(${command()}) == x`])} ]] && ${inner()}`,
      () =>
        `echo $((${pick(['1+1', 'x', 'a[`touch NEWFILE`]', ' ( 1+2 )*3 ', '1<<2', `$(${command()})`])}))`,
      () => `echo "\${x:-${pick(["'", inert(), `$(${inner()})`, '"a"', '\\}'])}}"`,
      () =>
        `${pick(['cat', 'ls', 'echo', 'head -2', 'grep foo', 'wc'])} ${pick(FILES)} ${pick(FILES)}`,
      () =>
        `${pick(['cp', 'mv', 'tee', 'cat', "sed -i 's/a/b/'", 'sed -i.bak s/a/b/', 'cp -r', 'cp -p', 'mv -n'])} ${pick(FILES)} ${pick(['out', 'out/n', 'NEWFILE', '.', 'out/Makefile', 'sub', 'out/../x', 'lnk', ''])}`,
      () =>
        `cd ${pick(['src', 'sub', '..', 'evilrepo', '-', 'lnk', '/ws', 'outlink', './src/../sub', 'packages/api', '/tmp', 'evilmk'])} ${pick(['&&', ';', '||'])} ${chance(0.5) ? pick(['cat ../notes.txt', 'cat key2.txt', 'ls *', 'git status', 'cat ../.env', 'make test', 'cat *', 'npm test']) : inner()}`,
      () =>
        `${pick(['pushd src &&', 'pushd sub;', 'pushd evilrepo &&'])} ${inner()}; popd; ${command()}`,
      () =>
        `find ${pick(['.', 'src', 'sub', '-L .', ''])} ${pick(["-name '*.ts'", '-type f', "-not -name '*.md'", "! -path './s*'", "-name a -o -name '*'", '-newer .env', '-delete', '\\( -name a \\)'])} ${pick(
          [
            '-exec cat {} +',
            '-exec grep foo {} \\;',
            '-exec wc -l {} +',
            '-exec sh -c {} \\;',
            '-exec cat {}x \\;',
            '-execdir cat {} \\;',
            '-exec head -1 {} \\; -exec touch NEWFILE \\;',
            '-exec cat secrets/key.txt \\;',
            '| xargs cat',
            '-print0 | xargs -0 grep foo',
            '| xargs -I{} cat {}',
            '| xargs -n1 wc',
            '| head -3 | xargs cat',
            '| xargs grep -r CANARY',
            '-printf %p',
            '',
          ],
        )}`,
      () =>
        `git ${pick(['log', 'show', 'diff', 'status', 'grep -n CANARY', 'ls-files', 'stash list', 'cat-file -p'])} ${pick(['-1', '-p', '--stat', '-- notes.txt', "-- '.e*'", 'HEAD~1', '--output=NEWFILE', ':0:.env', '-- src', '--name-only | xargs cat', '-- .', 'HEAD -- secrets', ''])}`,
      () =>
        `sed ${pick(["-n '1,2p'", "'s/l/x/'", "'s/l/x/w NEWFILE'", "'s/l/touch NEWFILE/e'", "':a;N;$!ba;s/x/y/'", "-e p -e 'w NEWFILE'", "'/l/{p;d}'", "'1{w NEWFILE\n}'", "'r .env'", "'$!N;P;D'", "-s -n '$='", "'y/l/x/;w NEWFILE'", "'bx;:x w NEWFILE'", "'1e touch NEWFILE'"])} notes.txt`,
      () =>
        `awk ${pick(["'{print $1}'", `'{print > "NEWFILE"}'`, "'{print $1} $2 > 3 {n++} END {print n}'", `'{print $1 > 3}'`, `'BEGIN{while(("touch NEWFILE"|getline)>0);}'`, `'{print|"cat"}'`, "'$1>2'", `'BEGIN{print ENVIRON["SECRET_VARIABLE"]}'`, `'{print "a};" > "NEWFILE"}'`, `'{printf "%s", $1; x = 1 > 2}'`, `'{print $1,\n$2 > "NEWFILE"}'`, `'BEGIN{printf("x") > "NEWFILE"}'`])} notes.txt`,
      () => `((${inner()}); ${inner()})`,
      // Lookups are only valid until a change.
      () => changing(),
      () => changing(),
      () => moving(),
      () => nesting(),
      () => nesting(),
      () => `echo ${pick(['`', '"`'])}cat ${pick(['ticks/*', '*', 'odd/*', 'src/*.ts'])}${'`'}`,
      () =>
        `find ${pick(['odd', '.', 'ticks', 'src'])} ${pick(['-type f', "-name 'a*'", '-print', ''])} | xargs ${pick(['cat', 'grep foo', '-I{} cat {}', '-n1 wc', "-d '\\n' cat", '-0 cat', '-I% grep % notes.txt'])}`,
      () =>
        `find ${pick(['src', '.'])} -exec ${pick(['grep S + .env', 'cat + .env', 'grep foo {} + .env', 'cat {} + secrets/key.txt', 'wc {} +'])} ${pick(['\\;', '+', '{} +', '{} \\;'])}`,
      () => `$(${inner()})`,
      () =>
        `${inner()}${pick(['\r\n', '\u00a0', '\t', '\u200b', '\v', '\u3000'])}${pick([';', ' ', '&&'])}${inner()}`,
      () => `diff <(${inner()}) ${pick(['notes.txt', `<(${inner()})`, '>(cat)', '.env'])}`,
    ])()
  }

  /** An expansion, in every place where a word may contain one. */
  function nesting() {
    const value = pick([
      "'a[$(touch NEWFILE)]'",
      '.env',
      '-r',
      "'$(touch NEWFILE)'",
      'SECRET_VARIABLE',
      '1',
      "'*'",
    ])
    const item = pick([
      ...[
        '$((x))',
        '$[x]',
        '${!x}',
        '${y[x]}',
        '${y:x}',
        '${y:0:x}',
        '$x',
        '"$x"',
        '${x@P}',
        '${x:=$(touch NEWFILE)}',
      ],
      ...[
        '$SECRET_VARIABLE',
        '${SECRET_VARIABLE}',
        '"$SECRET_VARIABLE"',
        "$'.env'",
        '$"x"',
        '$((x+1))',
        '$((y=x))',
        '~+',
      ],
      ...[
        `$(${command()})`,
        `\`${command().replace(/[`\\]/g, '')}\``,
        `<(${command()})`,
        '${x/a/$(touch NEWFILE)}',
        '${x%$y}',
      ],
      ...[
        '$((cat <<E\n))\ntouch NEWFILE\nE\n))',
        '$((cat <<E\ntouch NEWFILE\nE\n) )',
        '$(cat <<E\n)\ntouch NEWFILE\nE\n)',
        '$#',
        '$-',
      ],
    ])
    const word = pick([
      ...[
        item,
        `"${item}"`,
        `{a,${item}}`,
        `{${item},b}`,
        `[${item}]`,
        `[a${item}]*`,
        `@(a|${item})`,
        `?(${item})`,
        `!(${item})`,
      ],
      ...[
        `a${item}`,
        `*${item}`,
        `${item}*`,
        `src/${item}`,
        `{1..${item}}`,
        `\${y:-${item}}`,
        `\${y:+${item}}`,
        `"\${y:-${item}}"`,
      ],
      ...[
        `{a,"${item}"}`,
        `{a,{b,${item}}}`,
        `[[:alpha:]${item}]`,
        `\${y[${item}]}`,
        `\${y:${item}}`,
        `$((${item}))`,
        `{a,b}${item}`,
      ],
    ])
    const use = pick([
      ...[
        `echo ${word}`,
        `echo ${word}`,
        `ls ${word}`,
        `cat ${word}`,
        `printf %s ${word}`,
        `test -n ${word}`,
        `[ -n ${word} ]`,
      ],
      ...[
        `[[ -n ${word} ]]`,
        `[[ a == ${word} ]]`,
        `[[ ${word} -eq 1 ]]`,
        `for f in ${word}; do echo "$f"; done`,
        `y=${word}; echo`,
      ],
      ...[
        `case ${word} in a) echo;; esac`,
        `case a in ${word}) echo;; esac`,
        `cat <<< ${word}`,
        `cat <<E\n${word}\nE`,
        `echo < ${word}`,
      ],
      ...[
        `y=(${word}); echo`,
        `head -${word} notes.txt`,
        `grep foo ${word}`,
        `cd ${word}`,
        `echo hi > out/${word}`,
        `true ${word}`,
      ],
    ])
    return chance(0.8)
      ? `x=${value}${pick(['; ', '\n', ' && '])}${use}`
      : `for x in ${value}; do ${use}\ndone`
  }

  function changing() {
    const change = pick([
      'git checkout -q evil',
      'git checkout -q evil',
      'git switch -q evil',
      'git merge -q evil',
      'git reset -q --hard evil',
      'git restore --source=evil notes.txt src',
      'git stash',
      'git checkout -q evil -- notes.txt',
      'mkdir out/q',
      'cp notes.txt out',
      'make test',
      'git status',
      'ls',
    ])
    const then = pick([
      'cat notes.txt',
      'cat src/*.ts',
      'cat src/a.ts',
      'cat *.txt',
      'cat README.md',
      'cd sub && git status',
      'git -C sub status',
      'grep -rn CANARY src',
      'find src -type f | xargs cat',
      'find src | xargs cat',
      'cd src && cat a.ts',
      'head -1 notes.txt',
      'cp notes.txt out/n',
      'git grep CANARY',
      'git show notes.txt',
    ])
    return pick([
      () => `${change}${pick(OPERATORS)}${then}`,
      () => `(sleep 0.2; ${then}) & ${change}; wait`,
      () => `${change} & sleep 0.2; ${then}`,
      () => `${change} | (sleep 0.2; ${then})`,
      () => `for i in 1 2; do ${then}; ${change}; done`,
      () => `while ${change}; do ${then}; break; done`,
      () => `cat <(${change}) - < notes.txt; ${then}`,
      () => `echo $(${change}); ${then}`,
      () => `if ${change}; then ${then}; fi`,
      () => `${then} $(${change})`,
      () => `{ ${change}; } > /dev/null; ${then}`,
      () => `timeout 2 ${change}; ${then}`,
    ])()
  }

  function moving() {
    const verb = pick(['mv', 'git mv', 'cp -r', 'mv -f', 'cp'])
    return pick([
      () =>
        `cd packages/api && ${verb} ../api ../../out/api && cat ../${pick(['.env', 'secrets/key.txt', 'notes.txt'])}`,
      () => `cd src/deep && ${verb} ../deep ../../deep && cat ../.env`,
      () =>
        `${verb} sub/toSecrets ${pick(['out/t', 'toSecrets', 'packages/t'])} && cat ${pick(['out/t/key.txt', 'toSecrets/key.txt', 'packages/t/key.txt'])}`,
      () =>
        `${verb} ${pick(['link.txt', '.env', 'lnk', 'secrets', 'sub', 'hard.txt', 'src'])} ${pick(['out/l', 'out', 'docs', 'NEWFILE', 'out/Makefile'])}; cat ${pick(['out/l', 'docs/.env', 'out/l/key.txt', 'NEWFILE', 'out/*'])}`,
    ])()
  }

  function loopBody() {
    return pick([
      'echo "$f"',
      'ls $f',
      'cat "$f"',
      'grep foo "$f"',
      'cat $f',
      'wc -l "$f" $f',
      '$f',
      '"$f" x',
      'cat "${f%.ts}"',
      'f=.env; cat "$f"',
      'cp "$f" out',
      'cat "$f"/*',
      'cat ./$f',
    ])
  }
}

/** A word in each kind of quotes. `head`: its part before a place inside it; `tail`: the rest. */
export function quoted(head, tail) {
  const word = head + tail
  return [`'${word}'`, `"${word}"`, `${head}\\${tail}`, `${head}''${tail}`, `$'${word}'`]
}
