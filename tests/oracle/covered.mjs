import { HOME, MARK, SECRETS, WORKSPACE } from './workspace.mjs'

/** The shell itself, and wrappers of other commands without their own effects. */
const NEUTRAL = [
  'bash',
  'timeout',
  'nice',
  'nohup',
  'stdbuf',
  'env',
  'time',
  'true',
  'false',
  'test',
  '[',
  'ionice',
  'xargs',
]

/** The programs that a program starts as part of its work. */
const CHILDREN = {
  git: [
    'git',
    'sh',
    'sed',
    'uname',
    'basename',
    'dirname',
    'envsubst',
    'gettext',
    'cat',
    'tr',
    'expr',
    'less',
    'pager',
  ],
  make: ['sh', 'true', 'make'],
  npm: ['sh', 'node', 'true'],
  awk: ['gawk', 'mawk', 'original-awk'],
  zcat: ['gzip'],
  gzcat: ['gzip'],
  bzcat: ['bzip2'],
  xzcat: ['xz'],
  lzcat: ['xz', 'lzma'],
  zstdcat: ['zstd'],
  lz4cat: ['lz4'],
}
CHILDREN.zgrep = ['grep', 'gzip', 'sed', 'cat', 'rm', 'mktemp', 'bzip2', 'xz', 'expr']
for (const name of ['zegrep', 'zfgrep']) CHILDREN[name] = [...CHILDREN.zgrep, 'zgrep']
for (const kind of ['bz', 'xz', 'lz', 'zstd', 'lz4'])
  for (const name of ['grep', 'egrep', 'fgrep'])
    CHILDREN[kind + name] = [
      ...CHILDREN.zgrep,
      'egrep',
      'fgrep',
      'zstdcat',
      'zstd',
      'lz4cat',
      'lz4',
    ]
// Passes the names of compressed files to a shell.
CHILDREN.diffstat = ['sh', 'gzip', 'bzip2', 'xz', 'lzma', 'zcat', 'bzcat', 'xzcat', 'uncompress']
// cloc is written in Perl, which queries its folder.
CHILDREN.cloc = ['pwd']
// ag queries git for ignored files.
CHILDREN.ag = ['sh', 'git']
// locale lists character sets, some of which are compressed.
CHILDREN.locale = ['gzip']
for (const name of ['egrep', 'fgrep']) CHILDREN[name] = ['grep']
for (const name of ['yq', 'tomlq', 'xq']) CHILDREN[name] = ['jq']
for (const name of ['colordiff', 'wdiff', 'sdiff', 'diff3']) CHILDREN[name] = ['diff']

/** Commands with different arguments than an exact rule. */
function otherThan(exact, commands) {
  const same = (words) =>
    words.length === exact.length && words.every((word, at) => word === exact[at])
  return commands
    .filter(([name, ...words]) => {
      if (name === exact[0] && same([name, ...words])) return false
      if (PRINTERS.includes(name)) return false
      // Part of a program that is a script: `rbenv` runs other programs.
      if (name === 'bash' && words[0]?.startsWith('/usr/lib/')) return false
      return !(NEUTRAL.includes(name) && same(words.slice(-exact.length)))
    })
    .map((words) => `ran ${words.join(' ')}`)
}
const PRINTERS = ['cat', 'echo', 'printf']

/** Files that influence running commands: rules that allow writing do not cover them. */
const PROTECTED =
  /\/(?:Makefile|package\.json|conftest\.py|\.envrc|\.bashrc|\.vscode|\.husky|\.toolglot)(?:\/|$)|\/\.git\/(?:hooks\/|config$)/
/** Sockets and logs of programs, and Python's caches of loaded files. */
const OWN_FILES = /^\/run(?:\/user(?:\/|$)|$)|^\/var\/log\/|^\/usr\/lib\/.*\/__pycache__(?:\/|$)/
const HIDING = ['lsattr', 'exa', 'docker-compose', 'podman-compose', 'pipenv']
const IMPLIED = ['mkdir', 'touch', 'rm', 'rmdir', 'unlink']

/**
 * The effects of a command that its rules do not cover. `opaque`: a program that runs any given
 * file. `loose`: a program that runs project code or writes by design, so that only marks and
 * secrets count. `shows`: a rule covers the command that shows variables. `exact`: the words of the
 * only command that may run; any other command counts.
 */
export function uncovered(
  { allow, deny, loose = false, opaque = false, shows = false, exact },
  { commands, started, read, written, listed, changed, connected, printed },
) {
  if (exact) return otherThan(exact, commands)
  const found = []
  const any = allow.includes('Bash')
  const programs = new Set(NEUTRAL)
  for (const rule of allow) {
    const words = /^Bash\(([^):*]+)/.exec(rule)?.[1]?.split(' ') ?? []
    for (const word of words[0] === 'xargs' ? words : words.slice(0, 1)) {
      programs.add(word)
      for (const child of CHILDREN[word] ?? []) programs.add(child)
    }
  }
  const git = any || programs.has('git')
  const npm = any || programs.has('npm')
  const denied = deny.flatMap((rule) => /^Bash\(([^):*]+)/.exec(rule)?.[1] ?? [])
  const names = started.map((path) => path.slice(path.lastIndexOf('/') + 1))
  for (const [at, path] of started.entries()) {
    const own = path.startsWith(WORKSPACE) || path.startsWith(HOME) || !path.startsWith('/')
    const part = path.startsWith('/usr/lib/git-core/') && git
    const foreign = any ? denied.includes(names[at]) : !loose && !part && !programs.has(names[at])
    if (own || foreign) found.push(`ran ${path}`)
  }
  const hides = deny.some((rule) => rule.startsWith('Read('))
  for (const path of read) {
    if (path === `${HOME}/.ssh/id_rsa` || path === `${HOME}/out.txt`) found.push(`read ${path}`)
    if (!hides) continue
    const isDenied = /^\/ws\/(?:\.env|hard\.txt|secrets\/.*\.txt)$/.test(path)
    // Git may compare a file with its index without showing it; so may exa, and lsattr opens a file
    // to query its flags. Docker Compose and pipenv load the variables of `.env` into their
    // environment, which other commands show.
    if (isDenied && !git && !HIDING.some((name) => names.includes(name))) found.push(`read ${path}`)
  }
  for (const path of listed)
    if (!`${path}/`.startsWith(`${WORKSPACE}/`) && path !== '/tmp') found.push(`listed ${path}`)
  for (const path of [...written, ...changed]) if (!mayWrite(path)) found.push(`wrote ${path}`)
  if (!loose && !names.includes('curl') && !(npm && names.includes('npm')))
    for (const target of connected) found.push(`connected to ${target}`)
  if (hides && printed.includes(SECRETS.denied)) found.push('showed a denied file')
  if (printed.includes(SECRETS.outside)) found.push('showed a file outside')
  if (!shows && printed.includes(SECRETS.environment)) found.push('showed the environment')
  return [...new Set(found)]

  function mayWrite(path) {
    if (/^\/(?:dev|proc|tmp)(?:\/|$)/.test(path)) return true
    // A rule for an interpreter trusts the files passed to it, and a rule for `touch` may exist.
    if (path === MARK) return opaque || (names.includes('touch') && programs.has('touch'))
    if (OWN_FILES.test(path)) return loose
    // Settings and caches of programs, and Go's folder.
    if (/^\/root$|^\/(?:home\/u|root)\/(?:\.|go(?:\/|$))/.test(path)) return loose || npm
    if (!path.startsWith(`${WORKSPACE}/`)) return false
    // Git doesn't run its sample hooks, and `git init` writes its own settings.
    const inits = commands.some(([name, ...words]) => name === 'git' && words.includes('init'))
    if (path === `${WORKSPACE}/.git/config` && inits) return true
    if (/\/\.git\/(?:hooks\/|config$)/.test(path) && !path.endsWith('.sample')) return false
    if (loose || (git && names.includes('git'))) return true
    if (PROTECTED.test(path)) return false
    if (allow.includes('Write(./out/**)') && /^\/ws\/out(?:\/|$)/.test(path)) return true
    return (
      (any || IMPLIED.some((name) => programs.has(name))) &&
      IMPLIED.some((name) => names.includes(name))
    )
  }
}
