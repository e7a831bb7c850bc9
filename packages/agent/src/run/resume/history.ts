import type { Message, UserMessage } from '../../context/message.ts'
import type { JournalRecord } from '../../journal/journal.ts'
import type { RunEventBody } from '../event.ts'

/** How a run was set up. */
export interface RunSetup {
  readonly model: string
  readonly protocol: string
  /** Where it works. */
  readonly cwd?: string
  readonly tools: readonly unknown[]
  readonly messages: readonly Message[]
  /** What a stranger may have written in them. */
  readonly untrusted?: readonly string[]
}

/** What a person said after the run had begun, and before which turn. */
export interface RunInput {
  readonly message: UserMessage
  readonly turn: number
  /** What the model had said last, where that was no answer. */
  readonly said?: string
  /** What came with it that a stranger may have written. */
  readonly untrusted?: readonly string[]
}

export type RunEnd = Omit<Extract<RunEventBody, { type: 'run-end' }>, 'type'>

/** What the records of a run say of it before it goes on. */
export interface History {
  readonly setup: RunSetup | undefined
  /** How often it was set up. */
  readonly setups: number
  readonly inputs: readonly RunInput[]
  /** What was brought along that a stranger may have written. */
  readonly untrusted: readonly string[]
  readonly ends: readonly RunEnd[]
  /** Turns that the model has finished. */
  readonly turns: number
  /** Something was recorded behind the last end. */
  readonly isOpen: boolean
}

export function readHistory(records: readonly JournalRecord[]): History {
  const values = records.filter(({ kind }) => kind === 'value')
  const under = (prefix: string): unknown[] =>
    values.filter(({ key }) => key.startsWith(prefix)).map(({ value }) => value)
  const setups = values.filter(({ key }) => key === 'run' || key.startsWith('run/'))
  const inputs = under('input/') as RunInput[]
  const brought = [...setups.map(({ value }) => value as RunSetup), ...inputs]
  return {
    setup: setups.at(-1)?.value as RunSetup | undefined,
    setups: setups.length,
    inputs,
    untrusted: brought.flatMap(({ untrusted = [] }) => untrusted),
    ends: under('end/') as RunEnd[],
    turns: values.filter(({ key }) => /^turn\/\d+$/.test(key)).length,
    isOpen: values.at(-1)?.key.startsWith('end/') === false,
  }
}

/** What is different from when the run was set up, in words. */
export function describeChanges(before: RunSetup, now: RunSetup): string[] {
  const same = (one: unknown, other: unknown): boolean =>
    JSON.stringify(one) === JSON.stringify(other)
  return [
    ...(before.model === now.model ? [] : [`the model was ${before.model} and is ${now.model}`]),
    ...(before.protocol === now.protocol
      ? []
      : [`the protocol was ${before.protocol} and is ${now.protocol}`]),
    ...(before.cwd === undefined || before.cwd === now.cwd
      ? []
      : [`it worked in ${before.cwd} and would go on in ${now.cwd}`]),
    ...(same(before.tools, now.tools) ? [] : ['the tools are not the same']),
  ]
}
