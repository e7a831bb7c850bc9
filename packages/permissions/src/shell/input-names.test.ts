import { describe, expect, test } from 'vitest'
import { verdictIn, fileSystemWith } from '../../test/file-system.ts'
import type { Verdict } from '../rule/rule.ts'

const fileSystem = fileSystemWith(['a.txt', 'b.txt', '.env', 'list', 'src/', 'src/c.ts'])
const allow = [
  ...['cat', 'echo', 'printf', 'find', 'grep', 'git', 'head', 'sort', 'rev', 'fold', 'timeout'],
  ...['xargs cat', 'xargs grep', 'xargs wc', 'xargs -0 cat', 'xargs -n1 cat', 'xargs -d, cat'],
  ...['xargs -I{} cat', 'xargs -I % cat', 'xargs -a list cat'],
].map((pattern) => `Bash(${pattern}:*)`)

describe('files named in the input are judged if all names are known', () => {
  test.each<[string, Verdict]>([
    ['echo a.txt b.txt | xargs cat', 'allow'],
    ['echo -n a.txt | xargs cat', 'allow'],
    ["printf '%s\\n' a.txt b.txt | xargs cat", 'allow'],
    ['echo a.txt | sort | xargs cat', 'allow'],
    ['echo a.txt | { xargs cat; }', 'allow'],
    ['echo a.txt | timeout 5 xargs cat', 'allow'],
    ['echo a.txt | xargs -I{} cat {}', 'allow'],
    ['echo .env | xargs cat', 'deny'],
    ['echo .env | sort | xargs cat', 'deny'],
    ["printf '%s' .en v | xargs cat", 'deny'],
    ['echo .env | xargs -I % cat %', 'deny'],
    // The output differs from the argument.
    ["echo -e '\\x2eenv' | xargs cat", 'ask'],
    ["printf '\\056env' | xargs cat", 'ask'],
    ["printf '%b' '\\056env' | xargs cat", 'ask'],
    ["printf '.%.3s' envelope | xargs cat", 'ask'],
    ['printf -- .env | xargs cat', 'ask'],
    // The output is not read unchanged.
    ['echo env | xargs -I{} cat .{}', 'ask'],
    ['echo e | xargs -I % cat .%nv', 'ask'],
    ['echo a,.env | xargs -d, cat', 'ask'],
    ['echo \'"my .env"\' | xargs cat', 'ask'],
    ['echo --files0-from=.env | xargs wc', 'ask'],
    ['echo -f.env a.txt | xargs grep x', 'ask'],
    ['xargs -a list cat', 'ask'],
    ['xargs grep x', 'allow'],
    ['xargs grep -r x', 'ask'],
    ['echo a.txt | timeout 5 xargs grep -r x', 'ask'],
    // The input is different, or only a part of the output.
    ['echo a.txt | { cat list | xargs cat; }', 'ask'],
    ['echo a.env | { head -c 1; xargs cat; }', 'ask'],
    ['echo a.env | { head -c 1 && xargs cat; }', 'ask'],
    ['echo a.env | while head -c 1; do xargs cat; done', 'ask'],
    ['echo a.txt | xargs cat < list', 'ask'],
    ['{ cat list; echo a.txt; } | xargs cat', 'ask'],
    ["find 'a .env b' | xargs cat", 'ask'],
    ["grep -l x 'a .env b' |& xargs cat", 'ask'],
    ["grep -l x 'a .env b' 2>&1 | xargs cat", 'ask'],
  ])('%s: %s', async (command, verdict) => {
    expect(await verdictIn(fileSystem, command, { allow, deny: ['Read(.env)'] })).toBe(verdict)
  })
})

describe('each file in a folder may be read, by the printed names', () => {
  const files = ['src/', 'src/c.ts', 'docs/', 'docs/l.md', 'secret/']
  const links = { 'docs/in': '/work/src/c.ts', 'docs/out.key': '/etc/passwd' }
  const linked = fileSystemWith(files, links)
  const odd = fileSystemWith([...files, 'src/x secret/', 'src/x secret/key'])
  const absolute = fileSystemWith([...files, 'src/x /', 'src/x /etc/', 'src/x /etc/passwd'])
  const option = fileSystemWith([...files, '--files0-from=..', '--files0-from=../list'])
  test.each<[string, typeof fileSystem, Verdict]>([
    ['find src | xargs cat', linked, 'allow'],
    ['find src | xargs cat', fileSystemWith([...files, 'src/my file.ts']), 'ask'],
    ['find src -print0 | xargs -0 cat', fileSystemWith([...files, 'src/my file.ts']), 'allow'],
    ['find src | xargs -0 cat', linked, 'ask'],
    ['find src -print0 | xargs cat', linked, 'ask'],
    ['find src -print -print0 | xargs -0 cat', linked, 'ask'],
    ['find docs | xargs cat', linked, 'ask'],
    ['find docs -print0 | xargs -0 cat', linked, 'ask'],
    ["find . -name '*.ts' | xargs cat", linked, 'allow'],
    ["find . -name '*.key' | xargs cat", linked, 'ask'],
    ["find . -name 'out\\.key' | xargs cat", linked, 'ask'],
    ["find . -not -name '*.ts' | xargs cat", linked, 'ask'],
    ["find . ! -name '*.ts' | xargs cat", linked, 'ask'],
    ["find . -name '*.ts' -o -name out.key | xargs cat", linked, 'ask'],
    ['find . -type f | xargs cat', linked, 'allow'],
    ['find . -type l | xargs cat', linked, 'ask'],
    ['find docs | xargs ls', linked, 'allow'],
    ['git diff --name-only | xargs cat', linked, 'ask'],
    ['find src | xargs cat', odd, 'deny'],
    ['find src -print0 | xargs -0 cat', odd, 'allow'],
    ['find src | xargs cat', absolute, 'ask'],
    ['git diff --name-only | xargs wc', option, 'ask'],
    ['find src | xargs cat', { ...linked, list: async () => undefined }, 'ask'],
    // Files created by an earlier command can't be checked yet.
    ['git clone https://example.com/x new && find new | xargs cat', linked, 'ask'],
    ["mkdir -p 'src/x /etc' && find src | xargs cat", linked, 'ask'],
    ["mkdir -p 'src/x /etc' && find src -print0 | xargs -0 cat", linked, 'ask'],
    ['mkdir -p src/x && find src | xargs cat', linked, 'ask'],
  ])('%s', async (command, where, verdict) => {
    const deny = where === odd ? ['Read(./secret/**)'] : []
    const more = ['Bash(xargs ls:*)', 'Bash(mkdir:*)', 'WebFetch(domain:example.com)']
    expect(await verdictIn(where, command, { allow: [...allow, ...more], deny })).toBe(verdict)
  })
})

describe('file names are tracked only through programs that print them unchanged', () => {
  test.each<[string, Verdict]>([
    ['find src | xargs cat', 'allow'],
    ['find src 2>/dev/null | sort | head -3 | xargs cat', 'allow'],
    ['timeout 5 find src | xargs cat', 'allow'],
    ['git diff --name-only | xargs grep x', 'allow'],
    ['find /etc | xargs cat', 'ask'],
    ['find src 2>&1 | xargs cat', 'ask'],
    ['find src |& xargs cat', 'ask'],
    ["find src | grep -H --label='/etc/passwd ' c | xargs cat", 'ask'],
    ['echo x | grep -l --label=/etc/passwd x | xargs cat', 'ask'],
    ["find src | grep -d recurse -h '' . | xargs cat", 'ask'],
    ['find dwssap/cte/ | rev | xargs cat', 'ask'],
    ['find src | fold -w1 | xargs grep -r x', 'ask'],
    ['find /work/src | head -c 1 | xargs grep -r x', 'ask'],
    ['{ cat list; find src; } | xargs cat', 'ask'],
    ['find src | { cat list | xargs cat; }', 'ask'],
    ['git log --name-only -1 | xargs cat', 'ask'],
    ['git show --name-only | xargs cat', 'ask'],
    ["git diff --name-only --line-prefix='/etc/passwd ' | xargs cat", 'ask'],
    // These commands print more than names, and any word may be a link.
    ['rg -l --stats a src | xargs cat', 'ask'],
    ['rg -l -c a src | xargs cat', 'ask'],
    ['grep -l --help a src | xargs cat', 'ask'],
    ['grep --color=always -l a src | xargs cat', 'ask'],
    ['find src -help | xargs cat', 'ask'],
    ['find src | head --version | xargs cat', 'ask'],
    ['find src | sort --debug | xargs cat', 'ask'],
    ['find src | cat --help | xargs cat', 'ask'],
    ['find src | grep --version | xargs cat', 'ask'],
  ])('%s: %s', async (command, verdict) => {
    expect(await verdictIn(fileSystem, command, { allow })).toBe(verdict)
  })
})
