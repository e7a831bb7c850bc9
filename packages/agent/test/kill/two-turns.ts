import { parseKey } from '../../src/journal/keys.ts'
import { createSteps } from '../../src/run/resume/steps.ts'
import { type Program, RUN } from './program.ts'

/**
 * The steps of a run without a model: turns, and calls that may or must not be repeated, one by one
 * and in parallel.
 */
const program: Program = async ({ journal, effect }) => {
  const log = await journal.open(RUN)
  const { step, wait, flush } = createSteps(log)
  const never = new AbortController().signal

  async function again(key: string): Promise<string> {
    return step(parseKey(key)!, async () => {
      effect(`again ${key}`)
      return 'done'
    })
  }
  async function once(key: string): Promise<string> {
    return step(
      parseKey(key)!,
      async (begin) => {
        await begin({})
        effect(`once ${key}`)
        return 'done'
      },
      () => 'interrupted',
    )
  }

  await step({ type: 'setup', number: 0 }, async () => ({
    model: 'none',
    messages: [{ role: 'user', content: 'Go' }],
  }))
  for (const turn of ['turn/1', 'turn/2']) {
    await again(turn)
    if (turn === 'turn/2') {
      await Promise.all([1, 2, 3].map((call) => once(`${turn}/call/${call}`)))
      continue
    }
    await wait(parseKey(`${turn}/call/1/approval/hash`)!, {
      request: {},
      ask: async () => 'allow',
      signal: never,
    })
    await once(`${turn}/call/1`)
    await again(`${turn}/call/2`)
  }
  await step({ type: 'end', number: 0 }, async () => ({ reason: 'answer', text: 'Done' }))
  await flush()
  await log.close()
}

export default program
