// Start here: how an agent decides whether a call may run.
import { expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { decide, lintRules, readRules, suggestRules } from './index.ts'
import { nodeFileSystem } from './node/index.ts'

const bash = (command: string) => ({ name: 'Bash', args: { command } })

test('I allow git, but no command that is chained to it', async () => {
  const permissions = readRules({ allow: ['Bash(git:*)'] })
  const fileSystem = nodeFileSystem({ cwd: folderOf() })
  expect(await decide(bash('git status'), permissions, fileSystem)).toMatchObject({
    verdict: 'allow',
    runs: "'git' 'status'",
  })
  const chained = await decide(bash('git status && rm -rf /'), permissions, fileSystem)
  expect(chained).toMatchObject({ verdict: 'ask', what: 'rm -rf /' })
  expect(chained.parts[0]).toMatchObject({ what: 'git status', verdict: 'allow' })
})

test('I deny a file, and no program reads it for the model', async () => {
  const permissions = readRules({ allow: ['Bash(cat:*)', 'Bash(git:*)'], deny: ['Read(.env)'] })
  const fileSystem = nodeFileSystem({ cwd: folderOf({ '.env': 'KEY=1' }) })
  for (const command of ['cat .env', 'cat < .env', 'cat .e*', 'git show HEAD:.env'])
    expect(await decide(bash(command), permissions, fileSystem), command).toMatchObject({
      verdict: 'deny',
    })
})

test('I describe my own tool, and the command it runs is judged like any other', async () => {
  const tools = new Map([['deploy', { runs: 'script' }]])
  const permissions = readRules({ allow: ['Bash(make:*)'] }, { tools })
  const fileSystem = nodeFileSystem({ cwd: folderOf() })
  for (const [script, verdict] of [
    ['make release', 'allow'],
    ['make release; rm -rf /', 'ask'],
  ] as const) {
    const call = { name: 'deploy', args: { script } }
    expect(await decide(call, permissions, fileSystem)).toMatchObject({ verdict })
  }
})

test('When approval is needed, I get the reason and the rule for "always allow"', async () => {
  const fileSystem = nodeFileSystem({ cwd: folderOf() })
  const call = bash('npm test')
  const none = readRules({})
  const { verdict, why } = await decide(call, none, fileSystem)
  expect([verdict, why]).toEqual(['ask', expect.stringContaining('no rule allows it')])
  const allow = await suggestRules(call, none, fileSystem)
  expect(allow).toEqual(['Bash(npm test)'])
  expect(await decide(call, readRules({ allow }), fileSystem)).toMatchObject({ verdict: 'allow' })
})

test('A rule with a typo denies every call, and a careless rule is reported', async () => {
  const wrong = readRules({ allow: ['Bash(git:*)'], deny: ['Raed(.env)'] })
  expect(wrong.problems).toHaveLength(1)
  const fileSystem = nodeFileSystem({ cwd: folderOf() })
  expect(await decide(bash('git status'), wrong, fileSystem)).toMatchObject({ verdict: 'deny' })
  expect(lintRules(readRules({ allow: ['Bash(python3:*)'] }).rules)).toHaveLength(1)
})
