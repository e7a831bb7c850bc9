import { whenStopped } from './when-stopped.ts'

/** Puts questions to a person. It rejects with `Unanswered` if they will not say, and as the signal says if it is stopped. */
export type Ask = (questions: readonly Question[], signal: AbortSignal) => Promise<Answers>

export interface Question {
  readonly question: string
  /** At most 12 characters. */
  readonly header: string
  /** Two to four; a person may always say something else. */
  readonly options: readonly Option[]
  readonly multiSelect?: boolean | undefined
}

export interface Option {
  readonly label: string
  readonly description: string
  /** Markdown that shows what choosing it would give. */
  readonly preview?: string | undefined
}

/** By the question's text: a label or what the person wrote; a list where several may be chosen. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/** The person does not want to answer. */
export class Unanswered extends Error {
  constructor(message = 'The question was turned down.') {
    super(message)
    this.name = 'Unanswered'
  }
}

/** Answers from a list, for tests: one for each time it is asked; nothing left is nobody answering. */
export function scriptedAsk(...script: readonly (Answers | Error)[]): Ask {
  const left = [...script]
  return async (_questions, signal) => {
    const next = left.shift()
    if (next instanceof Error) throw next
    return next ?? (await whenStopped(signal))
  }
}
