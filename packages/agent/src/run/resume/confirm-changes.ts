import type { RecordKey } from '../../journal/keys.ts'
import { unlessAborted } from '../../time/unless-aborted.ts'
import type { Answers, Question } from '../../tool/question.ts'
import { askOnce } from '../approval/ask-person.ts'
import type { LoopState } from '../loop/loop-state.ts'

/**
 * Whether to continue a run although its setup has changed, such as the tools: `confirm` decides; without it, people do, through
 * the journal, if that is wanted.
 */
export async function confirmChanges(
  state: LoopState,
  changes: readonly string[],
): Promise<boolean> {
  const { confirm, whenChanged = 'leave' } = state.options
  if (confirm) return (await unlessAborted(state.signal, confirm(changes))) === true
  if (whenChanged !== 'ask') return whenChanged === 'continue'
  const { question, options } = questionAbout(changes)
  const { answers } = await askOnce(state, await keyOf(changes), {
    asked: {
      type: 'question',
      call: '',
      name: '',
      args: {},
      questions: [{ ...ABOUT, question, options }],
    },
    inside: undefined,
    read: (given) => ({ answers: { [question]: answerIn(given, question) } satisfies Answers }),
    signal: state.signal,
  })
  return answers[question] === CONTINUE
}

const ABOUT: Pick<Question, 'header'> = { header: 'Changed' }
const CONTINUE = 'Continue'
const LEAVE = 'Leave it'

function questionAbout(changes: readonly string[]): Pick<Question, 'question' | 'options'> {
  return {
    question: `This run was begun with something else than what is here: ${changes.join('; ')}. Continue it all the same?`,
    options: [
      { label: CONTINUE, description: 'Continue the run with what is here' },
      { label: LEAVE, description: 'Leave it to a process that has what the run was begun with' },
    ],
  }
}

/** Whatever does not clearly say to continue leaves the run. */
function answerIn(given: unknown, question: string): string {
  const answer = typeof given === 'object' && given ? Object.entries(given) : []
  return answer.some(([asked, each]) => asked === question && each === CONTINUE) ? CONTINUE : LEAVE
}

/** Other changes are asked about again. */
async function keyOf(changes: readonly string[]): Promise<RecordKey> {
  const bytes = new TextEncoder().encode(JSON.stringify(changes))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).slice(0, 8)
  const text = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { type: 'changed', hash: text }
}
