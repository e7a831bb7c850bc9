import { describe, expect, test } from 'vitest'
import { judge, rulesOf, fileSystem } from '../../test/judge-shell.ts'
import { analyze } from './analyze.ts'
import { readCommandPattern } from './pattern.ts'
import { judgeCommand, ruleForText } from './judge.ts'

describe('patterns', () => {
  test.each([
    ['git status', 'exact', ['git', 'status']],
    ['git  status ', 'exact', ['git', 'status']],
    ['git status:*', 'prefix', ['git', 'status']],
    ['git status *', 'prefix', ['git', 'status']],
    ['*', 'any', []],
    ['git * main', 'glob', ['git']],
    ['git*', 'glob', []],
    ['a && b', 'text', ['a', '&&', 'b']],
    ['git commit -m "a b"', 'exact', ['git', 'commit', '-m', 'a b']],
  ])('%j', (pattern, type, words) => {
    expect(readCommandPattern(pattern)).toMatchObject({ type, words })
  })

  test.each([
    '',
    '  ',
    ':*',
    ' :*',
    'git:* push',
    ':*:*',
    'a && b:*',
    'a | b *',
    'echo "a',
    "echo 'a:*",
  ])('%j is invalid', (pattern) => {
    expect(readCommandPattern(pattern)).toBeTypeOf('string')
  })
})

type Case = [text: string, verdict: string, rules: Parameters<typeof judge>[1]]

describe('commands that rules cover', () => {
  const cases: Case[] = [
    ['git status', 'ask', {}],
    ['git status', 'allow', { allow: ['git:*'] }],
    ['git status', 'allow', { allow: ['git status'] }],
    ['git status -s', 'ask', { allow: ['git status'] }],
    ['git status -s', 'allow', { allow: ['git status:*'] }],
    ['git  status', 'allow', { allow: ['git status'] }],
    ['git statusx', 'ask', { allow: ['git status:*'] }],
    ['gitk', 'ask', { allow: ['git:*'] }],
    ['gitk', 'ask', { allow: ['git*'] }],
    ['git log', 'allow', { allow: ['git*'] }],
    ['npm run test:unit', 'ask', { allow: ['npm run test:*'] }],
    ['npm run test a', 'allow', { allow: ['npm run test:*'] }],
    ['git push origin main', 'allow', { allow: ['git * main'] }],
    ['git push origin other', 'ask', { allow: ['git * main'] }],
    ['frob x', 'allow', { allow: ['*'] }],
    ['frob x', 'deny', { allow: ['*'], deny: ['frob:*'] }],
    ['frob x', 'ask', { allow: ['*'], ask: ['frob:*'] }],
    ['frob x', 'deny', { allow: ['frob x'], ask: ['frob x'], deny: ['frob x'] }],
    ['frob x y', 'allow', { allow: ['*'], deny: ['frob x'] }],
    ['/usr/bin/git status', 'ask', { allow: ['git:*'] }],
    ['/usr/bin/git status', 'allow', { allow: ['/usr/bin/git status:*'] }],
    ['./build.sh fast', 'allow', { allow: ['./build.sh:*'] }],
    ['/usr/bin/frob', 'deny', { allow: ['*'], deny: ['frob'] }],
    ['frob', 'deny', { allow: ['*'], deny: ['/usr/bin/frob'] }],
    ['RM -r x', 'allow', { allow: ['*'], deny: ['rm:*'] }],
    // Forms that do more are covered by rules that contain them.
    ['find . -delete', 'ask', { allow: ['find:*'] }],
    ['find . -delete', 'allow', { allow: ['find . -delete'] }],
    ['find . -delete', 'allow', { allow: ['find . -delete:*'] }],
    ['find . -name x -delete', 'ask', { allow: ['find . -delete:*'] }],
    ['python3 -m pytest -q', 'allow', { allow: ['python3 -m pytest:*'] }],
    ['python3 -m http.server', 'ask', { allow: ['python3 -m pytest:*'] }],
    ['python3 -m http.server', 'ask', { allow: ['python3 -m:*'] }],
    ['npx vitest run', 'allow', { allow: ['npx vitest:*'] }],
    ['npx other', 'ask', { allow: ['npx vitest:*'] }],
    ['npx other', 'ask', { allow: ['npx:*'] }],
    ['make -C api test', 'allow', { allow: ['make -C api:*'] }],
    ['make -C other test', 'ask', { allow: ['make -C api:*'] }],
    ['xargs grep x', 'allow', { allow: ['xargs grep:*'] }],
    ['xargs sort x', 'ask', { allow: ['xargs sort:*'] }],
    ['xargs sort x --', 'allow', { allow: ['xargs sort:*'] }],
    ['xargs git', 'ask', { allow: ['xargs git:*'] }],
    ['xargs sh -c x', 'ask', { allow: ['xargs sh:*'] }],
    ['devbox run frob', 'ask', { allow: ['devbox run:*'] }],
    ['devbox run frob', 'allow', { allow: ['devbox run frob:*'] }],
    ['uv run python3 -c x', 'ask', { allow: ['uv run python3:*'] }],
    ['uv run pytest -q', 'allow', { allow: ['uv run pytest:*'] }],
    ['gh pr view 5', 'ask', { allow: ['gh:*'] }],
    ['gh pr view 5', 'allow', { allow: ['gh pr view:*'] }],
    ['pip install frob', 'ask', { allow: ['pip:*'] }],
    ['pip install frob', 'allow', { allow: ['pip install:*'] }],
    ['pip install frob', 'ask', { allow: ['*'] }],
    ['docker build .', 'allow', { allow: ['docker build:*'] }],
    ['systemctl edit frob', 'ask', { allow: ['systemctl:*'] }],
    ['docker exec box ls', 'ask', { allow: ['docker exec:*', 'ls:*'] }],
    ['docker exec box ls', 'allow', { allow: ['docker exec box ls'] }],
    ['git submodule foreach frob', 'ask', { allow: ['git submodule foreach:*', 'frob'] }],
    ['find . -exec grep x {} +', 'allow', { allow: ['find . -exec grep:*'] }],
    ['find . -exec sh -c x {} +', 'ask', { allow: ['find . -exec sh:*'] }],
    ['find . -exec grep x {} + -delete', 'ask', { allow: ['find . -exec grep:*'] }],
    ['npx tsx -e x', 'ask', { allow: ['npx tsx:*'] }],
    ['npx tsx a.ts', 'allow', { allow: ['npx tsx:*'] }],
    ['for x in "5 rm"; do timeout $x frob; done', 'ask', { allow: ['timeout:*', 'frob'] }],
    ['timeout 5 frob <<< x', 'ask', { allow: ['frob'] }],
    ['timeout 5 frob "a b"', 'ask', { allow: ['frob a b'] }],
    ['timeout 5 frob "a b"', 'allow', { allow: ['frob "a b"'] }],
    ['sudo apt update', 'allow', { allow: ['sudo apt update'] }],
    ["sh -c 'a; b'", 'allow', { allow: ["sh -c 'a; b'"] }],
    ["sh -c 'a; b'", 'deny', { allow: ["sh -c 'a; b'"], deny: ['b'] }],
    ['echo $TOKEN', 'allow', { allow: ['echo $TOKEN'] }],
    ['echo $TOKEN', 'ask', { allow: ['echo:*'] }],
    // The wrapped command decides.
    ['timeout 5 frob', 'ask', { allow: ['timeout:*'] }],
    ['timeout 5 frob', 'allow', { allow: ['frob'] }],
    ['stdbuf -o0 frob', 'ask', { allow: ['stdbuf:*'] }],
    ['nohup frob', 'ask', { allow: ['nohup:*'] }],
    ['ionice frob', 'ask', { allow: ['ionice:*'] }],
    ['command frob', 'ask', { allow: ['command:*'] }],
    ['timeout 5 X=1 frob', 'ask', { allow: ['*'] }],
    ['env A=b frob', 'allow', { allow: ['env A=b frob'] }],
    ['cat *.ts', 'allow', { allow: ['cat *.ts'] }],
    ['timeout 5 frob', 'deny', { allow: ['frob'], deny: ['timeout:*'] }],
    ['sudo frob', 'ask', { allow: ['frob', 'sudo:*'] }],
    ['env A=b frob', 'ask', { allow: ['frob', 'env:*'] }],
    ['A=b frob', 'ask', { allow: ['frob'] }],
    ['CI=1 frob', 'allow', { allow: ['frob'] }],
    ['CI="$x" frob', 'ask', { allow: ['frob'] }],
    // Harmless substitutions, globs and loops.
    ['echo "$(frob)"', 'allow', { allow: ['echo:*', 'frob'] }],
    ['echo "$(frob)"', 'ask', { allow: ['echo:*'] }],
    ['echo "$(frob)"', 'ask', { allow: ['*'] }],
    ['cat $(frob)', 'ask', { allow: ['cat:*', 'frob'] }],
    ['git commit -m "$(frob)"', 'allow', { allow: ['git commit:*', 'frob'] }],
    ['git commit -m $(frob)', 'ask', { allow: ['git commit:*', 'frob'] }],
    ['git shortlog -n "$(frob)"', 'ask', { allow: ['git:*', 'frob'] }],
    ['ls *.ts', 'allow', { allow: ['ls:*'] }],
    ['find *.ts', 'ask', { allow: ['find:*'] }],
    ['for x in a b; do ls "$x"; done', 'allow', { allow: ['ls:*'] }],
    ['for x in a b; do cat "$x"; done', 'allow', { allow: ['cat:*'] }],
    ['for x in a -v; do cat "$x"; done', 'allow', { allow: ['cat:*'] }],
    ['for x in a --x; do cat "$x"; done', 'ask', { allow: ['cat:*'] }],
    ['for x in a b; do x=c; cat "$x"; done', 'ask', { allow: ['cat:*'] }],
    ['for x in a b; do "$x"; done', 'ask', { allow: ['cat:*'] }],
    ['for x in "a b"; do cat $x; done', 'ask', { allow: ['cat:*'] }],
    ['for x in $y; do ls "$x"; done', 'ask', { allow: ['ls:*'] }],
    // Control flow needs no rule, but can be denied.
    ['cd a && frob || true', 'allow', { allow: ['frob'] }],
    ['cd a && frob', 'deny', { allow: ['frob'], deny: ['cd:*'] }],
    ['cd a && git status', 'ask', { allow: ['git:*', 'cd:*'] }],
    ['cd a && git status', 'ask', { allow: ['git status'] }],
    ['(cd a; make)', 'ask', { allow: ['make'] }],
    ['cd . && git status', 'allow', { allow: ['git:*'] }],
    ['cd /etc', 'ask', { allow: ['cd:*'] }],
    // Programs that run unknown code, with deny rules.
    ['sh x.sh', 'allow', { allow: ['*'] }],
    ['sh x.sh', 'ask', { allow: ['*'], deny: ['frob'] }],
    ['sh x.sh', 'allow', { allow: ['sh x.sh:*'], deny: ['frob'] }],
    ['./x', 'ask', { allow: ['*'], deny: ['frob'] }],
    ['nobody-knows frob', 'ask', { allow: ['*'], deny: ['frob'] }],
    ['grep frob x', 'allow', { allow: ['*'], deny: ['frob:*'] }],
    ['timeout 5 grep frob x', 'allow', { allow: ['grep:*'], deny: ['frob:*'] }],
    ['xargs grep frob', 'allow', { allow: ['xargs grep:*'], deny: ['frob:*'] }],
    ['setsid --unheard-of 1 frob', 'deny', { allow: ['*'], deny: ['frob:*'] }],
    // Options in any order.
    ['rm -fr x', 'deny', { allow: ['*'], deny: ['rm -rf:*'] }],
    ['rm --force x -R', 'deny', { allow: ['*'], deny: ['rm -rf:*'] }],
    ['rm -r x', 'allow', { allow: ['*'], deny: ['rm -rf:*'] }],
    ['git push --force', 'deny', { allow: ['git:*'], deny: ['git push -f:*'] }],
    ['git push origin -f', 'deny', { allow: ['git:*'], deny: ['git push --force:*'] }],
    ['git push', 'allow', { allow: ['git:*'], deny: ['git push --force:*'] }],
    ['git log push', 'allow', { allow: ['git:*'], deny: ['git push:*'] }],
    ['git push origin main --tags', 'deny', { allow: ['git:*'], deny: ['git push * --tags'] }],
    ['git push -q a b', 'ask', { allow: ['git:*'], ask: ['git push:*'] }],
  ]
  test.each(cases)('%j: %s under %j', (text, verdict, rules) => {
    expect(judge(text, rules)).toBe(verdict)
  })
})

test('rules for other tools are ignored', () => {
  const [rule] = rulesOf('deny', ['*'])
  const judged = analyze('frob', fileSystem).commands.map(
    judgeCommand([{ ...rule!, tool: 'Read' }, ...rulesOf('allow', ['*'])]),
  )
  expect(judged.map((part) => part.verdict)).toEqual(['allow'])
})

test('case is ignored on case-insensitive systems', () => {
  const [command] = analyze('RM -r x', fileSystem).commands
  const rules = [...rulesOf('allow', ['*']), ...rulesOf('deny', ['rm:*'])]
  expect(judgeCommand(rules, { caseSensitive: false })(command!).verdict).toBe('deny')
})

test('the reason contains a rule that would help', () => {
  const why = (text: string) =>
    judgeCommand(rulesOf('allow', ['git:*']))(analyze(text, fileSystem).commands[0]!).why
  expect(why('npm run build')).toBe('no rule allows it; the rule Bash(npm run build) would')
  expect(why('/bin/git log')).toContain('another program')
  expect(why('git -C x log')).toContain('-C')
  expect(why('git log $x')).toContain('$x')
  const [inLoop] = analyze('for i in 1; do echo tick $?; done', fileSystem).commands
  expect(judgeCommand(rulesOf('allow', ['*']))(inLoop!).why).toBe(
    'some of its words are unknown until it runs',
  )
})

test('a command with operators is allowed only by exactly that rule', () => {
  const rules = rulesOf('allow', ['npm ci && npm test', 'npm:*'])
  expect(ruleForText(rules, 'npm ci && npm test ', 'allow')).toBe(rules[0])
  expect(ruleForText(rules, 'npm ci  && npm test', 'allow')).toBeUndefined()
  expect(ruleForText(rules, 'npm ci', 'allow')).toBeUndefined()
})

test('ten thousand rules are looked up by name', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `tool${index} run:*`)
  const judged = judgeCommand(rulesOf('allow', many))
  const [command] = analyze('tool9999 run x', fileSystem).commands
  for (let times = 0; times < 1000; times++) expect(judged(command!).verdict).toBe('allow')
})
