import { describe, expect, test } from 'vitest'
import type { Journal } from '../../journal/journal.ts'
import { type CallKey, printKey } from '../../journal/keys.ts'
import { memoryJournal } from '../../journal/memory-journal.ts'
import { type Steps, createSteps } from './steps.ts'

/** The steps of a run that is opened again each time, as if by a new process. */
async function restarted<Value>(
  journal: Journal,
  work: (steps: Steps) => Promise<Value>,
): Promise<Value> {
  const log = await journal.open('a')
  try {
    const steps = createSteps(log)
    const value = await work(steps)
    await steps.flush()
    return value
  } finally {
    await log.close()
  }
}
const never = new AbortController().signal
const request = { what: 'May I?' }
const key: CallKey = { type: 'call', turn: 0, call: 0 }

describe('a step', () => {
  test('is done once, and its value is recorded', async () => {
    const journal = memoryJournal()
    let done = 0
    const work = async (): Promise<number> => ++done
    expect(await restarted(journal, ({ step }) => step(key, work))).toBe(1)
    expect(await restarted(journal, ({ step }) => step(key, work))).toBe(1)
    expect(done).toBe(1)
  })

  test('that failed is done again', async () => {
    const journal = memoryJournal()
    const failing = restarted(journal, ({ step }) => step(key, () => Promise.reject(Error('no'))))
    await expect(failing).rejects.toThrow('no')
    expect(await restarted(journal, ({ step }) => step(key, async () => 1))).toBe(1)
  })

  test('that started and did not end is interrupted, which is recorded', async () => {
    const journal = memoryJournal()
    const lost = async (begin: (about: object) => Promise<void>): Promise<string> => {
      await begin({})
      throw new Error('killed')
    }
    const again = (): Promise<string> =>
      restarted(journal, ({ step }) =>
        step(
          key,
          async () => 'done twice',
          async () => 'interrupted',
        ),
      )
    await expect(restarted(journal, ({ step }) => step(key, lost))).rejects.toThrow('killed')
    expect(await again()).toBe('interrupted')
    expect(await again()).toBe('interrupted')
    expect((await journal.read('a')).map(({ kind }) => kind)).toEqual(['begin', 'value'])
  })

  test('is done again if there is no value for the interruption', async () => {
    const journal = memoryJournal()
    let begun = 0
    const work = async (begin: (about: object) => Promise<void>): Promise<string> => {
      await begin({})
      if (++begun === 1) throw new Error('killed')
      return 'done'
    }
    await expect(restarted(journal, ({ step }) => step(key, work))).rejects.toThrow('killed')
    expect(await restarted(journal, ({ step }) => step(key, work))).toBe('done')
  })

  test('cannot be answered from outside', async () => {
    const journal = memoryJournal()
    await restarted(journal, async () => {})
    await expect(journal.answer('a', printKey(key), 'forged')).rejects.toMatchObject({
      problem: 'not_pending',
    })
    expect(await restarted(journal, ({ step }) => step(key, async () => 'true'))).toBe('true')
  })
})

describe('a value that cannot be recorded', () => {
  test('fails the run, and every waiting caller gets the error', async () => {
    const told: unknown[] = []
    let attempts = 0
    const log = await memoryJournal().open('a')
    const full = {
      ...log,
      async appendAll(): Promise<never> {
        attempts++
        void steps.step({ type: 'input', number: 1 }, async () => 2)
        await new Promise((resolve) => setTimeout(resolve, 1))
        throw new Error('no space left')
      },
    }
    const steps = createSteps(full, () => (record) => told.push(record))
    expect(await steps.step({ type: 'input', number: 0 }, async () => 1)).toBe(1)
    await expect(steps.flush()).rejects.toThrow('no space left')
    expect(told).toEqual([undefined, undefined])
    await expect(steps.step({ type: 'input', number: 2 }, async () => 3)).rejects.toThrow(
      'no space left',
    )
    expect(attempts).toBe(1)
  })
})

describe('waiting', () => {
  test('for an answer in this process, which is recorded', async () => {
    const journal = memoryJournal()
    const ask = async (): Promise<string> => 'yes'
    expect(await restarted(journal, ({ wait }) => wait(key, { request, ask, signal: never }))).toBe(
      'yes',
    )
    const asked = restarted(journal, ({ wait }) =>
      wait(key, { request, ask: () => Promise.reject(Error()), signal: never }),
    )
    expect(await asked).toBe('yes')
    expect((await journal.read('a')).map(({ kind }) => kind)).toEqual(['wait', 'answer'])
  })

  test('for an external answer cancels the question in this process', async () => {
    const journal = memoryJournal()
    let stopped = false
    const answer = restarted(journal, ({ wait }) =>
      wait(key, {
        request,
        ask(signal) {
          signal.addEventListener('abort', () => (stopped = true))
          void journal.answer('a', printKey(key), 'outside')
          return new Promise(() => {})
        },
        signal: never,
      }),
    )
    expect(await answer).toBe('outside')
    expect(stopped).toBe(true)
  })

  test('for both kinds uses the answer that is recorded first', async () => {
    const journal = memoryJournal()
    const ask = async (): Promise<string> => {
      await journal.answer('a', printKey(key), 'outside')
      return 'inside'
    }
    expect(await restarted(journal, ({ wait }) => wait(key, { request, ask, signal: never }))).toBe(
      'outside',
    )
    expect(await journal.read('a')).toMatchObject([{ kind: 'wait' }, { value: 'outside' }])
  })

  test('ends when it is stopped, and can be resumed later', async () => {
    const journal = memoryJournal()
    const stop = new AbortController()
    const waiting = restarted(journal, ({ wait }) => wait(key, { request, signal: stop.signal }))
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await journal.answer('a', printKey(key), 1)
    expect(await restarted(journal, ({ wait }) => wait(key, { request, signal: never }))).toBe(1)
  })
})
