import { createSteps } from '../../src/run/resume/steps.ts'
import { type Program, RUN } from './program.ts'

/** Waits for an answer from outside. */
const program: Program = async ({ journal, effect }) => {
  const log = await journal.open(RUN)
  const { step, wait, flush } = createSteps(log)
  const answer = await wait<string, object>(
    { type: 'changed', hash: 'ok' },
    {
      request: {},
      signal: new AbortController().signal,
    },
  )
  effect(`answer ${answer}`)
  await step({ type: 'end', number: 0 }, async () => ({ reason: 'answer' }))
  await flush()
  await log.close()
}

export default program
