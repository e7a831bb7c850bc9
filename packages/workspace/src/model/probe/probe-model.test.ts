import { type Model, ModelError } from '@toolglot/agent'
import { chooseCallFormat } from '@toolglot/agent/adapter/internal'
import { printCalls, protocols } from '@toolglot/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { ANSWER, said, speaking, textIn, wantedBy } from '../../../test/probe-fakes.ts'
import { dialectsFor, probeModel } from './probe-model.ts'

/** A fake with function calling that never writes calls as text. */
const native: Model = {
  name: 'fake',
  native: true,
  async *reply(request) {
    const wanted = wantedBy(request)
    if (!wanted) return yield* said(ANSWER)
    if (!request.tools) return yield* said('Sorry, I have no tools.')
    yield { type: 'call', index: 0, id: 'a', name: wanted.name, delta: JSON.stringify(wanted.args) }
    yield { type: 'finish', finish: 'stop' }
  },
}

const outcomes = (
  { tried }: Awaited<ReturnType<typeof probeModel>>,
  id: string,
): readonly string[] | undefined =>
  tried.find(({ protocol }) => protocol === id)?.tasks.map(({ outcome }) => outcome)

describe('a model that writes one dialect', () => {
  const dialects = dialectsFor(speaking(protocols.hermes)).filter((each) => each !== 'native')

  test.each(dialects.map((each) => [each.id, each] as const))('%s', async (id, dialect) => {
    const model = speaking(dialect)
    const probe = await probeModel(model)
    expect(probe.best).toBe(id)
    expect(probe.stopped).toBeUndefined()
    expect(outcomes(probe, id)).toEqual(['done', 'done', 'done'])
    for (const other of dialects.filter((each) => each !== dialect))
      expect(outcomes(probe, other.id)).not.toContain('done')
  })

  test('function calling', async () => {
    const probe = await probeModel(native)
    expect(probe.best).toBe('native')
    expect(probe.tried[0]).toMatchObject({ protocol: 'native', isOwn: true })
    // The easiest task failed, so the rest were skipped.
    expect(outcomes(probe, 'hermes')).toEqual(['failed', 'skipped', 'skipped'])
  })

  test('is found even if its name implies another one', async () => {
    const model = speaking(protocols['tool-xml'], { name: 'qwen3:8b' })
    const probe = await probeModel(model)
    expect(probe.tried[0]).toMatchObject({ protocol: 'hermes', isOwn: true })
    expect(probe.best).toBe('tool-xml')
    const probed: Model = { ...model, probed: protocols['tool-xml'] }
    expect(chooseCallFormat(probed, undefined).protocol?.id).toBe('tool-xml')
    expect(chooseCallFormat(probed, 'mistral').protocol?.id).toBe('mistral')
  })

  test('gets requests with few tokens, at temperature 0, that show the tool in that dialect', async () => {
    const model = speaking(protocols.hermes, { name: 'qwen3:8b' })
    await probeModel(model, { protocols: [protocols.hermes] })
    expect(model.heard).toHaveLength(4)
    for (const request of model.heard) {
      expect(request).toMatchObject({ temperature: 0, maxTokens: 2048 })
      expect(textIn(request)).toContain('<tool_call>')
    }
  })
})

test("a template that describes tools is used only for the model's own dialect", async () => {
  const model = speaking(protocols.hermes, { name: 'qwen3:8b', drawsTools: true })
  await probeModel(model, { protocols: [protocols.hermes, protocols['tool-call']] })
  expect(model.heard.filter(({ tools }) => tools)).toHaveLength(4)
  expect(textIn(model.heard.at(-1)!)).toContain('TOOL_CALL')
  const taught = { ...model, probed: protocols['tool-call'] }
  expect(chooseCallFormat(taught, undefined)).toMatchObject({ toolsIn: 'prompt' })
  const own = { ...model, probed: protocols.hermes }
  expect(chooseCallFormat(own, undefined)).toMatchObject({ toolsIn: 'request' })
})

test('a model that calls no tool has no best dialect and gets one request in each', async () => {
  let asked = 0
  const model: Model = {
    name: 'fake',
    async *reply() {
      asked++
      yield* said('I would start a timer now.')
    },
  }
  const probe = await probeModel(model)
  expect(probe.best).toBeUndefined()
  expect(probe.stopped).toBeUndefined()
  expect(asked).toBe(probe.tried.length)
  expect(probe.tried.every(({ tasks }) => tasks[0]!.problem === 'no call')).toBe(true)
})

test('repaired calls score less than perfect ones', async () => {
  const broken = (text: string): string => text.replace(/"\}\}/, '",}}').replace(/4\}\}/, '4,}}')
  const model: Model = {
    name: 'fake',
    async *reply(request) {
      const wanted = wantedBy(request)
      if (!wanted) return yield* said(ANSWER)
      const asked = textIn(request).includes('<TOOL_CALL>') ? 'tool-call' : 'hermes'
      const text = printCalls(protocols[asked], [wanted])
      yield* said(asked === 'hermes' ? broken(text) : text)
    },
  }
  const probe = await probeModel(model, { protocols: [protocols.hermes, protocols['tool-call']] })
  expect(outcomes(probe, 'hermes')).toEqual(['repaired', 'repaired', 'repaired'])
  expect(probe.tried[0]!.tasks[0]!.repairs).not.toEqual([])
  expect(probe.best).toBe('tool-call')
  // A dialect whose calls need repairs is better than none.
  expect((await probeModel(model, { protocols: [protocols.hermes] })).best).toBe('hermes')
})

test('a task is not done if the answer ignores the result', async () => {
  const model = speaking(protocols.hermes)
  const deaf: Model = {
    ...model,
    async *reply(request) {
      yield* wantedBy(request) ? model.reply(request) : said('I do not know.')
    },
  }
  const probe = await probeModel(deaf, { protocols: [protocols.hermes] })
  expect(outcomes(probe, 'hermes')).toEqual(['done', 'done', 'failed'])
  expect(probe.tried[0]!.tasks[2]!.problem).toBe('the answer does not use the result')
})

const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/** A fake that never replies. */
const silent: Model = {
  name: 'fake',
  async *reply({ signal }) {
    await never(signal)
  },
}

test('a model that hangs is abandoned', async () => {
  const probe = await probeModel(silent, { replyTimeout: 10 })
  expect(probe).toMatchObject({ stopped: 'silent' })
  expect(probe.best).toBeUndefined()
  expect(probe.tried.map(({ tasks }) => tasks[0]!.problem)).toEqual([
    'no reply in time',
    'no reply in time',
  ])
})

test('limits the total time, and keeps earlier results', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const model = speaking(protocols.hermes)
  const slow: Model = {
    ...model,
    async *reply(request) {
      if (textIn(request).includes('TOOL_CALL')) {
        setImmediate(() => vi.advanceTimersByTime(5000))
        await never(request.signal)
      }
      yield* model.reply(request)
    },
  }
  const probe = await probeModel(slow, { timeout: 5000 })
  expect(probe).toMatchObject({ stopped: 'time', best: 'hermes' })
  expect(outcomes(probe, 'tool-call')).toEqual(['failed', 'skipped', 'skipped'])
})

test('an abort ends the probe', async () => {
  const stop = new AbortController()
  const probe = probeModel(silent, { signal: stop.signal, onProgress: () => stop.abort() })
  await expect(probe).rejects.toThrow('abort')
})

test('a model that cannot be reached is an error', async () => {
  const refuses: Model = {
    name: 'fake',
    async *reply() {
      throw new ModelError('refused', 'The key is wrong.')
    },
  }
  await expect(probeModel(refuses)).rejects.toThrow('The key is wrong.')
  await expect(probeModel({ ...refuses, native: true })).rejects.toThrow('The key is wrong.')
})

test('keeps earlier results if later requests fail', async () => {
  const model = speaking(protocols.hermes)
  const limited: Model = {
    ...model,
    async *reply(request) {
      if (model.heard.length === 4) throw new ModelError('refused', 'No credit is left.')
      yield* model.reply(request)
    },
  }
  const probe = await probeModel(limited)
  expect(probe).toMatchObject({ best: 'hermes', stopped: 'failed', problem: 'No credit is left.' })
  expect(probe.tried).toHaveLength(1)
})

test('a server that rejects tools or a temperature gets requests without them', async () => {
  const model = speaking(protocols.hermes)
  const picky: Model & { native: true } = {
    ...model,
    native: true,
    async *reply(request) {
      if (request.temperature !== undefined) throw new ModelError('refused', 'no temperature')
      if (request.tools) throw new ModelError('refused', 'no tools')
      yield* model.reply(request)
    },
  }
  const probe = await probeModel(picky)
  expect(probe.best).toBe('hermes')
  expect(probe.tried[0]!.tasks[0]).toMatchObject({ outcome: 'failed', problem: 'no tools' })
})

test('reports each dialect before it is tried, and then its result', async () => {
  const steps: string[] = []
  await probeModel(speaking(protocols.hermes), {
    onProgress: ({ protocol, number, total, result }) =>
      steps.push(`${number}/${total} ${protocol}${result ? ` ${result.tasks.length}` : ''}`),
  })
  expect(steps.slice(0, 3)).toEqual(['1/5 hermes', '1/5 hermes 3', '2/5 tool-call'])
})
