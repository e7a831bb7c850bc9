/** Something a person is asked. */
export interface Question {
  readonly question: string
  /** At most 12 characters. */
  readonly header: string
  /** Two to four; a person may always say something else. */
  readonly options: readonly QuestionOption[]
  readonly multiSelect?: boolean | undefined
}

export interface QuestionOption {
  readonly label: string
  readonly description: string
  /** Markdown that shows what choosing it would give. */
  readonly preview?: string | undefined
}

/** By the question's text: a label or what the person wrote; a list where several may be chosen. */
export type Answers = Readonly<Record<string, string | readonly string[]>>

/** Puts questions to a person. It rejects with `Unanswered` if they will not say, and as the signal says if it is stopped. */
export type Ask = (questions: readonly Question[], signal: AbortSignal) => Promise<Answers>

/** The person does not want to answer. */
export class Unanswered extends Error {
  constructor(message = 'The question was turned down.') {
    super(message)
    this.name = 'Unanswered'
  }
}
