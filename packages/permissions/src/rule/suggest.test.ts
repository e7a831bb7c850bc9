import { expect, test } from 'vitest'
import { decide } from '../decide/decide.ts'
import { readRules } from './read-rules.ts'
import { suggestedRules, suggestRuleForEach } from './suggest-for-each.ts'
import { suggestRules } from './suggest.ts'
import { plainFileSystem as fileSystem } from '../../test/plain-file-system.ts'

const bash = (command: string) => ({ name: 'Bash', args: { command } })

test.each([
  ['one command', bash('git push origin main'), ['Bash(git push origin main)']],
  ['one rule a part', bash('npm test && git push'), ['Bash(npm test)', 'Bash(git push)']],
  ['a removal, exactly', bash('rm -r build'), ['Bash(rm -r build)']],
  ['words with spaces', bash(`git commit -m 'it is done'`), [`Bash(git commit -m 'it is done')`]],
  ['a quote in a word', bash(`echo "it's"`), [`Bash(echo 'it'\\''s')`]],
  [
    'a file',
    { name: 'Write', args: { file_path: 'src/[id].ts', content: '' } },
    ['Edit(//workspace/src/\\[id\\].ts)'],
  ],
  [
    'a page',
    { name: 'WebFetch', args: { url: 'https://go.dev/doc', prompt: 'x' } },
    ['WebFetch(domain:go.dev)'],
  ],
])('%s', async (_, call, rules) => {
  expect(await suggestRules(call, { rules: [] }, fileSystem)).toEqual(rules)
  const read = readRules({ allow: rules })
  expect(read.problems).toEqual([])
  expect((await decide(call, { rules: read.rules }, fileSystem)).verdict).toBe('allow')
})

test.each([
  ['an interpreter', bash('python3 tidy.py')],
  ['code in the command', bash(`node -e 'x()'`)],
  ['an expansion', bash('git log $HOME')],
  ['a pattern', bash('git add *.ts')],
  ['a protected file', { name: 'Write', args: { file_path: '.git/config', content: '' } }],
  ['many parts', bash(Array.from({ length: 9 }, (_, i) => `git tag v${i}`).join(' && '))],
])('%s gets no rule', async (_, call) => {
  expect(await suggestRules(call, { rules: [] }, fileSystem)).toEqual([])
})

test('suggests nothing if a rule requires approval', async () => {
  const { rules } = readRules({ ask: ['Bash(git push:*)'] })
  expect(await suggestRules(bash('git push'), { rules }, fileSystem)).toEqual([])
})

test('a rule for listing a folder does not cover reading its files', async () => {
  const before = readRules({ allow: ['Bash(ls:*)', 'Bash(grep:*)'] })
  const texts = await suggestRules(bash('ls /etc'), before, fileSystem)
  expect(texts).toEqual(['Glob(//etc)'])
  const { rules } = readRules({ allow: ['Bash(ls:*)', 'Bash(grep:*)', ...texts] })
  const verdictOf = async (command: string) =>
    (await decide(bash(command), { rules }, fileSystem)).verdict
  expect(await verdictOf('ls /etc')).toBe('allow')
  expect(await verdictOf('grep -r root /etc')).toBe('ask')
  expect(await verdictOf('ls /etc/ssl')).toBe('ask')
})

test.each(['frob < a.sql', 'cat a.sql | frob', 'while read -r line; do frob; done < a.sql'])(
  'no rule for a program that would then accept any input: %s',
  async (command) => {
    const { rules } = readRules({ allow: ['Bash(cat:*)', 'Bash(read:*)'] })
    const decision = await decide(bash(command), { rules }, fileSystem)
    const suggested = await suggestRuleForEach(decision, { rules }, fileSystem)
    expect(suggestedRules(suggested)).toEqual([])
  },
)
