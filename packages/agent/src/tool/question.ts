/** A question to a person. */
export interface Question {
  readonly question: string
  /** A short title of at most 12 characters. */
  readonly header: string
  /** Two to four options. The user can always type a different answer. */
  readonly options: readonly QuestionOption[]
  readonly multiSelect?: boolean | undefined
}

/** An option that a person can choose. */
export interface QuestionOption {
  readonly label: string
  readonly description: string
  /** A preview of the option, in Markdown. */
  readonly preview?: string | undefined
}

/**
 * Answers, by the text of the question. Each answer is a label or the person's own text, or a list
 * of these for `multiSelect`.
 */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/**
 * Asks a person questions. Rejects with `Unanswered` if the person declines, and with the signal's
 * reason if the signal is aborted.
 */
export type Ask = (questions: readonly Question[], signal: AbortSignal) => Promise<Answers>

/** The error with which `Ask` rejects if the person declines to answer. */
export class Unanswered extends Error {
  constructor(message = 'The user declined to answer.') {
    super(message)
    this.name = 'Unanswered'
  }
}
