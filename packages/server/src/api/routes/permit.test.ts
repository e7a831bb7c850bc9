import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { apiClient } from '../../../test/api-client.ts'
import { explainCall, lintFolderRules } from './permit.ts'

const bash = (command: string, more: object = {}): { body: object } => ({
  body: { tool: 'Bash', arguments: { command }, ...more },
})

describe('POST /api/permit', () => {
  test('decides on each part with the rule and its place, and suggests rules', async () => {
    const { call, home } = await apiClient({
      settings: { permissions: { allow: ['Bash(git status:*)'], deny: ['Bash(rm:*)'] } },
    })
    const mixed = await call(explainCall, bash('git status && npm test'))
    expect(mixed.decision).toMatchObject({
      verdict: 'ask',
      parts: [
        {
          what: 'git status',
          verdict: 'allow',
          rule: {
            text: 'Bash(git status:*)',
            source: { scope: 'user', file: join(home, '.config/toolglot/settings.json'), line: 1 },
          },
        },
        { what: 'npm test', verdict: 'ask' },
      ],
    })
    expect(mixed.always).toEqual([{ what: 'npm test', rule: 'Bash(npm test)' }])
    expect(mixed).toMatchObject({ mode: 'default', problems: [], notes: [] })
    expect((await call(explainCall, bash('rm -rf x'))).decision.verdict).toBe('deny')
    expect((await call(explainCall, bash('git status'))).decision.verdict).toBe('allow')
  })

  test('returns the command to run, or the reason why it is missing', async () => {
    const { call, folder } = await apiClient({
      settings: { permissions: { allow: ['Bash(cat:*)'] } },
    })
    writeFileSync(join(folder, 'a b.txt'), '')
    const { decision } = await call(explainCall, bash('cat *.txt'))
    expect(decision).toMatchObject({ verdict: 'allow', runs: "'cat' 'a b.txt'" })
    const written = await call(explainCall, bash('f() { cat x; }'))
    expect(written.decision).toMatchObject({ verdict: 'ask', unprinted: 'defines a function' })
  })

  test('returns the reason why there is no rule for a call', async () => {
    const { call } = await apiClient()
    const { always } = await call(explainCall, bash('python3 -c "print(1)"'))
    expect(always).toEqual([{ what: expect.any(String), reason: expect.stringMatching(/\S/) }])
  })

  test('shows the real path of a file', async () => {
    const { call, folder } = await apiClient()
    const elsewhere = folderOf({ 'secret.txt': 'x' })
    symlinkSync(elsewhere, join(folder, 'link'))
    const { decision } = await call(explainCall, {
      body: { tool: 'Read', arguments: { file_path: 'link/secret.txt' } },
    })
    expect(decision).toMatchObject({ verdict: 'ask', real: join(elsewhere, 'secret.txt') })
  })

  test('accepts unsaved rules and a mode, with notes on them', async () => {
    const { call } = await apiClient({ settings: { permissions: { allow: ['Bash'] } } })
    const allowed = await call(explainCall, bash('npm test', { allow: ['Bash(npm:*)', 'Bash(*)'] }))
    expect(allowed.decision.verdict).toBe('allow')
    // Notes on rules from the settings are not part of this request.
    expect(allowed.notes).toEqual([
      expect.objectContaining({ rule: 'Bash(*)', scope: 'cli', about: 'too-much' }),
    ])
    const planned = await call(explainCall, bash('npm test', { mode: 'plan' }))
    expect(planned).toMatchObject({ mode: 'plan', decision: { verdict: 'deny' } })
    const invalid = await call(explainCall, bash('ls', { deny: ['Bash('] }))
    expect(invalid.decision).toMatchObject({ verdict: 'deny', error: expect.any(String) as string })
    expect(invalid.problems).toMatchObject([{ rule: 'Bash(', scope: 'cli' }])
    expect((await call(explainCall, bash('npm test'))).decision.verdict).toBe('allow')
  })

  test('refuses a duplicate key in arguments sent as text', async () => {
    const { call, problem } = await apiClient()
    const argumentsText = '{"command": "ls", "command": "rm -rf ~"}'
    const { decision, always } = await call(explainCall, { body: { tool: 'Bash', argumentsText } })
    expect(decision).toMatchObject({
      verdict: 'deny',
      error: expect.stringContaining('twice') as string,
    })
    expect(always).toEqual([])
    const once = await call(explainCall, {
      body: { tool: 'Bash', argumentsText: '{"command":"ls"}' },
    })
    expect(once.decision).toMatchObject({ verdict: 'ask', parts: [{ what: 'ls' }] })
    for (const text of ['', '[]', 'null', '{', '"x"', '{"a":1}{"b":2}']) {
      expect(
        await problem(explainCall, { body: { tool: 'Bash', argumentsText: text } }),
      ).toMatchObject({ code: 'invalid_request', action: expect.any(String) as string })
    }
  })

  test.each<[string, string]>([
    ['Bash', '{"command": "ls", "__proto__": {"x": 1}}'],
    ['Bash', '{"command": "ls", "constructor": 1}'],
    ['__proto__', '{}'],
    ['constructor', '{}'],
    ['\u202eBash', '{"command": "ls"}'],
    ['Bash', '{}'],
    ['Bash', '{"command": 1}'],
  ])('%s %s is an invalid call, which nobody can approve', async (tool, text) => {
    const { call } = await apiClient()
    for (const args of [`"arguments": ${text}`, `"argumentsText": ${JSON.stringify(text)}`]) {
      const { decision } = await call(explainCall, {
        body: `{"tool": ${JSON.stringify(tool)}, ${args}}`,
      })
      expect(decision).toMatchObject({ verdict: 'deny', error: expect.any(String) as string })
    }
  })

  test.each(['ls \u202e', 'echo \u001b[2J', 'a'.repeat(200_000), 'echo $(cat', '\ud800'])(
    'requires approval for an unusual command (%#)',
    async (command) => {
      const { call } = await apiClient()
      expect((await call(explainCall, bash(command))).decision.verdict).toBe('ask')
    },
  )

  test("an untrusted folder's rules can deny but not allow", async () => {
    const client = await apiClient({
      project: { permissions: { allow: ['Bash(npm:*)'], deny: ['Bash(git:*)'] } },
    })
    expect((await client.call(explainCall, bash('npm test'))).decision.verdict).toBe('ask')
    expect((await client.call(explainCall, bash('git status'))).decision.verdict).toBe('deny')
    await client.trust()
    expect((await client.call(explainCall, bash('npm test'))).decision.verdict).toBe('allow')
  })

  test.each<object>([
    {},
    { tool: 1 },
    { tool: 'Bash', arguments: [] },
    { tool: 'Bash', arguments: 'ls' },
    { tool: 'Bash', arguments: null },
    { tool: 'Bash', arguments: {}, argumentsText: '{}' },
    { tool: 'Bash', mode: 'yolo' },
    { tool: 'Bash', allow: 'Bash' },
    { tool: 'Bash', allow: [1] },
    { tool: 'x'.repeat(257) },
  ])('400 for bad input (%#)', async (body) => {
    const { problem } = await apiClient()
    expect(await problem(explainCall, { body })).toMatchObject({ code: 'invalid_request' })
  })
})

describe('GET /api/permit/lint', () => {
  test('finds doubtful and invalid rules, with file and line', async () => {
    const { call, folder, home } = await apiClient()
    mkdirSync(join(home, '.config/toolglot'), { recursive: true })
    const file = join(home, '.config/toolglot/settings.json')
    writeFileSync(
      file,
      '{\n  "permissions": {\n    "allow": [\n      "Bash(*)",\n      "Bash(git status)"\n    ]\n  }\n}',
    )
    expect(await call(lintFolderRules)).toMatchObject({
      rules: 2,
      problems: [],
      notes: [
        { rule: 'Bash(*)', verdict: 'allow', about: 'too-much', scope: 'user', file, line: 4 },
      ],
    })
    writeFileSync(file, '{"permissions": {"deny": ["Bassh(ls)"]}}')
    expect(await call(lintFolderRules, { query: { folder } })).toMatchObject({
      problems: [{ rule: 'Bassh(ls)', problem: expect.any(String) as string, file, line: 1 }],
    })
  })
})
