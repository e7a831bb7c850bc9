import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Disk, journalOn, type DiskFault } from '../../../test/disk.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { writer } from '../../../test/tools.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import type { Tool, Verification } from '../../tool/tool.ts'
import { cycle } from '../cycle.ts'
import { drive } from '../drive.ts'
import type { RunEvent } from '../event.ts'
import { replay } from '../resume/replay.ts'
import { runs } from '../../../../../tests/helpers/size.ts'

const allow = { allow: ['put'] }

/** A service that remembers the keys it has received. */
class Service {
  readonly done = new Map<string, string>()

  tool(verify?: Tool['verify']): Tool {
    return writer(({ value }, { idempotencyKey }) => {
      const key = idempotencyKey!
      if (this.done.has(key)) throw new Error(`${key} was sent twice.`)
      this.done.set(key, value)
      return `put ${value}`
    }, verify && { verify })
  }

  readonly verify: NonNullable<Tool['verify']> = ({ value }, { idempotencyKey }) =>
    this.done.has(idempotencyKey!)
      ? { status: 'done', result: `put ${String(value)}` }
      : { status: 'not-done' }
}

/**
 * Executes a run in a process that may die. Its answer consists of the results that the model has
 * read.
 */
async function execute(disk: Disk, tool: Tool, fault?: DiskFault): Promise<RunEvent[]> {
  const journal = journalOn(disk, fault)
  const events: RunEvent[] = []
  const known = (await journal.read('a')).filter(({ key }) => /^turn\/\d+$/.test(key)).length
  const replies = [call('put', { value: 'x' }), call('put', { value: 'y' }), 'Done.']
  const driven = drive({
    id: 'a',
    journal,
    model: scripted(replies.slice(known)),
    tools: [tool],
    prompt: 'Go',
    permissions: allow,
    onEvent: (event) => events.push(event),
  })
  await Promise.race([journal.died, driven])
  return events
}

const outcomes = (disk: Disk): unknown[] =>
  [...replay('a', disk.get('a')!)]
    .filter((event) => event.type === 'tool-end')
    .map(({ outcome }) => [outcome.status, outcome.text])

describe('a tool that can check if a call was done', () => {
  test('is asked: wherever processes die, each call is made once, and no outcome is unknown', async () => {
    const dying = fc.array(
      fc.record({ diesAt: fc.nat(8), when: fc.constantFrom('before' as const, 'after' as const) }),
      { maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(dying, async (deaths) => {
        const disk: Disk = new Map()
        const service = new Service()
        const tool = service.tool(service.verify)
        for (const death of deaths) await execute(disk, tool, death)
        await execute(disk, tool)
        expect([...service.done.values()].sort()).toEqual(['x', 'y'])
        expect(outcomes(disk)).toEqual([
          ['success', 'put x'],
          ['success', 'put y'],
        ])
      }),
      runs(100),
    )
  })

  test('gets the same key in every process and reports the outcome', async () => {
    const disk: Disk = new Map()
    const service = new Service()
    // The process dies before the outcome of the first call is recorded.
    await execute(disk, service.tool(service.verify), { diesAt: 3, when: 'before' })
    expect([...service.done.keys()]).toEqual(['a/turn/0/call/0'])
    const events = await execute(disk, service.tool(service.verify))
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({
      outcome: { status: 'success', text: 'put x', verified: true },
    })
    expect(events.filter(({ type }) => type === 'warning')).toEqual([])
  })

  test('runs an undone call again, after recording the restart', async () => {
    const disk: Disk = new Map()
    const service = new Service()
    // The process dies after recording the start of the first call, and again when the call
    // restarts.
    await execute(disk, service.tool(service.verify), { diesAt: 2, when: 'after' })
    expect(service.done.size).toBe(0)
    await execute(disk, service.tool(service.verify), { diesAt: 0, when: 'after' })
    expect(service.done.size).toBe(0)
    const events = await execute(disk, service.tool(service.verify))
    expect(events.find(({ type }) => type === 'warning')).toMatchObject({
      code: 'run_again',
      message: 'put was not done when the run was interrupted, so it will run again.',
    })
    const begun = disk.get('a')!.filter(({ kind }) => kind === 'begin')
    expect(begun.map(({ key }) => key)).toEqual([
      'turn/0/call/0',
      'turn/0/call/0/again/0',
      'turn/0/call/0/again/1',
      'turn/1/call/0',
    ])
    // A replay yields the same events.
    const recorded = [...replay('a', disk.get('a')!)].filter(({ type }) => type === 'warning')
    expect(recorded).toHaveLength(2)
  })

  const silent: [string, Tool['verify']][] = [
    ['it does not know', () => ({ status: 'unknown' })],
    ['it fails', () => Promise.reject(new Error('The service is down.'))],
    ['it returns an unknown status', () => ({ status: 'maybe' }) as unknown as Verification],
    ['there is no way to ask', undefined],
  ]
  test.each(silent)(
    '%s: the outcome is unknown, and the call does not run again',
    async (_, verify) => {
      const disk: Disk = new Map()
      const service = new Service()
      await execute(disk, service.tool(verify), { diesAt: 2, when: 'after' })
      await execute(disk, service.tool(verify))
      expect([...service.done.values()]).toEqual(['y'])
      expect(outcomes(disk)).toMatchObject([
        ['unknown', expect.stringContaining('It is unknown whether put finished')],
        ['success', 'put y'],
      ])
    },
  )

  test('is asked about a call that a new prompt has made unnecessary', async () => {
    const disk: Disk = new Map()
    const service = new Service()
    const tool = service.tool(service.verify)
    await execute(disk, tool, { diesAt: 2, when: 'after' })
    const journal = journalOn(disk)
    const model = scripted(['Stopped.'])
    const options = { id: 'a', journal, model, tools: [tool], permissions: allow }
    await drive({ ...options, prompt: 'Never mind', resume: true })
    expect(service.done.size).toBe(0)
    expect(outcomes(disk)).toEqual([['cancelled', 'put was not run.']])
  })
})

test('outside of a run, calls have no lasting key', async () => {
  const keys: unknown[] = []
  const put = writer((_, { idempotencyKey }) => keys.push(idempotencyKey))
  const reply = { calls: [{ name: 'put', args: { value: 'x' } }] }
  for await (const _ of cycle({ id: 'a', reply, tools: [put], permissions: allow }));
  expect(keys).toEqual([undefined])
  const journal = memoryJournal()
  const model = scripted([call('put', { value: 'x' }), 'Done.'])
  await drive({ id: 'a', journal, model, tools: [put], prompt: 'Go', permissions: allow })
  expect(keys).toEqual([undefined, 'a/turn/0/call/0'])
})
