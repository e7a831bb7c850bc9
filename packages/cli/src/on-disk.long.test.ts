import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { JournalRecord } from '@toolglot/agent/journal'
import { openJournal, userDirectories } from '@toolglot/workspace'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { openTerminal } from '../test/pseudo-terminal.ts'
import { binary } from '../test/spawn-command.ts'
import { type StartOptions, type CommandResult, startCommand } from '../test/start-command.ts'
import {
  batchSince01,
  liveEventsSince01,
  type PrintedEvent,
  replayedEventsSince01,
  samplesSince01,
  withoutAdditions,
  withoutNewTypes,
} from '../test/since-0.1.ts'
import { sayingCounted, talkingServer } from '../test/talking-server.ts'
import { lacks } from '../../../tests/helpers/abilities.ts'

const noTerminal = await lacks('script')

/**
 * Files that version 0.1 wrote, and what it printed. Users have such files and programs read such output, so a failure
 * here is a bug in the code: these files never change. Later versions may add fields; what was changed on purpose is
 * listed in `test/since-0.1.ts`.
 */
const fixtures = fileURLToPath(new URL('../test/fixtures/on-disk-0.1', import.meta.url))
/** The folder in which they were written. */
const RECORDED = '/tmp/toolglot-fixture'

const read = (...path: string[]): string => readFileSync(join(fixtures, ...path), 'utf8')
const golden = <Value>(name: string): Value => JSON.parse(read('golden', name)) as Value
const linesOf = (text: string): PrintedEvent[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PrintedEvent)

interface Scene {
  readonly prompt: string
  readonly words?: readonly string[]
  readonly answers?: readonly string[]
  readonly replies: readonly string[]
}

const names = golden<Readonly<Record<string, string>>>('runs.json')

interface Restored {
  readonly base: string
  readonly home: string
  readonly work: string
  readonly start: (words: readonly string[], more?: StartOptions) => Promise<CommandResult>
}

/** A copy of the files in a temporary folder, which takes the place of the recorded one. */
function restore(): Restored {
  const base = folderOf()
  for (const name of ['home', 'project', 'work'])
    cpSync(join(fixtures, name), join(base, name), { recursive: true })
  for (const folder of ['other', 'home/shared']) mkdirSync(join(base, folder))
  const home = join(base, 'home')
  const state = join(home, '.local/state/toolglot')
  const trust = join(home, '.config/toolglot/trust.json')
  const changes = readdirSync(join(state, 'checkpoints/runs'))
  moveTo(base, trust)
  for (const name of changes) moveTo(base, join(state, 'checkpoints/runs', name))
  // Git does not keep this, and what others can write is not trusted.
  for (const file of [trust, join(state, 'journal.sqlite')]) chmodSync(file, 0o600)
  const work = join(base, 'work')
  return {
    base,
    home,
    work,
    start: (words, more = {}) =>
      startCommand(words, { cwd: work, ...more, env: { HOME: home, NO_COLOR: '1', ...more.env } }),
  }
}

/**
 * Puts another folder in the place of the recorded one. A digest of trusted settings covers their paths, so it is made
 * again from the recorded text that was hashed, never by the code under test.
 */
function moveTo(base: string, file: string): void {
  let text = readFileSync(file, 'utf8').replaceAll(RECORDED, base)
  for (const name of ['trusted.json', 'trusted-with-claude.json']) {
    const shown = read(name)
    text = text.replace(sha256(shown), sha256(shown.replaceAll(RECORDED, base)))
  }
  writeFileSync(file, text)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

test('the recorded digests are those of the recorded texts', () => {
  const store = JSON.parse(read('home/.config/toolglot/trust.json')) as object
  const digests = [read('trusted-with-claude.json'), read('trusted.json')].map(sha256)
  expect(store).toMatchObject({ folders: [{ folder: `${RECORDED}/project`, digests }] })
})

test('the comparison with version 0.1 accepts what is added, and nothing else', () => {
  const before = [{ type: 'text', at: { turn: 1 } }, { type: 'end' }]
  const same = (value: unknown): boolean =>
    isDeepStrictEqual(withoutAdditions(value, before), before)
  expect(same([{ type: 'text', at: { turn: 1, time: 2 }, seq: 0 }, { type: 'end' }])).toBe(true)
  expect(same([{ type: 'text', at: { turn: 2 } }, { type: 'end' }])).toBe(false)
  expect(same([{ type: 'text', at: { number: 1 } }, { type: 'end' }])).toBe(false)
  expect(same([{ type: 'text', at: null }, { type: 'end' }])).toBe(false)
  expect(same([{ type: 'end' }, { type: 'text', at: { turn: 1 } }])).toBe(false)
  expect(same([{ type: 'text', at: { turn: 1 } }])).toBe(false)
  expect(same([...before, { type: 'more' }])).toBe(false)
})

describe('the journal', () => {
  test('lists its runs with their states', async () => {
    const { start } = restore()
    const { output } = await start(['runs', '--json'])
    const listed = JSON.parse(output) as { run: string; name: string; state: string }[]
    expect(Object.fromEntries(listed.map(({ name, run }) => [name, run]))).toEqual(names)
    expect(Object.fromEntries(listed.map(({ name, state }) => [name, state]))).toEqual({
      answered: 'finished',
      approved: 'finished',
      asked: 'finished',
      native: 'finished',
      interrupted: 'interrupted',
      waiting: 'waiting',
    })
    const shown = await start(['runs'])
    for (const name of Object.keys(names)) expect(shown.output).toContain(name)
  })

  test.each(Object.keys(names))('replays %s', async (name) => {
    const { start } = restore()
    const told = await start(['replay', name, '--json'])
    expect(told).toMatchObject({ code: 0, errors: '' })
    expectReplay(told.output, name)
    const shown = await start(['replay', name])
    expect(shown).toMatchObject({ code: 0, errors: '' })
    const key = read('golden', `replay-${name}.txt`)
      .split('\n')
      .filter((line) => /^(›|→|It is|You |Written|I found)/.test(line))
    expect(key).not.toEqual([])
    for (const line of key) expect(shown.output).toContain(line)
  })

  test('exports and imports a run', async () => {
    const exported = read('exported.jsonl')
    const { output: again } = await restore().start(['runs', 'export', 'approved'])
    expect(linesOf(again)).toEqual(linesOf(exported))
    const env = { HOME: folderOf() }
    expect(await startCommand(['runs', 'import'], { env, input: exported })).toMatchObject({
      code: 0,
      errors: '',
    })
    const { output } = await startCommand(['replay', 'last', '--json'], { env })
    expectReplay(output, 'approved')
  })

  test('resumes a run that was killed in a tool, and reports that call', async () => {
    const { start, work } = restore()
    const { model, messages } = await talkingServer('I do not know.')
    const words = ['run', '-m', model, '--resume', 'interrupted', '--json']
    // The folder is another one, so it asks whether to continue.
    const { code, output } = await start(words, { answer: 'y' })
    expect(code).toBe(0)
    const seen = linesOf(output)
    expect(seen).toContainEqual(expect.objectContaining({ type: 'warning', code: 'interrupted' }))
    expect(seen.filter(({ type }) => type === 'tool-end')).toMatchObject([
      { name: 'Bash', outcome: { status: 'unknown' } },
    ])
    expect(messages(0).at(-1)!.content).toContain('Bash')
    expect(seen.at(-1)).toMatchObject({ reason: 'answer', text: 'I do not know.' })
    expect(readFileSync(join(work, 'times'), 'utf8')).toBe('began\n')
  })

  test('resumes a run that waits for an approval, which can be given now', async () => {
    const { start, work } = restore()
    const { model, messages } = await talkingServer('Written.')
    const words = ['run', '-m', model, '--resume', 'waiting']
    expect(await start(words, { answer: ['y', 'y'] })).toMatchObject({
      code: 0,
      output: 'Written.\n',
    })
    expect(messages(0).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(readFileSync(join(work, 'late.txt'), 'utf8')).toBe('late\n')
    const { output } = await start(['runs', '--search', 'late', '--json'])
    expect(JSON.parse(output)).toMatchObject([{ state: 'finished', reason: 'answer' }])
  })

  test('lists what a run waits for, which can be answered from elsewhere', async () => {
    const { home, start, work } = restore()
    const { output } = await start(['runs', 'waiting', '--json'])
    const args = { file_path: 'late.txt', content: 'late\n' }
    const run = names['waiting']!
    const key = `turn/0/call/0/approval/${sha256(WAITS_FOR).slice(0, 16)}`
    const asked = { type: 'approval', name: 'waiting', number: 1, run, key, tool: 'Write', args }
    expect(JSON.parse(output)).toMatchObject([asked])
    expect((await start(['runs', 'waiting'])).output).toMatch(
      /^1 {2}→ Write late\.txt\n[^]*toolglot runs answer run-\w+ 1 allow$/m,
    )
    await moveWaitingRun(home, work)
    expect(await start(['runs', 'answer', 'waiting', 'allow'])).toMatchObject({ code: 0 })
    const { model } = await talkingServer('Written.')
    // There is nobody to ask: the answer counts.
    const resumed = await start(['run', '-m', model, '--resume', 'waiting'])
    expect(resumed).toMatchObject({ code: 0, output: 'Written.\n' })
    expect(readFileSync(join(work, 'late.txt'), 'utf8')).toBe('late\n')
  })

  test('continues a finished run', async () => {
    const { start } = restore()
    const { model, messages } = await talkingServer('Bye.')
    const words = ['run', '-m', model, '--resume', 'asked', 'Good bye.']
    expect(await start(words, { answer: 'y' })).toMatchObject({ code: 0, output: 'Bye.\n' })
    const said = messages(0).map(({ content }) => content)
    expect(said[1]).toBe('Ask me, and make a list.')
    expect(said.slice(-4)).toEqual(['You want tea.', 'Thank you.', 'You are welcome.', 'Good bye.'])
  })
})

/** What version 0.1 hashed to identify what the run `waiting` asks: the run, the call, the folder, and its parts. */
const WAITS_FOR = JSON.stringify([
  names['waiting'],
  'turn-0-0',
  'Write',
  { content: 'late\n', file_path: 'late.txt' },
  `${RECORDED}/work`,
  [['write late.txt', 'no rule allows writing it', `${RECORDED}/work/late.txt`]],
])

/** Records the run `waiting` as version 0.1 would have in another folder: an approval holds only where it was asked for. */
async function moveWaitingRun(home: string, folder: string): Promise<void> {
  const move = (text: string): string => text.replaceAll(`${RECORDED}/work`, folder)
  const hash = (text: string): string => sha256(text).slice(0, 16)
  const run = names['waiting']!
  const journal = openJournal(userDirectories({ HOME: home }))
  const records = JSON.stringify(await journal.read(run))
  expect(records).toContain(hash(WAITS_FOR))
  const moved = move(records).replaceAll(hash(WAITS_FOR), hash(move(WAITS_FOR)))
  await journal.remove(run)
  await journal.add({
    run,
    name: 'waiting',
    imported: false,
    records: JSON.parse(moved) as JournalRecord[],
  })
  await journal.close()
}

/** Compares a replay with that of version 0.1. */
function expectReplay(output: string, name: string): void {
  const before = linesOf(read('golden', `replay-${name}.jsonl`))
  const hash = expect.stringMatching(/^[0-9a-f]{16}$/)
  const events = linesOf(output)
  expect(withoutAdditions(events, before)).toEqual(replayedEventsSince01(before, hash))
  // Everything in a replay is recorded.
  expect(events.filter(({ transient }) => transient !== undefined)).toEqual([])
}

describe('the state folder', () => {
  test('an edit is taken back', async () => {
    const { start, work } = restore()
    const { code, output } = await start(['undo', 'answered', '--json'])
    const path = join(work, 'notes.md')
    expect({ code, files: JSON.parse(output) as unknown }).toEqual({
      code: 0,
      files: [{ path, status: 'restored' }],
    })
    expect(readFileSync(path, 'utf8')).toBe('Mind the speling.\n')
  })

  test('a new file is taken back', async () => {
    const { start, work } = restore()
    const path = join(work, 'new.txt')
    expect(existsSync(path)).toBe(true)
    const { output } = await start(['undo', names['approved']!, '--json'])
    expect(JSON.parse(output)).toEqual([{ path, status: 'removed' }])
    expect(existsSync(path)).toBe(false)
  })

  test('todos are shown in a chat', async () => {
    const { start } = restore()
    const words = ['chat', '-m', 'script', '--resume', 'asked']
    const { output } = await start(words, { input: '/todos\n' })
    expect(output).toContain('Boil water')
    expect(output).toContain('Make tea')
  })

  test.skipIf(noTerminal)('earlier prompts are offered in a chat', async () => {
    const { home, work } = restore()
    const chat = openTerminal(['chat', '-m', 'script'], { cwd: work, env: { HOME: home } })
    await chat.until(/› [^]*·/)
    chat.type('\x1b[A')
    await chat.until(/Find \*\.json/)
    chat.type('\x1b[A')
    await chat.until(/What version is it\?/)
    chat.type('\x03\x04')
  })

  test('is found by XDG_STATE_HOME, and the settings by XDG_CONFIG_HOME', async () => {
    const { base, home, start } = restore()
    const env = {
      HOME: folderOf(),
      XDG_STATE_HOME: join(home, '.local/state'),
      XDG_CONFIG_HOME: join(home, '.config'),
    }
    expect((await start(['runs'], { env })).output).toContain('waiting')
    const { output } = await start(['trust', '--list', '--json'], { env })
    expect(JSON.parse(output)).toMatchObject([{ folder: join(base, 'project'), trust: 'trusted' }])
  })
})

interface Command {
  readonly name: string
  readonly words: readonly string[]
  readonly cwd?: string
  /** Where the settings are: `nowhere` for none. */
  readonly home?: string
  readonly input?: string | readonly object[]
  /** It loads protocols of the user, which the tests' own loader cannot do: the built command runs. */
  readonly built?: true
}

interface Printed {
  readonly code: number
  readonly errors: string
  readonly values: readonly unknown[]
}

describe('what programs read', () => {
  const commands = JSON.parse(read('commands.json')) as Command[]
  const printed = golden<Readonly<Record<string, Printed>>>('commands.json')

  test.each(commands)('$name', async ({ name, words, cwd = 'project', home = 'home', ...how }) => {
    const { base, start } = restore()
    const { input } = how
    const text =
      typeof input === 'object' ? input.map((line) => `${JSON.stringify(line)}\n`).join('') : input
    const where = { cwd: join(base, cwd), env: { HOME: join(base, home) } }
    const given = { ...where, ...(text !== undefined && { input: text }) }
    const { code, output, errors } = how.built
      ? startBuilt(words, given)
      : await start(words, given)
    const before = printed[name]!
    const values = valuesIn(output.replaceAll(base, RECORDED))
    expect({ code, errors }).toEqual({ code: before.code, errors: before.errors })
    if (name in FACTS) expect(FACTS[name]!(values[0])).toEqual(FACTS[name]!(before.values[0]))
    else {
      // Later versions say more about a run (its folder, protocol, owner, usage and origin) and a decision (the text to run).
      const hasMore = words[0] === 'runs' || words[0] === 'permit'
      const same = hasMore ? withoutAdditions(values, before.values) : values
      const known = name === 'parse-batch' ? batchSince01(before.values) : before.values
      expect(masked(same)).toEqual(masked(samplesSince01(known)))
    }
  })

  test.each(['answered', 'approved', 'asked'])('the events of run --json: %s', async (name) => {
    const {
      prompt,
      words = [],
      answers,
      replies,
    } = golden<Record<string, Scene>>('scenes.json')[name]!
    const { start, work } = restore()
    writeFileSync(join(work, 'notes.md'), 'Mind the speling.\n')
    rmSync(join(work, 'new.txt'))
    const { model } = await talkingServer(...replies.map(sayingCounted))
    const { output } = await start(['run', '--json', '-m', model, ...words, prompt], {
      ...(answers && { answer: answers }),
    })
    const before = shapesOf(liveEventsSince01(linesOf(read('golden', `live-${name}.jsonl`))))
    const now = shapesOf(withoutNewTypes(linesOf(output)))
    expect(withoutAdditions(now, before)).toEqual(before)
  })
})

function startBuilt(
  words: readonly string[],
  { cwd, env, input = '' }: StartOptions,
): CommandResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...words], {
    cwd,
    env: { ...process.env, ...env },
    input,
    encoding: 'utf8',
  })
  return { code: status ?? -1, output: stdout, errors: stderr }
}

/** One value, one value per line, or several over many lines. */
function valuesIn(text: string): unknown[] {
  const texts = /^[[{]\n/.test(text)
    ? text.trimEnd().split(/(?<=^[\]}])\n/m)
    : text.trimEnd().split('\n')
  return texts.map((each) => JSON.parse(each) as unknown)
}

/** Text for people, whose wording may change, and random ids. */
const WORDS = ['why', 'says', 'advice', 'about', 'message', 'hint', 'problem', 'error', 'expected']
const RANDOM = /^[a-z0-9]{9}$/

function masked(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => masked(each, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, masked(each, name)]),
    )
  if (typeof value !== 'string') return value
  if (key === 'description' || key === 'problems') return '…'
  if (key === 'id' && RANDOM.test(value)) return 'random'
  // One word is a code.
  return WORDS.includes(key) && value.includes(' ') ? '…' : value
}

/** What depends on the machine is compared only by its keys. */
const FACTS: Readonly<Record<string, (value: unknown) => unknown>> = {
  models(value) {
    const { servers, ...rest } = value as { servers: { id: string }[] }
    return masked({ ...rest, servers: servers.map((each) => [each.id, Object.keys(each)]) })
  },
  doctor(value) {
    const checks = value as { name: string; status: string }[]
    expect(['ok', 'missing', 'warning', 'broken']).toEqual(
      expect.arrayContaining(checks.map(({ status }) => status)),
    )
    // Added since version 0.1.
    const added = ['own code', 'server']
    return [...new Set(checks.map(({ name }) => name))].filter((name) => !added.includes(name))
  },
  // Which names of models are known grows, and so does the number of ways of writing that sorts explanations.
  protocols: withoutNames,
  'protocols-model': withoutNames,
  'parse-explain'(value) {
    const explanations = value as { protocol: string; furthest?: { expected: string } }[]
    return explanations
      .map(({ furthest, ...rest }) => ({ ...rest, stopped: furthest !== undefined }))
      .sort((a, b) => (a.protocol < b.protocol ? -1 : 1))
  },
}

function withoutNames(value: unknown): unknown {
  const listed = value as { models: readonly string[] }[]
  return masked(listed.map(({ models, ...rest }) => ({ ...rest, models: Array.isArray(models) })))
}

/** The keys of each kind of event, and the values that programs compare, in order; what comes in pieces is one. */
function shapesOf(events: readonly PrintedEvent[]): unknown[] {
  const whole = events.filter(
    ({ type }, at) => !IN_PIECES.includes(type) || type !== events[at - 1]?.type,
  )
  return whole.map((event) => shapeOf(event))
}

const IN_PIECES = ['text', 'reasoning', 'call-delta', 'tool-progress']

const COMPARED = ['type', 'status', 'reason', 'verdict', 'error_type', 'code', 'name', 'protocol']

function shapeOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shapeOf(each, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, shapeOf(each, name)]),
    )
  return COMPARED.includes(key) && !String(value).includes(' ') ? value : typeof value
}
