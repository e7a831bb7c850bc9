/**
 * Here-documents, comments and quotes in every bracket of Bash: if one ends too early, `touch`
 * runs.
 */
const BODIES = [
  ...[
    'touch NEWFILE',
    'x\ntouch NEWFILE',
    '$(',
    ')',
    "'",
    '"',
    '`',
    '}',
    '))\ntouch NEWFILE',
    "a'b\ntouch NEWFILE",
    'F\ntouch NEWFILE',
  ],
  ...[
    '; touch NEWFILE',
    ')"; touch NEWFILE; echo "',
    'esac\ntouch NEWFILE',
    'done; touch NEWFILE',
    '\\\ntouch NEWFILE',
    'a\\',
    '<<X\ntouch NEWFILE\nX',
  ],
]
const COMMENTS = [
  ...[
    'echo a # touch NEWFILE\n',
    'echo a #) touch NEWFILE\n',
    "echo a # ' touch NEWFILE\n",
    'echo a # ` touch NEWFILE\n',
    'echo a#b\n',
  ],
  ...[
    'echo ${x#a} # touch NEWFILE\n',
    'echo a \\# b\n',
    'echo a;# touch NEWFILE\n',
    'echo a;#)\n',
    'echo a &&# touch NEWFILE\n echo b\n',
  ],
]
const QUOTES = [
  ...[
    "echo 'a;touch NEWFILE'",
    'echo "a;touch NEWFILE"',
    `echo "a'b;touch NEWFILE'"`,
    `echo 'a"b;touch NEWFILE"'`,
    "echo $'a\\';touch NEWFILE;\\''",
  ],
  ...[
    'echo "\\"; touch NEWFILE; \\""',
    'echo "${x:-"a;touch NEWFILE"}"',
    "echo ${x:-'a;touch NEWFILE'}",
    'echo a\\;touch NEWFILE',
    'echo "$(echo \')\')"',
  ],
  ...[
    'echo "$(echo ")" ")")"',
    'echo $(echo \\))',
    'echo `echo \\`echo a\\``',
    'echo {a,b;touch NEWFILE}',
    'echo a=(touch NEWFILE)',
    'echo $[1+1]',
  ],
]
const MARKS = [
  ...[
    ["'E'", 'E'],
    ['"E"', 'E'],
    ['\\E', 'E'],
    ['E', 'E'],
    ["-'E'", '\tE'],
    ['-E', 'E'],
    ["E'F'", 'EF'],
    ["''", ''],
    ['$E', '$E'],
  ],
  ...[
    ["'E'", 'E '],
    ["'E'", 'E)'],
    ['E#', 'E#'],
    ["$'E'", 'E'],
    ['`E`', '`E`'],
  ],
]
const TAILS = ['', '', '', ' | cat', ' && echo a', ' ; echo b', ' >/dev/null', ' # c', ' \\']

/** The text with a number. */
export function hereDocumentText({ pick, below, chance }) {
  let text
  do text = make(1 + below(3))
  while (text.length > 700)
  return { text, allow: ['Bash(echo:*)', 'Bash(cat:*)'], deny: [] }

  function leaf() {
    if (!chance(0.6)) return pick(chance(0.5) ? COMMENTS : QUOTES)
    const [mark, end] = pick(MARKS)
    return `cat <<${mark}${pick(TAILS)}\n${pick(BODIES)}\n${end}\n`
  }

  function make(depth) {
    if (depth <= 0) return leaf()
    const inner = () => make(depth - 1)
    const line = () => {
      const text = inner()
      return text.endsWith('\n') ? text : text + pick(['\n', ';'])
    }
    return pick([
      ...[
        () => `((${inner()}); echo)`,
        () => `( (${inner()}) )`,
        () => `(${inner()})`,
        () => `{ ${line()}\n}`,
        () => `((${inner()}) )`,
      ],
      ...[
        () => `echo $(${inner()})`,
        () => `echo "$(${inner()})"`,
        () => `echo \`${inner().replace(/[`\\]/g, '')}\``,
      ],
      ...[
        () => `if ${line()}\nthen ${line()}\nfi`,
        () => `while ${line()}\ndo echo; break; done`,
        () => `for i in a; do ${line()}\ndone`,
      ],
      ...[
        () => `case x in x) ${line()}\n;; esac`,
        () => `case x in (x) ${line()}\n;; esac`,
        () => `case $(${inner()}) in x) echo;; esac`,
      ],
      ...[
        () => `[[ $(${inner()}) == x ]]`,
        () => `echo "\${x:-$(${inner()})}"`,
        () => `echo $(( $(${inner()}) ))`,
        () => `! ${inner()}`,
      ],
      ...[
        () => `time -p (${inner()})`,
        () => `echo a && ${inner()}`,
        () => `${line()}\n${inner()}`,
        () => `CI=$(${inner()}) echo`,
      ],
      ...[
        () => `x=$(${inner()}); echo "$x"`,
        () => `echo "a$(${inner()})b$(${inner()})"`,
        () => `{ ${line()}\n} 2>/dev/null`,
      ],
      ...[
        () => `echo $( (${inner()}) )`,
        () => `echo $((${inner()}) )`,
        () => `((${inner()}) | cat)`,
        () => `((${inner()}) && (${inner()}))`,
      ],
      ...[
        () => `command ${inner()}`,
        () => `timeout 2 ${inner()}`,
        () => `cat <(${inner()})`,
        () => `echo {a,$(${inner()})}`,
        () => `echo [$(${inner()})]`,
      ],
      ...[
        () => `while read x; do ${line()}\nbreak; done`,
        () => `for i in {1..2}; do ${line()}\ndone`,
        () => `${line()}\ncat *.txt`,
      ],
    ])()
  }
}
