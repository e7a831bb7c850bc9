import { canonicalTools } from '@toolglot/permissions'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { collectEvents } from '../../test/collect-events.ts'
import { call, scripted } from '../../test/scripted.ts'
import { reader, writer } from '../../test/tools.ts'
import type { Journal } from '../journal/journal.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { tool, type Tool } from '../tool/tool.ts'
import type { RunEvent } from './event.ts'
import { follow, replay } from './resume/replay.ts'
import { run } from './run.ts'

const never = (): Promise<never> => new Promise(() => {})
const later = (time = 20): Promise<void> => new Promise((resolve) => setTimeout(resolve, time))

async function stateOf(journal: Journal): Promise<string> {
  return (await journal.runs())[0]!.state
}

describe('several pending calls', () => {
  const reply = ['a', 'b', 'c'].map((value) => call('put', { value })).join('\n')

  test('can be answered in any order; they run in their own order', async () => {
    const journal = memoryJournal()
    const put = writer()
    const model = scripted([reply, 'Done.'])
    const options = { id: 'run-1', journal, model, tools: [put], prompt: 'Go', attended: true }
    const keys: string[] = []
    for await (const event of run(options)) {
      if (event.type !== 'approval-request' || keys.push(event.key) < 3) continue
      const waiting = await journal.waiting({ run: 'run-1' })
      expect(waiting.map(({ args }) => String(args['value'])).sort()).toEqual(['a', 'b', 'c'])
      expect(waiting.map(({ key }) => key).sort()).toEqual([...keys].sort())
      const keyOf = (value: string) => waiting.find(({ args }) => args['value'] === value)!.key
      await journal.answer('run-1', keyOf('c'), { verdict: 'allow' })
      await journal.answer('run-1', keyOf('b'), { verdict: 'deny', reason: 'not b' })
      await later()
      expect(put.made).toEqual([])
      await journal.answer('run-1', keyOf('a'), { verdict: 'allow' })
    }
    expect(put.made).toEqual(['a', 'c'])
    expect(model.sent[1]!.at(-1)!.content).toContain('not b')
    expect(await journal.waiting()).toEqual([])
  })

  test('are shown one at a time to the person in this process', async () => {
    let asking = 0
    const put = writer()
    const { of } = await collectEvents({
      model: scripted([reply, 'Done.']),
      tools: [put],
      prompt: 'Go',
      async approve() {
        expect(++asking).toBe(1)
        await later()
        asking--
        return { verdict: 'allow' }
      },
    })
    expect(put.made).toEqual(['a', 'b', 'c'])
    expect(of('approval-request')).toHaveLength(3)
  })

  test('are allowed by "always" if its rules match', async () => {
    const put = writer()
    let asked = 0
    await collectEvents({
      model: scripted([reply, 'Done.']),
      tools: [put],
      prompt: 'Go',
      approve: async () => (asked++, { verdict: 'allow', always: true }),
    })
    expect(asked).toBe(1)
    expect(put.made).toEqual(['a', 'b', 'c'])
  })

  test('are stopped when the person stops the run while another call is running', async () => {
    const put = writer(async (_, { signal }) => {
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    })
    const { end, of } = await collectEvents({
      model: scripted([reply]),
      tools: [put],
      prompt: 'Go',
      async approve({ args }) {
        if (args['value'] === 'a') return { verdict: 'allow' }
        await later()
        return { verdict: 'deny', stop: true }
      },
    })
    expect(end.reason).toBe('denied')
    expect(of('tool-end').map(({ outcome }) => outcome.status)).toEqual([
      'unknown',
      'cancelled',
      'cancelled',
    ])
  })
})

describe('a run that is suspended', () => {
  const reply = `${call('look', { key: 'x' })}${call('put', { value: 'a' })}${call('put', { value: 'b' })}`

  test('needs no process while a person thinks', async () => {
    const journal = memoryJournal()
    const put = writer()
    const look = reader()
    const model = scripted([reply, 'Done.'])
    const options = { id: 'run-1', journal, model, tools: [look, put], prompt: 'Go' } as const
    const first = await collectEvents({ ...options, onWait: 'suspend' })
    const waiting = await journal.waiting()
    expect(first.end).toMatchObject({ reason: 'interrupted', transient: true })
    expect([...first.end.pending!].sort()).toEqual(waiting.map(({ key }) => key).sort())
    expect(waiting).toHaveLength(2)
    expect(look.made).toEqual(['x'])
    expect(await stateOf(journal)).toBe('waiting')

    for (const { key } of waiting) await journal.answer('run-1', key, { verdict: 'allow' })
    expect(await stateOf(journal)).toBe('interrupted')
    const second = await collectEvents({ ...options, onWait: 'suspend' })
    expect(second.end).toMatchObject({ reason: 'answer', text: 'Done.' })
    expect(put.made).toEqual(['a', 'b'])
    expect(look.made).toEqual(['x'])
    expect(await stateOf(journal)).toBe('finished')
  })

  test('can be answered for any process that continues it, even one without an approver', async () => {
    const journal = memoryJournal()
    const put = writer()
    const model = scripted([call('put', { value: 'a' }), call('put', { value: 'b' }), 'Done.'])
    const options = { id: 'run-1', journal, model, tools: [put], prompt: 'Go' } as const
    await collectEvents({ ...options, onWait: 'suspend' })
    const { key } = (await journal.waiting())[0]!
    await journal.answer('run-1', key, { verdict: 'allow' })
    const { of } = await collectEvents(options)
    expect(put.made).toEqual(['a'])
    expect(of('tool-end').map(({ outcome }) => outcome.status)).toEqual(['success', 'denied'])
  })

  test('continues if the answer arrived while another call was running', async () => {
    const journal = memoryJournal()
    const put = writer()
    const look = reader(async () => {
      await vi.waitFor(async () => expect(await journal.waiting()).toHaveLength(1))
      await journal.answer('run-1', (await journal.waiting())[0]!.key, { verdict: 'allow' })
      return 'seen'
    })
    const model = scripted([`${call('look', { key: 'x' })}${call('put', { value: 'a' })}`, 'Done.'])
    const { end } = await collectEvents({
      id: 'run-1',
      journal,
      model,
      tools: [look, put],
      prompt: 'Go',
      onWait: 'suspend',
    })
    expect(end.reason).toBe('answer')
    expect(put.made).toEqual(['a'])
  })

  test('denies calls that were not answered in time, even if it is suspended repeatedly', async () => {
    const journal = memoryJournal()
    const model = scripted([call('put', { value: 'a' }), 'Done.'])
    const options = { id: 'run-1', journal, model, tools: [writer()], prompt: 'Go' } as const
    const limits = { approvalTimeout: 500 }
    const suspended = await collectEvents({ ...options, limits, onWait: 'suspend' })
    expect(suspended.end.reason).toBe('interrupted')
    await later(500)
    const { end, of } = await collectEvents({ ...options, limits, onWait: 'suspend' })
    expect(end.reason).toBe('answer')
    expect(of('tool-end')).toMatchObject([{ outcome: { status: 'denied' } }])
  })

  test('keeps the deadlines of its requests', async () => {
    const journal = memoryJournal()
    const options = { id: 'run-1', journal, tools: [writer()], prompt: 'Go' } as const
    const model = scripted([call('put', { value: 'a' }), 'Done.'])
    const limits = { approvalTimeout: 30 }
    await collectEvents({ ...options, model, limits, onWait: 'suspend' })
    const [waiting] = await journal.waiting()
    const expires = waiting?.type === 'approval' ? waiting.expires! : NaN
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, expires - Date.now()) + 5))
    // Otherwise the time limit would start over.
    const again = { ...options, model, limits: { approvalTimeout: 60_000 }, attended: true }
    const { of } = await collectEvents(again)
    expect(of('tool-end')).toMatchObject([{ outcome: { status: 'denied' } }])
  })
})

describe('a run that is released', () => {
  test('finishes the running tool, starts no new one, and can be continued', async () => {
    const journal = memoryJournal()
    const release = new AbortController()
    const put = writer(async ({ value }, { signal }) => {
      if (value === 'a') release.abort()
      await later()
      expect(signal.aborted).toBe(false)
      return `put ${value}`
    })
    const reply = `${call('put', { value: 'a' })}${call('put', { value: 'b' })}`
    const options = {
      id: 'run-1',
      journal,
      model: scripted([reply, 'Done.']),
      tools: [put],
      prompt: 'Go',
      permissions: { allow: ['put'] },
    }
    const first = await collectEvents({ ...options, release: release.signal })
    expect(first.end).toMatchObject({ reason: 'interrupted' })
    expect(first.end.pending).toBeUndefined()
    expect(put.made).toEqual(['a'])
    expect((await journal.read('run-1')).some(({ key }) => key.startsWith('end/'))).toBe(false)
    const second = await collectEvents(options)
    expect(second.end.reason).toBe('answer')
    expect(put.made).toEqual(['a', 'b'])
    expect(second.of('tool-end')).toMatchObject([{ outcome: { text: 'put b' } }])
  })

  test('finishes the reply in progress', async () => {
    const journal = memoryJournal()
    const release = new AbortController()
    const model = scripted([
      async function* () {
        release.abort()
        await later()
        yield { type: 'text' as const, delta: call('look', { key: 'a' }) }
        yield { type: 'finish' as const, finish: 'stop' as const }
      },
      'Done.',
    ])
    const options = { id: 'run-1', journal, model, tools: [reader()], prompt: 'Go' }
    await collectEvents({ ...options, release: release.signal })
    expect((await journal.read('run-1')).map(({ key }) => key)).toEqual(['run', 'turn/0'])
    expect((await collectEvents(options)).end).toMatchObject({ reason: 'answer', text: 'Done.' })
    expect(model.sent).toHaveLength(2)
  })

  test('does not wait for a person', async () => {
    const journal = memoryJournal()
    const release = new AbortController()
    const put = writer()
    const model = scripted([call('put', { value: 'a' }), 'Done.'])
    const options = { id: 'run-1', journal, model, tools: [put], prompt: 'Go' }
    const first = await collectEvents({
      ...options,
      release: release.signal,
      approve: () => (release.abort(), never()),
    })
    expect(first.end.reason).toBe('interrupted')
    expect(await stateOf(journal)).toBe('waiting')
    const approve = async () => ({ verdict: 'allow' }) as const
    expect((await collectEvents({ ...options, approve })).end.reason).toBe('answer')
    expect(put.made).toEqual(['a'])
  })
})

describe('a run that is stopped through the journal', () => {
  test('is cancelled, and continues only if it is resumed', async () => {
    const journal = memoryJournal()
    const put = writer(async (_, { signal }) => {
      void journal.stop('run-1')
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    })
    const options = {
      id: 'run-1',
      journal,
      model: scripted([call('put', { value: 'a' }), 'Done.']),
      tools: [put],
      prompt: 'Go',
      permissions: { allow: ['put'] },
    }
    const first = await collectEvents(options)
    expect(first.end).toMatchObject({ reason: 'cancelled', error: 'The run was stopped.' })
    expect(first.of('tool-end')).toMatchObject([{ outcome: { status: 'unknown' } }])
    expect(await journal.stop('run-1')).toBe(false)
    const again = await collectEvents(options)
    expect(again.end.reason).toBe('cancelled')
    const resumed = await collectEvents({ ...options, resume: true })
    expect(resumed.end).toMatchObject({ reason: 'answer', text: 'Done.' })
    expect(put.made).toEqual(['a'])
  })

  test('ends even if no process is executing it', async () => {
    const journal = memoryJournal()
    const model = scripted([call('put', { value: 'a' })])
    const options = { id: 'run-1', journal, model, tools: [writer()], prompt: 'Go' } as const
    await collectEvents({ ...options, onWait: 'suspend' })
    expect(await journal.stop('run-1')).toBe(true)
    expect(await journal.runs()).toMatchObject([{ state: 'finished', reason: 'cancelled' }])
    expect(await journal.waiting()).toEqual([])
    const replayed = [...replay('run-1', await journal.read('run-1'))]
    expect(replayed.filter(({ type }) => type === 'tool-end')).toMatchObject([
      { call: 'turn-0-0', outcome: { status: 'cancelled' } },
    ])
    expect((await collectEvents({ ...options, onWait: 'suspend' })).end.reason).toBe('cancelled')
  })
})

describe('a message to a running run', () => {
  test('is read before the next turn', async () => {
    const journal = memoryJournal()
    const look = reader(async () => (await journal.send('run-1', 'Hurry!'), 'found'))
    const model = scripted([call('look', { key: 'a' }), 'Done.'])
    const { of, end } = await collectEvents({
      id: 'run-1',
      journal,
      model,
      tools: [look],
      prompt: 'Go',
    })
    expect(end.text).toBe('Done.')
    expect(of('prompt').map(({ content }) => content)).toEqual(['Go', 'Hurry!'])
    expect(model.sent[1]!.at(-1)).toEqual({ role: 'user', content: 'Hurry!' })
  })

  test('is not lost if it arrives during the answer', async () => {
    const journal = memoryJournal()
    const model = scripted([
      async function* () {
        yield { type: 'text' as const, delta: 'Answer one.' }
        await journal.send('run-1', 'And two?')
        yield { type: 'finish' as const, finish: 'stop' as const }
      },
      'Answer two.',
    ])
    const { end } = await collectEvents({ id: 'run-1', journal, model, prompt: 'One?' })
    expect(end.text).toBe('Answer two.')
    expect(model.sent[1]!.slice(-2)).toEqual([
      { role: 'assistant', content: 'Answer one.' },
      { role: 'user', content: 'And two?' },
    ])
    await expect(journal.send('run-1', 'Three?')).rejects.toMatchObject({ problem: 'ended' })
  })

  test('continues the run if it arrives after a limit was reached', async () => {
    const journal = memoryJournal()
    const model = scripted([
      call('look', { key: 'a' }),
      async function* () {
        await journal.send('run-1', 'Go on.')
        yield { type: 'text' as const, delta: 'So far: a.' }
        yield { type: 'finish' as const, finish: 'stop' as const }
      },
      call('look', { key: 'b' }),
      'Only a and b.',
    ])
    const options = { id: 'run-1', journal, tools: [reader()], prompt: 'All?' }
    const { end } = await collectEvents({ ...options, model, limits: { maxIterations: 1 } })
    expect(end).toMatchObject({ reason: 'max_iterations', text: 'Only a and b.' })
    expect(model.sent[2]!.slice(-2)).toEqual([
      { role: 'assistant', content: 'So far: a.' },
      { role: 'user', content: 'Go on.' },
    ])
    const more = scripted(['Bye.'])
    const last = { ...options, model: more, prompt: 'Bye!', resume: true }
    expect((await collectEvents(last)).end).toMatchObject({ reason: 'answer', text: 'Bye.' })
    expect(more.sent[0]!.map(({ content }) => content).slice(1)).toEqual([
      'All?',
      call('look', { key: 'a' }),
      expect.stringContaining('value of a'),
      'So far: a.',
      'Go on.',
      call('look', { key: 'b' }),
      expect.stringContaining('value of b'),
      'Only a and b.',
      'Bye!',
    ])
  })

  test('is read when the run continues if no process was executing it', async () => {
    const journal = memoryJournal()
    const put = writer()
    const model = scripted([call('put', { value: 'a' }), 'Done.'])
    const options = { id: 'run-1', journal, model, tools: [put], prompt: 'Go' } as const
    await collectEvents({ ...options, onWait: 'suspend' })
    await journal.send('run-1', 'Never mind.')
    const { key } = (await journal.waiting())[0]!
    await journal.answer('run-1', key, { verdict: 'deny' })
    await collectEvents({ ...options, onWait: 'suspend' })
    expect(model.sent[1]!.at(-1)!.content).toBe('Never mind.')
  })
})

test('a run can be followed while it runs, with each event once, until it ends', async () => {
  const journal = memoryJournal()
  const model = scripted([call('look', { key: 'a' }), call('look', { key: 'b' }), 'Done.'])
  const look = reader(async ({ key }) => (await later(), key))
  const lived: RunEvent[] = []
  const followed: RunEvent[] = []
  const following = (async () => {
    for await (const event of follow(journal, 'run-1')) followed.push(event)
  })()
  for await (const event of run({ id: 'run-1', journal, model, tools: [look], prompt: 'Go' }))
    if (!event.transient) lived.push(event)
  await following
  expect(followed.map(({ seq }) => seq)).toEqual(followed.map((_, at) => at))
  for (const event of lived) expect(followed[event.seq]).toEqual(event)
  expect(followed.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer' })
})

test('a tool that ends long after it was abandoned is recorded, and the model reads its outcome', async () => {
  const journal = memoryJournal()
  let finish: (value: string) => void = () => {}
  const put = writer(() => new Promise((resolve) => (finish = resolve)), { timeout: 5 })
  const look = reader(async () => {
    finish('It was sent after all.')
    await later()
    return 'seen'
  })
  const model = scripted([call('put', { value: 'a' }), call('look', { key: 'a' }), 'Done.'])
  const { of } = await collectEvents({
    id: 'run-1',
    journal,
    model,
    tools: [put, look],
    prompt: 'Go',
    permissions: { allow: ['put'] },
  })
  expect(of('tool-end')[0]).toMatchObject({ outcome: { status: 'unknown' } })
  expect(of('tool-late')).toMatchObject([
    { call: 'turn-0-0', outcome: { status: 'success', text: 'It was sent after all.' } },
  ])
  expect(model.sent[2]!.at(-1)!.content).toContain('It was sent after all.')
})

test('a request about something that has changed in the meantime is withdrawn', async () => {
  const journal = memoryJournal()
  let target = '/workspace/one'
  const fileSystem = {
    cwd: '/workspace',
    home: '/home',
    roots: ['/workspace'],
    platform: 'linux' as const,
    caseSensitive: true,
    follow: (path: string) => (path === '/workspace/link' ? [target] : [path]),
  }
  const write = tool({
    name: 'Write',
    description: 'Writes',
    parameters: z.strictObject({ file_path: z.string(), content: z.string() }),
    access: canonicalTools.get('Write')!,
    execute: () => 'written',
  })
  const put = writer(() => ((target = '/workspace/two'), 'done'))
  const reply = `${call('put', { value: 'a' })}${call('Write', { file_path: 'link', content: 'x' })}`
  const model = scripted([reply, 'Done.'])
  const asked: string[] = []
  const waitedFor: number[] = []
  for await (const event of run({
    id: 'run-1',
    journal,
    model,
    tools: [put, write as unknown as Tool],
    prompt: 'Go',
    fileSystem,
    attended: true,
  })) {
    if (event.type !== 'approval-request') continue
    asked.push(event.name)
    const waiting = await journal.waiting()
    waitedFor.push(waiting.length)
    if (asked.length === 2)
      await journal.answer('run-1', waiting.find((each) => each.tool === 'put')!.key, {
        verdict: 'allow',
      })
    if (asked.length === 3) await journal.answer('run-1', event.key, { verdict: 'allow' })
  }
  expect(asked).toEqual(['put', 'Write', 'Write'])
  expect(waitedFor.at(-1)).toBe(1)
  expect(model.sent[1]!.at(-1)!.content).toContain('written')
})
