import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import type { Unset } from '../../../../tests/helpers/unset.ts'
import { collectEvents } from '../../test/collect-events.ts'
import { call, scripted } from '../../test/scripted.ts'
import { reader } from '../../test/tools.ts'
import {
  collect,
  cycle,
  type CycleOptions,
  type RunEvent,
  type RunOptions,
  tool,
  turn,
  type TurnOptions,
} from '../index.ts'
import { journalStatistics } from '../journal/statistics/journal-statistics.ts'
import { sqliteJournal } from '../node/journal/sqlite-journal.ts'
import { cacheResults } from '../registry/cache-results.ts'
import { createRegistry } from '../registry/create-registry.ts'
import { retryTools } from '../registry/retry-tools.ts'
import type { GivenCall } from '../run/cycle.ts'
import { replay } from '../run/resume/replay.ts'

const request = {
  ...{ protocol: undefined, toolsIn: undefined, toolChoice: undefined, prefill: undefined },
  ...{ grammar: undefined, responseFormat: undefined, temperature: undefined, topP: undefined },
  ...{ seed: undefined, maxOutputTokens: undefined, stop: undefined, body: undefined },
  ...{ stopAtFirstCall: undefined, resultRole: undefined, alternate: undefined },
  ...{ parser: undefined, telemetry: undefined, signal: undefined, limits: undefined },
  ...{ prompt: undefined, system: undefined, messages: undefined },
}
const calls = {
  ...{ tools: undefined, registry: undefined, cacheResults: undefined, retryTools: undefined },
  ...{ permissions: undefined, fileSystem: undefined, approve: undefined, remember: undefined },
  ...{ ask: undefined, duplicates: undefined, untrusted: undefined },
}
const ofRun: Unset<RunOptions> = {
  ...request,
  ...calls,
  ...{ journal: undefined, id: undefined, resume: undefined, release: undefined, fork: undefined },
  ...{ onWait: undefined, given: undefined, log: undefined, takeover: undefined, owner: undefined },
  ...{ attended: undefined, version: undefined, confirm: undefined, whenChanged: undefined },
  ...{ onMalformed: undefined, finalizeOnLimit: undefined },
}
const ofTurn: Unset<TurnOptions> = {
  ...request,
  ...{ tools: undefined, registry: undefined, retryReplies: undefined },
}
const ofCycle: Unset<CycleOptions> = {
  ...calls,
  ...{ messages: undefined, protocol: undefined, id: undefined, limits: undefined },
  ...{ telemetry: undefined, signal: undefined },
}
const ofCall: Unset<GivenCall> = {
  ...{ modelId: undefined, id: undefined, argsMissing: undefined, protocol: undefined },
  ...{ reasoning: undefined, complete: undefined, repairs: undefined, details: undefined },
  ...{ inReasoning: undefined, fenced: undefined, markerless: undefined, raw: undefined },
  ...{ afterMalformed: undefined, afterResult: undefined, otherProtocol: undefined },
  span: undefined,
}

const look = call('look', { key: 'a' })

/** The events without times, run ids and call ids. */
const plain = (events: readonly RunEvent[]): unknown =>
  JSON.parse(JSON.stringify(events), (key, value: unknown) =>
    /^(?:time|started|run|duration|firstToken|id|call|key|span|approval)$/i.test(key)
      ? undefined
      : value,
  )

test('run() ignores undefined options', async () => {
  const eventsOf = async (options: Partial<RunOptions>): Promise<unknown> => {
    const model = scripted([look, 'Done.'])
    const { events } = await collectEvents({ ...options, model, tools: [reader()], prompt: 'Go' })
    return plain(events)
  }
  expect(await eventsOf(ofRun)).toEqual(await eventsOf({}))
})

test('turn() ignores undefined options', async () => {
  const resultOf = async (options: Partial<TurnOptions>): Promise<object> => {
    const model = scripted([look])
    const given = { ...options, model, tools: [reader()], prompt: 'Go' }
    const { text, calls: made, prompt } = await collect(turn(given))
    return { text, names: made.map(({ name, args }) => ({ name, args })), prompt }
  }
  expect(await resultOf(ofTurn)).toEqual(await resultOf({}))
})

test.each([
  ['a call', { calls: [{ ...ofCall, name: 'look', args: { key: 'a' } }] }],
  [
    'a reply',
    {
      ...{ text: undefined, reasoning: undefined, segments: undefined, malformed: undefined },
      ...{ message: undefined, protocol: undefined, content: undefined },
      calls: [{ ...ofCall, name: 'look', args: { key: 'a' }, id: 'mine' }],
    },
  ],
])('treats undefined members of %s of cycle() as missing', async (_name, given) => {
  const reply = given as CycleOptions['reply']
  const { message, unreadable } = await collect(cycle({ ...ofCycle, reply, tools: [reader()] }))
  expect(message.results).toMatchObject([{ output: 'value of a', status: 'success' }])
  expect(unreadable).toBe(0)
  if ('text' in given) expect(message.results[0]!.call.id).toBe('mine')
})

test('treats an undefined access as missing', () => {
  const given = { name: 'look', description: '', parameters: {}, execute: () => '' }
  expect(tool({ ...given, access: undefined, readOnly: undefined }).access).toEqual({})
  expect(tool({ ...given, access: undefined, readOnly: true }).access.readOnly).toBe(true)
})

test('a registry ignores undefined settings', async () => {
  const none = { tools: undefined, toolToggles: undefined, enabled: undefined, mode: undefined }
  const registry = createRegistry([reader()], none)
  registry.configure(none)
  const empty = createRegistry([reader()])
  expect(registry.definitions()).toEqual(empty.definitions())
  expect(registry.resolved).toEqual(empty.resolved)
  registry.use(cacheResults({ ttl: undefined, maxEntries: undefined, maxBytes: undefined }))
  registry.use(retryTools({ retries: undefined, delay: undefined }))
  const reply = { calls: [{ name: 'look', args: { key: 'a' } }] }
  const { message } = await collect(cycle({ reply, registry }))
  expect(message.results).toMatchObject([{ output: 'value of a' }])
})

test('journals ignore undefined options', async () => {
  const file = `${folderOf()}/journal.db`
  const journal = sqliteJournal({ file, retention: undefined, warn: undefined })
  const model = scripted(['Done.'])
  await collectEvents({ model, prompt: 'Go', journal, id: 'a' })
  const statistics = await journalStatistics(journal, {
    ...{ since: undefined, only: undefined, limit: undefined, search: undefined },
    ...{ owner: undefined, folder: undefined, cache: undefined, signal: undefined },
  })
  expect(statistics).toEqual(await journalStatistics(journal))
  expect(statistics).toMatchObject({ runs: 1 })
  await journal.close()
})

test('live events equal replayed ones, including undefined members', async () => {
  const journal = sqliteJournal({ file: `${folderOf()}/journal.db` })
  const model = scripted([look, 'Done.'])
  const given = { model, tools: [reader()], prompt: 'Go', journal, id: 'a' }
  const { events } = await collectEvents(given)
  const replayed = [...replay('a', await journal.read('a'))]
  const recorded = events.filter(({ transient }) => !transient)
  const seqs = new Set(recorded.map(({ seq }) => seq))
  expect(recorded).toStrictEqual(replayed.filter(({ seq }) => seqs.has(seq)))
  await journal.close()
})
