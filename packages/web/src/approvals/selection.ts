import type { Answers, Question } from '@toolglot/agent'

/** What a person has chosen for one question so far. */
export interface Selection {
  /** Labels of options. */
  readonly labels: readonly string[]
  /** Whether something else is chosen: then `other` counts. */
  readonly hasOther: boolean
  readonly other: string
}

/** Nothing is chosen at first. */
export const NOTHING_SELECTED: Selection = { labels: [], hasOther: false, other: '' }

/** What `choose` calls the person's own words. No option is called so: labels are texts. */
export const OTHER = Symbol('something else')

/** Chooses an option, or own words. Where several may be chosen, choosing again takes it back. */
export function choose(
  { multiSelect = false }: Pick<Question, 'multiSelect'>,
  selection: Selection,
  choice: string | typeof OTHER,
): Selection {
  if (choice === OTHER) {
    return multiSelect
      ? { ...selection, hasOther: !selection.hasOther }
      : { ...selection, labels: [], hasOther: true }
  }
  if (!multiSelect) return { ...selection, labels: [choice], hasOther: false }
  const labels = selection.labels.includes(choice)
    ? selection.labels.filter((label) => label !== choice)
    : [...selection.labels, choice]
  return { ...selection, labels }
}

/** Chooses by a digit: the options in order, then own words. Undefined if there is nothing under it. */
export function chooseByDigit(
  question: Question,
  selection: Selection,
  digit: number,
): Selection | undefined {
  const { options } = question
  if (digit === options.length + 1) return choose(question, selection, OTHER)
  const option = options[digit - 1]
  return option && choose(question, selection, option.label)
}

/** Whether a question has an answer. */
export function isAnswered({ labels, hasOther, other }: Selection): boolean {
  return hasOther ? other.trim() !== '' : labels.length > 0
}

/** The answers to send, in the order of the options. Undefined while a question has none. */
export function answersOf(
  questions: readonly Question[],
  selections: readonly Selection[],
): Answers | undefined {
  if (!questions.every((_, at) => isAnswered(selections[at] ?? NOTHING_SELECTED))) return undefined
  return Object.fromEntries(
    questions.map(({ question, options, multiSelect = false }, at) => {
      const { labels, hasOther, other } = selections[at]!
      const chosen = [
        ...options.map(({ label }) => label).filter((label) => labels.includes(label)),
        ...(hasOther ? [other.trim()] : []),
      ]
      return [question, multiSelect ? chosen : chosen[0]!]
    }),
  )
}

/** What says that somebody does not want to answer: an empty answer to each question. */
export function noAnswers(questions: readonly Question[]): Answers {
  return Object.fromEntries(questions.map(({ question }) => [question, '']))
}
