import type { Answers, ApprovalAnswer, Question } from '@toolglot/agent'
import { useCallback, useSyncExternalStore } from 'react'

/** For how long, or where, "always" holds. */
export type Scope = 'run' | 'user' | 'folder'

/** A person's answer. */
export type Choice =
  | ({ readonly type: 'allow'; readonly always?: Scope } & Pick<ApprovalAnswer, 'network'>)
  | { readonly type: 'deny'; readonly reason?: string; readonly stop?: boolean }
  | { readonly type: 'answer'; readonly answers: Answers }

/** The network access of a call: as its sandbox allows, everything this time, or hosts from now on. */
export type Reach = 'sandbox' | 'once' | 'hosts'

/** How far an answer has come. */
export interface Sent {
  readonly choice: Choice
  /** `late`: it waits no longer, because somebody else was first. */
  readonly status: 'sending' | 'recorded' | 'failed' | 'late'
  readonly error?: unknown
}

/** The state of a person's answer. It outlives the card, which is only drawn while it is in view. */
export interface AskState {
  readonly reason: string
  readonly isAlwaysOpen: boolean
  readonly scope: Scope
  readonly reach: Reach
  /** The hosts that a person wrote; undefined before they did. */
  readonly hosts: string | undefined
  readonly hostScope: Scope
  readonly selections: readonly Selection[]
  readonly sent: Sent | undefined
}

const INITIAL: AskState = {
  reason: '',
  isAlwaysOpen: false,
  scope: 'run',
  reach: 'sandbox',
  hosts: undefined,
  hostScope: 'run',
  selections: [],
  sent: undefined,
}

/** The one that was changed last is at the end. */
const states = new Map<string, AskState>()
/** How many are remembered. */
const MAX_STATES = 500
const listeners = new Set<() => void>()

const idOf = (run: string, key: string): string => `${run} ${key}`

/** The state of a person's answer. */
export function askState(run: string, key: string): AskState {
  return states.get(idOf(run, key)) ?? INITIAL
}

/** Changes what a person has done with a card. */
export function changeAskState(run: string, key: string, change: Partial<AskState>): void {
  const id = idOf(run, key)
  const next = { ...askState(run, key), ...change }
  states.delete(id)
  states.set(id, next)
  for (const [oldest] of states) {
    if (states.size <= MAX_STATES) break
    states.delete(oldest)
  }
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The state of a person's answer, and how to change it. */
export function useAskState(
  run: string,
  key: string,
): readonly [AskState, (change: Partial<AskState>) => void] {
  const state = useSyncExternalStore(subscribe, () => askState(run, key))
  const change = useCallback(
    (next: Partial<AskState>) => changeAskState(run, key, next),
    [run, key],
  )
  return [state, change]
}

/** A person's choice for one question so far. */
export interface Selection {
  /** Labels of options. */
  readonly labels: readonly string[]
  /** Whether something else is chosen: then `other` counts. */
  readonly hasOther: boolean
  readonly other: string
}

/** Nothing is chosen at first. */
export const NOTHING_SELECTED: Selection = { labels: [], hasOther: false, other: '' }

/** The person's own words in `choose`. No option has this label, since labels are texts. */
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

/** The refusal to answer: an empty answer to each question. */
export function noAnswers(questions: readonly Question[]): Answers {
  return Object.fromEntries(questions.map(({ question }) => [question, '']))
}
