import { parse } from '@toolglot/core'
import { decide, readRules } from '@toolglot/permissions'
import { expect, test } from 'vitest'
import { noFileSystem } from '../run/state.ts'

const permissions = readRules({ allow: ['Bash(git:*)'] })

test.each([
  ['tool-031: an infinite number', '{"command": "git status", "timeout": 1e309}', 'deny'],
  ['tool-043: a duplicate key', '{"command": "git status", "command": "ls"}', 'deny'],
  [
    'tool-042: a prototype',
    '{"command": "git status", "__proto__": {"approved": true}}',
    'not a call',
  ],
  ['an inexact number', '{"command": "git status", "timeout": 9007199254740993}', 'deny'],
  ['plain arguments', '{"command": "git status", "timeout": 5}', 'allow'],
])('a call is decided on as the model wrote it: %s', async (_, json, verdict) => {
  const text = `<tool_call>{"name": "Bash", "arguments": ${json}}</tool_call>`
  const [call] = parse(text).calls
  const decided =
    call &&
    (await decide({ name: call.name, args: call.args, trust: call }, permissions, noFileSystem))
  expect(decided?.verdict ?? 'not a call').toBe(verdict)
})
