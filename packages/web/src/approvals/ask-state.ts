import type { Answers, ApprovalAnswer, Question } from '@toolglot/agent'
import { useCallback, useSyncExternalStore } from 'react'

/** The scope of “always”: the run, the user or the folder. */
export type Scope = 'run' | 'user' | 'folder'

/** The user's answer. */
export type Choice =
  | ({ readonly type: 'allow'; readonly always?: Scope } & Pick<ApprovalAnswer, 'network'>)
  | { readonly type: 'deny'; readonly reason?: string; readonly stop?: boolean }
  | { readonly type: 'answer'; readonly answers: Answers }

/**
 * The network access of a call: as the sandbox allows, unrestricted for this call, or hosts that
 * stay allowed.
 */
export type Reach = 'sandbox' | 'once' | 'hosts'

/** The progress of sending an answer. */
export interface Sent {
  readonly choice: Choice
  /** `late`: the request was already answered elsewhere. */
  readonly status: 'sending' | 'recorded' | 'failed' | 'late'
  readonly error?: unknown
}

/**
 * The state of the user's answer. It outlives the card, which is mounted only while it is in view.
 */
export interface AskState {
  readonly reason: string
  readonly isAlwaysOpen: boolean
  readonly scope: Scope
  readonly reach: Reach
  /** The hosts that the user typed; undefined until then. */
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

/** The most recently changed state is last. */
const states = new Map<string, AskState>()
/** The maximum number of remembered states. */
const MAX_STATES = 500
const listeners = new Set<() => void>()

const idOf = (run: string, key: string): string => `${run} ${key}`

/** The state of the user's answer to a request. */
export function askState(run: string, key: string): AskState {
  return states.get(idOf(run, key)) ?? INITIAL
}

/** Updates the state of a card. */
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

/** The state of the user's answer, and a function that changes it. */
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

/** The user's selection for one question so far. */
export interface Selection {
  /** The labels of the selected options. */
  readonly labels: readonly string[]
  /** True if “something else” is selected; then `other` is the answer. */
  readonly hasOther: boolean
  readonly other: string
}

/** The initial selection. */
export const NOTHING_SELECTED: Selection = { labels: [], hasOther: false, other: '' }

/**
 * Stands for the user's own answer in `choose`. It cannot equal the label of an option, since those
 * are strings.
 */
export const OTHER = Symbol('something else')

/**
 * Selects an option or the user's own answer. If several may be selected, selecting again
 * deselects.
 */
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

/**
 * Selects by a digit: the options in order, then the user's own answer. Undefined if the digit has
 * no option.
 */
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

/** True if the question has an answer. */
export function isAnswered({ labels, hasOther, other }: Selection): boolean {
  return hasOther ? other.trim() !== '' : labels.length > 0
}

/** The answers to send, in the order of the options. Undefined if a question has no answer yet. */
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

/** Empty answers to all questions, which decline to answer. */
export function noAnswers(questions: readonly Question[]): Answers {
  return Object.fromEntries(questions.map(({ question }) => [question, '']))
}
