import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Disk, journalOn } from '../../../test/disk.ts'
import { collectEvents } from '../../../test/collect-events.ts'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { call, scripted } from '../../../test/scripted.ts'
import { reader, writer } from '../../../test/tools.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import type { FileSystemView } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { tool, type Tool } from '../../tool/tool.ts'
import { noFileSystem } from '../state.ts'
import type { RunPermissions, RunOptions } from '../options.ts'
import { run } from '../run.ts'
import { settled } from '../../../../../tests/helpers/until.ts'

const twice = (): string[] => [call('put', { value: 'a' }), call('put', { value: 'b' }), 'Done.']

test('a person approves or denies a call', async () => {
  const put = writer()
  const model = scripted(twice())
  const asked: string[] = []
  const { of } = await collectEvents({
    model,
    tools: [put],
    prompt: 'Go',
    approve: async ({ args, decision }) => {
      asked.push(`${String(args['value'])}: ${decision.why}`)
      return args['value'] === 'a'
        ? { verdict: 'allow' }
        : { verdict: 'deny', reason: 'b is not wanted here' }
    },
  })
  expect(asked).toEqual(['a: no rule allows put', 'b: no rule allows put'])
  expect(put.made).toEqual(['a'])
  expect(of('approval-request')).toHaveLength(2)
  expect(of('approval')).toMatchObject([
    { approval: { verdict: 'allow' } },
    { approval: { verdict: 'deny', reason: 'b is not wanted here' } },
  ])
  expect(model.sent[2]!.at(-1)!.content).toContain('b is not wanted here')
})

test.each([
  [{ denny: ['put'] }, 'Invalid rule denny: Unknown list "denny". Did you mean deny?'],
  [{ deny: 'put' }, 'Invalid rule put: deny must be a list: [put].'],
])('a mistake in the lists of rules is an error: %j', async (wrong, message) => {
  const permissions = wrong as unknown as RunPermissions
  const options = { model: scripted(twice()), tools: [writer()], prompt: 'Go', permissions }
  await expect(collectEvents(options)).rejects.toThrow(new TypeError(message))
})

test('denies a call without an approver, and tells the model why', async () => {
  const put = writer()
  const model = scripted([call('put', { value: 'a' }), 'Done.'])
  const { of } = await collectEvents({ model, tools: [put], prompt: 'Go' })
  expect(put.made).toEqual([])
  const failure = { details: { code: 'nobody_to_ask' } }
  expect(of('tool-end')).toMatchObject([{ outcome: { status: 'denied', failure } }])
  expect(model.sent[1]!.at(-1)!.content).toContain('nobody to ask')
})

test('a person can end the run with a denial', async () => {
  const put = writer()
  const { end } = await collectEvents({
    model: scripted(twice()),
    tools: [put],
    prompt: 'Go',
    approve: async () => ({ verdict: 'deny', stop: true }),
  })
  expect(end).toMatchObject({ reason: 'denied' })
  expect(put.made).toEqual([])
})

test('leaves no tool running when a denial stops the run', async () => {
  let isStopped = false
  const look = reader(
    (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          isStopped = true
          reject(signal.reason as Error)
        }),
      ),
  )
  const asks = reader(() => 'x', { name: 'asks', dangerous: true })
  const events = run({
    model: scripted([`${call('look', { key: 'a' })}\n${call('asks', { key: 'b' })}`]),
    tools: [look, asks],
    prompt: 'Go',
    approve: async () => ({ verdict: 'deny', stop: true }),
  })
  for await (const event of events) if (event.type === 'run-end') expect(isStopped).toBe(true)
  expect(look.made).toEqual(['a'])
})

test('a call that is not approved in time is denied', async () => {
  const put = writer()
  const model = scripted([call('put', { value: 'a' }), 'Done.'])
  await collectEvents({
    model,
    tools: [put],
    prompt: 'Go',
    approve: () => new Promise(() => {}),
    limits: { approvalTimeout: 30 },
  })
  expect(put.made).toEqual([])
  expect(model.sent[1]!.at(-1)!.content).toContain('Nobody answered within')
})

test.each([
  {},
  { verdict: 'Allow' },
  { verdict: ['allow'] },
  { approved: true },
  null,
  'allow',
  true,
])('an answer that does not clearly allow the call denies it: %j', async (answer) => {
  const put = writer()
  const { of, end } = await collectEvents({
    model: scripted([call('put', { value: 'a' }), 'Done.']),
    tools: [put],
    prompt: 'Go',
    approve: async () => answer as unknown as { verdict: 'allow' },
  })
  expect(put.made).toEqual([])
  expect(of('approval')).toMatchObject([{ approval: { verdict: 'deny' } }])
  expect(end.reason).toBe('answer')
})

describe('an answer through the journal', () => {
  test('arrives while the run is waiting', async () => {
    const put = writer()
    const journal = memoryJournal()
    const options = {
      model: scripted([call('put', { value: 'a' }), 'Done.']),
      tools: [put],
      prompt: 'Go',
      journal,
      attended: true,
    }
    const answered: PromiseSettledResult<void>[] = []
    for await (const event of run(options)) {
      if (event.type !== 'approval-request') continue
      const [waiting] = await journal.waiting()
      expect(waiting).toMatchObject({
        type: 'approval',
        run: event.run,
        key: event.key,
        call: 'turn-0-0',
        tool: 'put',
        args: { value: 'a' },
        parts: [{ what: 'put', verdict: 'ask', why: 'no rule allows put' }],
        suggestions: [{ what: 'put', rule: 'put' }],
      })
      // Only the first answer counts.
      const answers = [{ verdict: 'allow' }, { verdict: 'deny' }].map((answer) =>
        journal.answer(event.run, event.key, answer),
      )
      answered.push(...(await Promise.allSettled(answers)))
    }
    expect(answered).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { problem: 'not_pending' } },
    ])
    expect(await journal.waiting()).toEqual([])
    expect(put.made).toEqual(['a'])
  })

  test('arrives while the run is not active', async () => {
    const disk: Disk = new Map()
    const put = writer()
    const options = { tools: [put], prompt: 'Go', id: 'run-1', onWait: 'suspend' } as const
    const model = scripted([call('put', { value: 'a' }), 'Done.'])
    const first = await collectEvents({ ...options, model, journal: journalOn(disk) })
    const { key } = first.of('approval-request')[0]!
    expect(first.end).toMatchObject({ reason: 'interrupted', pending: [key] })
    expect(put.made).toEqual([])
    await journalOn(disk).answer('run-1', key, { verdict: 'allow' })
    const { end } = await collectEvents({ ...options, model, journal: journalOn(disk) })
    expect(end.reason).toBe('answer')
    expect(put.made).toEqual(['a'])
  })

  test('does not apply to other runs or arguments', async () => {
    const put = writer()
    const journal = memoryJournal()
    const log = await journal.open('run-1')
    const key = 'turn/0/call/0/approval/0123456789abcdef'
    const asked = { type: 'question', call: 'turn-0-0', name: 'put', args: {}, questions: [] }
    await log.append({ key, kind: 'wait', value: asked })
    await log.append({ key, kind: 'answer', value: { verdict: 'allow' } })
    await log.close()
    const { of } = await collectEvents({
      model: scripted([call('put', { value: 'a' }), 'Done.']),
      tools: [put],
      prompt: 'Go',
      id: 'run-1',
      journal,
      approve: async () => ({ verdict: 'deny' }),
    })
    expect(of('approval')).toMatchObject([{ approval: { verdict: 'deny' } }])
    expect(put.made).toEqual([])
  })
})

test('asks a person again if a path now leads elsewhere', async () => {
  let target = '/workspace/a'
  const fileSystem: FileSystemView = {
    ...noFileSystem,
    cwd: '/workspace',
    roots: ['/workspace'],
    follow: (path) => [path, target],
  }
  const written: string[] = []
  const write = tool({
    name: 'save',
    description: 'Saves a file',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    access: { writes: 'path' },
    execute: (_, { paths }) => {
      written.push(...(paths ?? []))
      return 'saved'
    },
  }) as Tool
  let asked = 0
  const { of } = await collectEvents({
    model: scripted([call('save', { path: 'a' }), 'Done.']),
    tools: [write],
    prompt: 'Go',
    fileSystem,
    approve: async () => {
      if (asked++ === 0) target = '/workspace/b'
      return { verdict: 'allow' }
    },
  })
  expect(asked).toBe(2)
  expect(of('approval')).toHaveLength(2)
  expect(written).toEqual(['/workspace/b'])
})

test('asks a person again if a code file has changed', async () => {
  const cwd = folderOf({ 'x.py': 'print(1)' })
  const ran: string[] = []
  const file = join(cwd, 'x.py')
  const bash = tool({
    name: 'Bash',
    description: 'Runs a command',
    parameters: { type: 'object', properties: { command: { type: 'string' } } },
    access: { runs: 'command' },
    execute: () => void ran.push(readFileSync(file, 'utf8')),
  }) as Tool
  const seen: string[] = []
  await collectEvents({
    model: scripted([call('Bash', { command: 'python3 x.py' }), 'Done.']),
    tools: [bash],
    prompt: 'Go',
    fileSystem: nodeFileSystem({ cwd }),
    approve: async () => {
      seen.push(readFileSync(file, 'utf8'))
      if (seen.length === 1) writeFileSync(file, 'print(2)')
      return { verdict: 'allow' }
    },
  })
  expect(seen).toEqual(['print(1)', 'print(2)'])
  expect(ran).toEqual(['print(2)'])
})

test('rules added by "always" apply for the rest of the run', async () => {
  const fileSystem: FileSystemView = {
    ...noFileSystem,
    cwd: '/workspace',
    roots: ['/workspace'],
    follow: (path) => [path],
  }
  const bash = tool({
    name: 'Bash',
    description: 'Runs a command',
    parameters: {
      type: 'object',
      properties: { command: { type: 'string' } },
      required: ['command'],
    },
    access: { runs: 'command' },
    execute: () => 'ok',
  }) as Tool
  let asked = 0
  const reply = call('Bash', { command: 'make build' })
  const { end } = await collectEvents({
    model: scripted([reply, call('look', { key: 'a' }), `${reply} `, 'Done.']),
    tools: [{ ...bash, repeatable: true }, reader()],
    prompt: 'Go',
    fileSystem,
    approve: async ({ always }) => {
      asked++
      expect(always).toEqual(['Bash(make build)'])
      return { verdict: 'allow', always: true }
    },
  })
  expect(end.reason).toBe('answer')
  expect(asked).toBe(1)
})

describe('permissions granted for a run do not apply in another folder', () => {
  const at = (cwd: string): FileSystemView => ({
    ...noFileSystem,
    cwd,
    roots: [cwd],
    follow: (path) => [path],
  })
  /** Writes each value in a separate turn. Returns the values that needed approval. */
  async function askedIn(
    folder: string,
    values: readonly string[],
    options: Partial<RunOptions>,
  ): Promise<string[]> {
    const asked: string[] = []
    await collectEvents({
      model: scripted([...values.map((value) => call('put', { value })), 'Done.']),
      tools: [writer(), reader()],
      prompt: 'Go',
      fileSystem: at(folder),
      confirm: async () => true,
      approve: async ({ args }) => {
        asked.push(String(args['value']))
        return { verdict: 'allow', always: true }
      },
      ...options,
    })
    return asked
  }

  test('if it is resumed there, or after it returns', async () => {
    const disk: Disk = new Map()
    const again = (): Partial<RunOptions> => ({
      id: 'run-1',
      journal: journalOn(disk),
      resume: true,
    })
    expect(await askedIn('/a', ['1', '2'], again())).toEqual(['1'])
    expect(await askedIn('/a', ['3'], again())).toEqual([])
    expect(await askedIn('/b', ['4', '5'], again())).toEqual(['4'])
    expect(await askedIn('/b', ['6'], again())).toEqual([])
    expect(await askedIn('/a', ['7'], again())).toEqual(['7'])
  })

  test('if it is forked there', async () => {
    const disk: Disk = new Map()
    await askedIn('/a', ['1'], { id: 'run-1', journal: journalOn(disk) })
    const fork = { run: 'run-1' }
    const inFolder = (id: string, folder: string): Promise<string[]> =>
      askedIn(folder, ['2'], { id, journal: journalOn(disk), fork })
    expect(await inFolder('run-2', '/a')).toEqual([])
    expect(await inFolder('run-3', '/b')).toEqual(['2'])
  })

  test("nor do the run's own rules, except those that deny", async () => {
    const disk: Disk = new Map()
    const given = { allow: ['put'], deny: ['look'] }
    const options = { id: 'run-1', resume: true } as const
    expect(await askedIn('/a', ['1'], { ...options, journal: journalOn(disk), given })).toEqual([])
    expect(await askedIn('/a', ['2'], { ...options, journal: journalOn(disk) })).toEqual([])
    expect(await askedIn('/b', ['3'], { ...options, journal: journalOn(disk) })).toEqual(['3'])
    const look = reader()
    const { of } = await collectEvents({
      ...options,
      model: scripted([call('look', { key: 'a' }), 'Done.']),
      tools: [look],
      prompt: 'Go',
      fileSystem: at('/b'),
      journal: journalOn(disk),
      confirm: async () => true,
    })
    expect(of('tool-end').at(-1)).toMatchObject({ outcome: { status: 'denied' } })
    expect(look.made).toEqual([])
  })
})

test('a call that the model may not have intended needs approval even if a rule allows it', async () => {
  const put = writer()
  const asked: string[] = []
  const fenced = `\`\`\`\n${call('put', { value: 'a' })}\n\`\`\``
  await collectEvents({
    model: scripted([fenced, 'Done.']),
    tools: [put],
    prompt: 'Go',
    permissions: { allow: ['put'] },
    approve: async ({ decision }) => {
      asked.push(decision.why)
      return { verdict: 'deny' }
    },
  })
  expect(asked).toEqual([expect.stringContaining('code fence')])
  expect(put.made).toEqual([])
})

test("a tool's question reaches a person, and the answer is recorded", async () => {
  const disk: Disk = new Map()
  const question = { question: 'Which?', header: 'Which', options: [] }
  const look = reader(async (_, { ask, signal }) => ask!([question], signal))
  const { of } = await collectEvents({
    model: scripted([call('look', { key: 'a' }), 'Done.']),
    tools: [look],
    prompt: 'Go',
    id: 'run-1',
    journal: journalOn(disk),
    ask: async () => ({ 'Which?': 'this' }),
  })
  expect(of('question')).toMatchObject([{ questions: [question] }])
  expect(of('answer')).toMatchObject([{ answers: { 'Which?': 'this' } }])
  expect(disk.get('run-1')!.map(({ key }) => key)).toContain('turn/0/call/0/question')
})

test('a question fails immediately if no person is available', async () => {
  const put = writer(undefined, { dangerous: true })
  const look = reader((_, { ask }) => (ask ? 'somebody' : 'nobody'))
  const model = scripted([`${call('look', { key: 'a' })}${call('put', { value: 'a' })}`, 'Done.'])
  const permissions = { allow: ['put'] }
  const { of } = await collectEvents({ model, tools: [put, look], prompt: 'Go', permissions })
  expect(of('tool-end').map(({ outcome }) => outcome.status)).toEqual(['success', 'denied'])
  expect(of('tool-end')[0]!.outcome.text).toBe('nobody')
})

test('a person is asked one question at a time', async () => {
  let open = 0
  let most = 0
  const look = reader(undefined, { dangerous: true })
  const reply = ['a', 'b', 'c'].map((key) => call('look', { key })).join('\n')
  await collectEvents({
    model: scripted([reply, 'Done.']),
    tools: [look],
    prompt: 'Go',
    approve: async () => {
      most = Math.max(most, ++open)
      await settled()
      open--
      return { verdict: 'allow' }
    },
  })
  expect([most, look.made.sort()]).toEqual([1, ['a', 'b', 'c']])
})

describe('the network of a call', () => {
  /** A tool that records the hosts it can reach. */
  function limited(reached: unknown[], changed: Pick<Tool, 'network'> = {}): Tool {
    return tool({
      name: 'fetch',
      description: 'Fetches',
      parameters: { type: 'object', properties: { value: { type: 'string' } } },
      repeatable: true,
      network: async () => ({ reaches: [], suggested: ['example.org'] }),
      execute: (_, { network }) => {
        reached.push(network)
        return 'fetched'
      },
      ...changed,
    }) as Tool
  }
  const replies = (...values: string[]): string[] => [
    ...values.map((value) => call('fetch', { value })),
    'Done.',
  ]

  test.each([
    [undefined, [undefined, undefined]],
    ['once', ['all', undefined]],
    [{ hosts: ['example.org'], always: 'run' }, [['example.org'], ['example.org']]],
    [{ hosts: [], always: 'run' }, [undefined, undefined]],
    [{ hosts: ['https://example.org/'], always: 'run' }, [undefined, undefined]],
    [{ hosts: ['example.org'] }, [undefined, undefined]],
    ['always', [undefined, undefined]],
  ])('shows %j, and then no hosts', async (network, expected) => {
    const reached: unknown[] = []
    let asked = 0
    await collectEvents({
      model: scripted(replies('a', 'b')),
      tools: [limited(reached)],
      prompt: 'Go',
      approve: async (request) => {
        expect(request.network?.suggested).toEqual(['example.org'])
        return { verdict: 'allow', ...(asked++ === 0 && network && { network: network as 'once' }) }
      },
    })
    expect(reached).toEqual(expected)
  })

  test('a call without network limits gets none from an answer', async () => {
    const reached: unknown[] = []
    await collectEvents({
      model: scripted(replies('a')),
      tools: [limited(reached, { network: async () => undefined })],
      prompt: 'Go',
      approve: async () => ({ verdict: 'allow', network: 'once' }),
    })
    expect(reached).toEqual([undefined])
  })

  test('allowed hosts apply after the run is resumed, and are stored in the chosen place', async () => {
    const disk: Disk = new Map()
    const reached: unknown[] = []
    const stored: unknown[] = []
    const options = { tools: [limited(reached)], id: 'run-1', prompt: 'Go' }
    const hosts = ['example.org']
    const first = await collectEvents({
      ...options,
      model: scripted(replies('a')),
      journal: journalOn(disk),
      approve: async () => ({ verdict: 'allow', network: { hosts, always: 'user' } }),
      remember: async (allowed, scope) => void stored.push([allowed, scope]),
    })
    expect(first.of('approval')).toMatchObject([{ network: { hosts, always: 'user' } }])
    await collectEvents({
      ...options,
      prompt: 'Again',
      resume: true,
      model: scripted(replies('b')),
      journal: journalOn(disk),
      approve: async ({ network }) => {
        expect(network?.reaches).toEqual(hosts)
        return { verdict: 'allow' }
      },
    })
    expect(reached).toEqual([hosts, hosts])
    expect(stored).toEqual([[{ hosts }, 'user']])
  })
})
