import { printCall } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../model/chat-message.ts'
import { type Disk, journalOn } from '../../../test/disk.ts'
import { collectEvents } from '../../../test/collect-events.ts'
import { call, scripted, type Scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'
import { type Journal, JournalError } from '../../journal/journal.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { ModelError } from '../../model/model-error.ts'
import type { ModelChunk, ModelRequest } from '../../model/model.ts'
import { defaultLimits } from '../../limits.ts'
import { noFileSystem } from '../state.ts'
import type { RunOptions } from '../options.ts'
import { replay } from './replay.ts'

/**
 * The reply depends only on the conversation. As with a real model, the death of a process has no
 * effect.
 */
const replies: readonly string[] = [
  call('look', { key: 'a' }),
  `${call('put', { value: 'one' })}\n${call('put', { value: 'two' })}`,
  call('look', { key: 'b' }),
  'All done.',
]
const byTurn: Scripted = ({ messages }: ModelRequest) =>
  replies[messages.filter(({ role }) => role === 'assistant').length]!

function once(disk: Disk, effects: string[], fault = {}, more: Partial<RunOptions> = {}) {
  const put = writer(({ value }) => {
    effects.push(value)
    return `put ${value}`
  })
  const journal = journalOn(disk, fault)
  const model = scripted(Array.from({ length: 9 }, () => byTurn))
  const done = collectEvents({
    model,
    tools: [reader(), put],
    prompt: 'Go',
    id: 'run-1',
    journal,
    permissions: { allow: ['put'] },
    ...more,
  })
  return { done, journal, model }
}

async function appendsOfAWholeRun(): Promise<number> {
  const disk: Disk = new Map()
  await once(disk, []).done
  return disk.get('run-1')!.length
}

describe('a process that dies', async () => {
  const appends = await appendsOfAWholeRun()
  const points = Array.from({ length: appends }, (_, at) => at)

  test.each(points.flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const]))(
    'at append %i, %s it is recorded: no record is lost and no step is repeated',
    async (diesAt, when) => {
      const disk: Disk = new Map()
      const effects: string[] = []
      const first = once(disk, effects, { diesAt, when })
      await Promise.race([first.journal.died, first.done])
      const { end, of } = await once(disk, effects).done
      expect(end).toMatchObject({ reason: 'answer', text: 'All done.' })
      // Each effect occurs at most once, and unknown outcomes are reported.
      expect(new Set(effects).size).toBe(effects.length)
      const unknown = of('tool-end').filter(({ outcome }) => outcome.status === 'unknown')
      if (effects.length < 2) expect(unknown).toHaveLength(1)
      for (const { outcome } of unknown) expect(outcome.text).toContain('It is unknown whether')
      // The model is not asked again for a recorded turn.
      const turns = disk.get('run-1')!.filter(({ key }) => /^turn\/\d+$/.test(key))
      expect(turns).toHaveLength(4)
    },
  )

  test('repeatedly, each time it is resumed', async () => {
    const disk: Disk = new Map()
    const effects: string[] = []
    for (let death = 0; death < 5; death++) {
      const { journal, done } = once(disk, effects, { diesAt: 1, when: 'after' })
      await Promise.race([journal.died, done])
    }
    const { end } = await once(disk, effects).done
    expect(end.reason).toBe('answer')
    expect(new Set(effects).size).toBe(effects.length)
  })
})

describe('a journal that fails', async () => {
  const appends = await appendsOfAWholeRun()
  test.each(Array.from({ length: appends }, (_, at) => at))(
    'at append %i: no unrecorded step starts, and the run can be resumed later',
    async (failsAt) => {
      const disk: Disk = new Map()
      const effects: string[] = []
      const { end } = await once(disk, effects, { failsAt }).done
      expect(end).toMatchObject({ reason: 'storage', error: 'There is no space left.' })
      const begun = disk.get('run-1')!.filter(({ kind }) => kind === 'begin').length
      expect(effects.length).toBeLessThanOrEqual(begun)
      const again = await once(disk, effects).done
      expect(again.end.reason).toBe('answer')
      expect(new Set(effects).size).toBe(effects.length)
    },
  )
})

test('in one record fails the following ones, so there are no gaps', async () => {
  const inner = memoryJournal()
  const failing = (key: string): Journal => ({
    ...inner,
    async open(id) {
      const log = await inner.open(id)
      return {
        ...log,
        async appendAll(records) {
          if (records.every((record) => record.key !== key)) return log.appendAll(records)
          await new Promise((resolve) => setTimeout(resolve, 20))
          throw new JournalError('failed', 'The disk is busy.')
        },
      }
    },
  })
  const options = { id: 'run-1', tools: [reader()], prompt: 'Go' }
  const model = scripted([call('look', { key: 'a' }), 'Done.'])
  const { end } = await collectEvents({ ...options, model, journal: failing('turn/0') })
  expect(end.reason).toBe('storage')
  expect((await inner.read('run-1')).map(({ key }) => key)).toEqual(['run'])
  const look = reader()
  const again = scripted([call('look', { key: 'b' }), 'Done.'])
  await collectEvents({ ...options, tools: [look], model: again, journal: inner })
  expect(look.made).toEqual(['b'])
})

test('calls that did not run never run later, even with different limits', async () => {
  const disk: Disk = new Map()
  const put = writer()
  const reply = `${call('put', { value: 'a' })}${call('put', { value: 'b' })}`
  const model = scripted([reply, 'Done.'])
  const options = { id: 'run-1', tools: [put], prompt: 'Go', permissions: { allow: ['put'] } }
  const limited = { ...options, model, limits: { maxToolCalls: 1 }, finalizeOnLimit: false }
  expect((await collectEvents({ ...limited, journal: journalOn(disk) })).end.reason).toBe(
    'max_tool_calls',
  )
  await collectEvents({ ...options, model, journal: journalOn(disk) })
  expect(put.made).toEqual(['a'])
  const ends = [...replay('run-1', disk.get('run-1')!)].flatMap((event) =>
    event.type === 'tool-end' ? [`${event.call} ${event.outcome.status}`] : [],
  )
  expect(ends).toEqual(['turn-0-0 success', 'turn-0-1 not_run'])
})

describe('a run in the journal', () => {
  test('that has its answer does not run again', async () => {
    const disk: Disk = new Map()
    await once(disk, []).done
    const again = once(disk, [])
    expect((await again.done).end).toMatchObject({ reason: 'answer', text: 'All done.' })
    expect(again.model.sent).toEqual([])
  })

  test('continues with a new prompt', async () => {
    const disk: Disk = new Map()
    await once(disk, []).done
    const model = scripted(['Hello again.'])
    const { end } = await once(disk, [], {}, { model, prompt: 'And now?', resume: true }).done
    expect(end.text).toBe('Hello again.')
    expect(model.sent[0]!.slice(-2)).toEqual([
      { role: 'assistant', content: 'All done.' },
      { role: 'user', content: 'And now?' },
    ])
    expect(
      model.sent[0]!.filter(({ content }) => textOf(content).includes('put one')),
    ).toHaveLength(1)
  })

  test('that reached a limit continues with a higher limit', async () => {
    const disk: Disk = new Map()
    const effects: string[] = []
    const limits = { ...defaultLimits, maxIterations: 2 }
    const first = await once(disk, effects, {}, { limits, finalizeOnLimit: false }).done
    expect(first.end.reason).toBe('max_iterations')
    const { end } = await once(disk, effects).done
    expect(end).toMatchObject({ reason: 'answer', text: 'All done.' })
    expect(effects).toEqual(['one', 'two'])
  })

  test.each<[string, readonly string[], Partial<RunOptions>]>([
    ['loop', Array.from({ length: 5 }, () => call('look', { key: 'a' })), {}],
    ['max_tool_calls', replies, { limits: { maxToolCalls: 1 } }],
    ['max_iterations', replies, { limits: { maxIterations: 2 } }],
    ['malformed', Array.from({ length: 3 }, () => '<tool_call>\n{]\n</tool_call>'), {}],
    ['malformed', ['<tool_call>\n{]\n</tool_call>'], { onMalformed: 'fail' }],
    ['model_error', ['', '', '', ''], {}],
  ])('that ended with %s continues with a new prompt', async (reason, script, more) => {
    const disk: Disk = new Map()
    const options = { ...more, finalizeOnLimit: false }
    const first = await once(disk, [], {}, { ...options, model: scripted(script) }).done
    expect(first.end.reason).toBe(reason)
    const again = { ...options, prompt: 'Then just say hello.', resume: true }
    const model = scripted(['Hello.'])
    const { end } = await once(disk, [], {}, { ...again, model }).done
    expect(end).toMatchObject({ reason: 'answer', text: 'Hello.' })
    // Later messages are consistent with it.
    const later = await once(disk, [], {}, { ...again, model: scripted(['Hello again.']) }).done
    expect(later.end.text).toBe('Hello again.')
  })

  test('that reached a limit continues only if resumed explicitly', async () => {
    const disk: Disk = new Map()
    const effects: string[] = []
    const options = { limits: { maxIterations: 2 }, finalizeOnLimit: false }
    await once(disk, effects, {}, options).done
    const { end } = await once(disk, effects, {}, options).done
    expect(end.reason).toBe('max_iterations')
    const model = scripted(['All done.'])
    const { end: last } = await collectEvents({
      ...options,
      model,
      tools: [reader(), writer(() => 'put')],
      journal: journalOn(disk),
      id: 'run-1',
      resume: true,
    })
    expect(last.text).toBe('All done.')
    expect(model.sent[0]!.at(-1)).toEqual({ role: 'user', content: 'Continue.' })
    expect(effects).toEqual(['one', 'two'])
  })

  test('does not run pending calls after a new prompt', async () => {
    const disk: Disk = new Map()
    const stop = new AbortController()
    const effects: string[] = []
    const put = writer(async ({ value }) => {
      effects.push(value)
      stop.abort()
    })
    const options = { tools: [reader(), put], signal: stop.signal }
    const first = await once(disk, effects, {}, options).done
    expect(first.end.reason).toBe('cancelled')
    const model = scripted(['All right.'])
    await once(disk, effects, {}, { model, prompt: 'Leave it.', resume: true }).done
    expect(effects).toEqual(['one'])
    expect(model.sent[0]!.at(-2)!.content).toContain('put was not run')
  })

  test('asks for confirmation if the model has changed', async () => {
    const disk: Disk = new Map()
    await once(disk, [], { diesAt: 3 }).journal.died
    const model = scripted([byTurn, byTurn, byTurn, byTurn], { name: 'another-hermes-3' })
    const no = await once(disk, [], {}, { model }).done
    expect(no.end).toMatchObject({
      reason: 'denied',
      error: expect.stringContaining('the model was scripted-hermes-3 and is another-hermes-3'),
    })
    const yes = await once(disk, [], {}, { model, confirm: async () => true }).done
    expect(yes.end.reason).toBe('answer')
  })

  test('keeps its protocol, which was the default of an unknown model', async () => {
    const journal = memoryJournal()
    const look = reader()
    const tell = (replies: string[], more: Partial<RunOptions>) => {
      const model = scripted(replies, { name: 'odd' })
      const done = collectEvents({ model, tools: [look], journal, id: 'r', ...more })
      return { model, done }
    }
    await tell(['Hello.'], { protocol: 'tool-call', prompt: 'Hi' }).done
    const ask = { prompt: 'Look', resume: true } as const
    const written = printCall('tool-call', { name: 'look', args: { key: 'a' } })
    const again = tell([written, 'Done.'], ask)
    const { end, of } = await again.done
    expect(end).toMatchObject({ reason: 'answer', text: 'Done.' })
    expect(of('warning')).toEqual([])
    expect(of('run-start')).toMatchObject([{ protocol: 'tool-call', resumed: true }])
    expect(look.made).toEqual(['a'])
    expect(again.model.sent[0]![0]!.content).toContain('<TOOL_CALL>')

    const other = await tell(['Done.'], { ...ask, protocol: 'hermes' }).done
    expect(other.end).toMatchObject({
      reason: 'denied',
      error: 'The setup of the run has changed: the protocol was tool-call and is hermes.',
    })
  })

  test('continues with reworded tool descriptions, but asks for confirmation if tools have changed', async () => {
    const disk: Disk = new Map()
    await once(disk, [], { diesAt: 3 }).journal.died
    const more = [reader(), writer(), reader(undefined, { name: 'find' })]
    const other = await once(disk, [], {}, { tools: more }).done
    expect(other.end).toMatchObject({
      reason: 'denied',
      error: expect.stringContaining('The setup of the run has changed: the tools have changed: '),
    })
    const tools = [reader(), writer()].map((tool) => ({ ...tool, description: 'Reworded' }))
    const { end, of } = await once(disk, [], {}, { tools }).done
    expect(of('warning').filter(({ code }) => code === 'changed')).toEqual([])
    expect(end.reason).toBe('answer')
  })

  test('can be stopped while it waits for confirmation', async () => {
    const disk: Disk = new Map()
    await once(disk, [], { diesAt: 3 }).journal.died
    const stop = new AbortController()
    const confirm = (): Promise<boolean> => {
      stop.abort()
      return new Promise(() => {})
    }
    const model = scripted([], { name: 'another-hermes-3' })
    const { end } = await once(disk, [], {}, { model, confirm, signal: stop.signal }).done
    expect(end.reason).toBe('cancelled')
  })

  test('asks for confirmation in another folder, because its pending calls belong to the first', async () => {
    const disk: Disk = new Map()
    const effects: string[] = []
    await once(disk, effects, { diesAt: 3 }).journal.died
    const before = effects.length
    const fileSystem = { ...noFileSystem, cwd: '/elsewhere' }
    const no = await once(disk, effects, {}, { fileSystem }).done
    expect(no.end).toMatchObject({
      reason: 'denied',
      error: expect.stringContaining('the working directory was / and is /elsewhere'),
    })
    expect(effects).toHaveLength(before)
    const yes = await once(disk, effects, {}, { fileSystem, confirm: async () => true }).done
    expect(yes.end.reason).toBe('answer')
  })

  test('is rejected if it is open elsewhere', async () => {
    const disk: Disk = new Map()
    const journal = journalOn(disk)
    await journal.open('run-1')
    const { end } = await once(disk, [], {}, { journal }).done
    expect(end).toMatchObject({ reason: 'storage', error: 'run-1 is open.' })
  })
})

describe('the state of a run before it was killed', () => {
  const page = 'lorem ipsum '.repeat(120)
  test('includes a history shortened after an overflow', async () => {
    const overflow = new ModelError('context_overflow', 'Too long.')
    const looks = ['a', 'b', 'c', 'd', 'e'].map((key) => call('look', { key }))
    const script = [...looks, overflow, 'A summary.', call('look', { key: 'f' }), 'Done.']
    const options = () => ({
      tools: [reader(({ key }) => `${key} ${page}`)],
      prompt: 'Go',
      id: 'run-1',
    })
    const whole = scripted(script)
    await collectEvents({ ...options(), model: whole, journal: journalOn(new Map()) })
    const disk: Disk = new Map()
    // The process dies after recording the turn that followed the overflow.
    const journal = journalOn(disk, { diesAt: 13, when: 'after' })
    const first = collectEvents({ ...options(), model: scripted(script), journal })
    await Promise.race([journal.died, first])
    expect(disk.get('run-1')!.at(-1)!.key).toBe('turn/5')
    const model = scripted(script.slice(8))
    await collectEvents({ ...options(), model, journal: journalOn(disk) })
    expect(model.sent).toEqual(whole.sent.slice(8))
  })

  test('includes the list of tasks in the summary', async () => {
    const todo = { content: 'walk the dog', status: 'pending', activeForm: 'walking' } as const
    const plan = reader(
      (_, context) => (context.progress({ type: 'todo', todos: [todo] }), 'planned'),
      {
        name: 'plan',
      },
    )
    const look = reader(({ key }) => `${key} ${page}`)
    const looks = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => `${page}${call('look', { key })}`)
    const script = (): Scripted[] => [call('plan', { key: 'x' }), ...looks, 'A summary.', 'Done.']
    const disk: Disk = new Map()
    const options = { tools: [plan, look], prompt: 'Go', id: 'run-1' }
    const first = scripted(script(), { contextTokens: 3000 })
    const journal = journalOn(disk, { diesAt: 6, when: 'after' })
    await Promise.race([journal.died, collectEvents({ ...options, model: first, journal })])
    const model = scripted(script().slice(first.sent.length), { contextTokens: 3000 })
    await collectEvents({ ...options, model, journal: journalOn(disk) })
    expect(JSON.stringify(model.sent.at(-1))).toContain('walk the dog')
  })
})

describe('a prompt for a run in the journal', () => {
  const options = { id: 'run-1', prompt: 'One?' }

  test('is rejected without resume, and the run is unchanged', async () => {
    const journal = memoryJournal()
    await collectEvents({ ...options, journal, model: scripted(['First.']) })
    const before = await journal.read('run-1')
    const refused = collectEvents({
      ...options,
      prompt: 'Two?',
      journal,
      model: scripted(['Second.']),
    })
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(JournalError)
    expect(error).toMatchObject({
      problem: 'ended',
      message: expect.stringMatching(/resume: true.*another id/) as string,
    })
    expect(await journal.read('run-1')).toEqual(before)
    const resumed = { ...options, prompt: 'Two?', journal, model: scripted(['Second.']) }
    expect((await collectEvents({ ...resumed, resume: true })).end.text).toBe('Second.')
  })

  test('is accepted if it is the original prompt', async () => {
    const journal = memoryJournal()
    await collectEvents({ ...options, journal, model: scripted(['First.']) })
    const { end } = await collectEvents({ ...options, journal, model: scripted([]) })
    expect(end.text).toBe('First.')
  })
})

describe('a reply that was cut off', () => {
  const half = async function* (stop: () => void): AsyncIterable<ModelChunk> {
    yield { type: 'text', delta: 'Half an ' }
    stop()
    await new Promise(() => {})
  }

  async function cutOff(journal: Journal): Promise<void> {
    const stopped = new AbortController()
    const { end } = await collectEvents({
      id: 'run-1',
      journal,
      tools: [reader()],
      prompt: 'Go',
      signal: stopped.signal,
      model: scripted([
        `Looking. ${call('look', { key: 'a' })}`,
        () => half(() => stopped.abort()),
      ]),
    })
    expect(end).toMatchObject({ reason: 'cancelled', unfinished: 'Half an ' })
  }

  test('is continued, and each turn is sent and recorded once', async () => {
    const journal = memoryJournal()
    await cutOff(journal)
    const model = scripted(['answer.'])
    const options = { id: 'run-1', journal, tools: [reader()], model, resume: true }
    expect((await collectEvents(options)).end).toMatchObject({ reason: 'answer', text: 'answer.' })
    const said = model.sent[0]!.map(({ role, content }) => [role, textOf(content)])
    expect(said.slice(-2)).toEqual([
      ['assistant', 'Half an '],
      ['user', expect.stringContaining('Continue it exactly where it stopped')],
    ])
    expect(said.filter(([, text]) => text!.includes('Looking.'))).toHaveLength(1)
    const keys = (await journal.read('run-1')).map(({ key }) => key)
    expect(keys.filter((key) => /^turn\/\d+$/.test(key))).toEqual(['turn/0', 'turn/1'])
  })

  test('stays in the conversation if a message follows', async () => {
    const journal = memoryJournal()
    await cutOff(journal)
    const model = scripted(['Fine.'])
    const options = { id: 'run-1', journal, tools: [reader()], model, resume: true }
    await collectEvents({ ...options, prompt: 'Shorter, please.' })
    expect(model.sent[0]!.slice(-2)).toEqual([
      { role: 'assistant', content: 'Half an ' },
      { role: 'user', content: 'Shorter, please.' },
    ])
  })
})
