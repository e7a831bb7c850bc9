import { expect, test } from 'vitest'
import { startCommand } from '../../test/start-command.ts'

const permit = (...words: string[]) => startCommand(['permit', ...words])
const bash = (command: string): string[] => ['Bash', JSON.stringify({ command })]

test('a denied part denies the whole call, and is shown with its rule', async () => {
  const { code, output } = await permit(
    ...bash('git status && rm -rf /'),
    ...['--allow', 'Bash(git:*)', '--deny', 'Bash(rm -rf:*)'],
  )
  expect(code).toBe(1)
  expect(output).toMatch(/^deny /)
  expect(output).toMatch(/allow {2}git status +Bash\(git:\*\) {2}\(command line\)/)
  expect(output).toMatch(/deny {3}rm -rf \/ +Bash\(rm -rf:\*\)/)
})

test('exits with 0 if the call is allowed', async () => {
  const { code, output } = await permit(...bash('git status'), '--allow', 'Bash(git:*)')
  expect([code, output.slice(0, 5)]).toEqual([0, 'allow'])
})

test('shows the rules that would allow a call', async () => {
  const { code, output } = await permit(...bash('npm test && git push'))
  expect(code).toBe(1)
  expect(output).toContain(
    'To allow this without asking, add:\n  Bash(npm test)\n  Bash(git push)\n',
  )
})

test('denies calls that need approval if there is no user to ask', async () => {
  const { output } = await permit(...bash('npm test'), '--no-interactive')
  expect(output).toMatch(/^deny .*nobody to ask/)
})

test('prints a decision as JSON', async () => {
  const { output } = await permit(...bash('git status'), '--allow', 'Bash(git:*)', '--json')
  expect(JSON.parse(output)).toMatchObject({
    decision: 'allow',
    rule: { text: 'Bash(git:*)', scope: 'cli' },
    parts: [{ what: 'git status', decision: 'allow' }],
    always: [],
  })
})

test('prints the command to run with --verbose, or a notice if it is missing', async () => {
  const words = bash('echo a;git status')
  expect((await permit(...words)).output).not.toContain('Runs as')
  const { output } = await permit(...words, '--verbose')
  expect(output).toContain("\nRuns as:\n  'echo' 'a'; 'git' 'status'\n")
  expect((await permit(...bash('f() { ls; }'))).output).toContain(
    '\nRuns as written: defines a function\n',
  )
})

test('shows invisible characters', async () => {
  const { output } = await permit(...bash('echo \u202eok\u0007'))
  for (const unseen of ['\u202e', '\u0007']) expect(output).not.toContain(unseen)
  expect(output).toContain('\\u202e')
})

test.each([
  ['no tool', [], 2, 'No tool and no arguments'],
  ['no JSON', ['Bash', 'git status'], 2, 'The arguments must be a JSON object'],
  ['a list', ['Bash', '[1]'], 2, 'must be a JSON object, not a list'],
  ['a mode that does not exist', ['Bash', '{}', '--mode', 'yolo'], 2, 'default, acceptEdits'],
])('reports %s', async (_, words, code, error) => {
  const outcome = await permit(...words)
  expect(outcome.code).toBe(code)
  expect(outcome.errors).toContain(error)
})

test('denies every call and reports an invalid rule', async () => {
  const { code, output } = await permit(...bash('git status'), '--deny', 'Raed(.env)')
  expect(code).toBe(1)
  expect(output).toMatch(/^deny .*Raed\(\.env\)/)
})

test('--lint reports rules that differ from their apparent meaning', async () => {
  const { code, output } = await permit('--lint', '--allow', 'Bash(python3:*)', '--deny', 'Bsah')
  expect(code).toBe(1)
  expect(output).toContain('matches too much')
  expect(output).toContain('Unknown tool "Bsah"')
  expect(await permit('--lint', '--allow', 'Bash(git:*)')).toMatchObject({ code: 0 })
})

test('denies and reports a duplicate key', async () => {
  const words = [
    'permit',
    'Bash',
    '{"command":"rm -rf /","command":"git status"}',
    '--allow',
    'Bash',
  ]
  const { code, output } = await startCommand(words)
  expect([code, output]).toEqual([1, expect.stringContaining('The key "command" appears twice')])
  const { output: json } = await startCommand([...words, '--json'])
  expect(JSON.parse(json)).toMatchObject({
    decision: 'deny',
    error: expect.stringContaining('The key "command" appears twice') as string,
    always: [],
  })
})

test.each([
  ['args', '{"id":7,"tool":"Bash","args":{"command":"x","command":"ls"}}', 'command'],
  [
    'what is inside',
    '{"id":7,"tool":"Bash","args":{"command":"ls","x":{"y":[{"z":1,"z":2}]}}}',
    'z',
  ],
  ['the request', '{"tool":"Write","id":7,"tool":"Bash","args":{"command":"ls"}}', 'tool'],
])('denies a duplicate key in %s of a batch, under its id', async (_, line, key) => {
  const next = JSON.stringify({ id: 8, tool: 'Read', args: { file_path: 'x' } })
  const { output } = await startCommand(['permit', '--batch'], { input: `${line}\n${next}\n` })
  const [first, second] = output.trimEnd().split('\n')
  expect(JSON.parse(first!)).toMatchObject({
    id: 7,
    decision: 'deny',
    error: expect.stringContaining(`The key "${key}" appears twice`) as string,
  })
  expect(JSON.parse(second!)).toMatchObject({ id: 8, decision: 'allow' })
})

test('a batch answers each request, including invalid ones', async () => {
  const requests = [
    { id: 1, rules: { allow: ['Bash(git:*)'] }, tool: 'Bash', args: { command: 'git status' } },
    { id: 2, rules: { deny: ['Read(.env'] }, tool: 'Read', args: { file_path: 'x' } },
    { id: 3, tool: 5 },
  ]
  const input = requests.map((request) => JSON.stringify(request)).join('\n')
  const { output } = await startCommand(['permit', '--batch'], { input })
  const answers = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(answers).toMatchObject([
    { id: 1, decision: 'allow', rule: 'Bash(git:*)' },
    { id: 2, decision: 'deny', error: expect.stringContaining('Read(.env') as string },
    { id: 3, error: expect.stringContaining('the name of a tool') as string },
  ])
})
