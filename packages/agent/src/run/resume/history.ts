import type { Message, UserMessage } from '../../context/message.ts'
import type { JournalRecord } from '../../journal/journal.ts'
import type { RunEventBody } from '../event.ts'

/** How a run was set up, as recorded in the journal. */
export interface RunSetup {
  readonly model: string
  readonly protocol: string
  /** The working directory. */
  readonly cwd?: string
  readonly tools: readonly unknown[]
  readonly messages: readonly Message[]
  /** Texts in the messages that come from untrusted sources. */
  readonly untrusted?: readonly string[]
}

/** A message that a person added to a run later, and the turn that it precedes. */
export interface RunInput {
  readonly message: UserMessage
  readonly turn: number
  /** The model's last text, if that was not an answer. */
  readonly said?: string
  /** Texts in the message that come from untrusted sources. */
  readonly untrusted?: readonly string[]
}

/** How a run ended. */
export type RunEnd = Omit<Extract<RunEventBody, { type: 'run-end' }>, 'type'>

/** What the journal has about a run before it is resumed. */
export interface History {
  readonly setup: RunSetup | undefined
  /** How many setups were recorded: another one each time a changed setup was confirmed. */
  readonly setups: number
  readonly inputs: readonly RunInput[]
  /** The untrusted texts of all setups and inputs. */
  readonly untrusted: readonly string[]
  readonly ends: readonly RunEnd[]
  /** How many turns the model has finished. */
  readonly turns: number
  /** Whether anything was recorded after the last end. */
  readonly isOpen: boolean
}

/** Reads the history of a run from its records. */
export function readHistory(records: readonly JournalRecord[]): History {
  const values = records.filter(({ kind }) => kind === 'value')
  const under = (prefix: string): unknown[] =>
    values.filter(({ key }) => key.startsWith(prefix)).map(({ value }) => value)
  const setups = values.filter(({ key }) => key === 'run' || key.startsWith('run/'))
  const inputs = under('input/') as RunInput[]
  const sources = [...setups.map(({ value }) => value as RunSetup), ...inputs]
  return {
    setup: setups.at(-1)?.value as RunSetup | undefined,
    setups: setups.length,
    inputs,
    untrusted: sources.flatMap(({ untrusted = [] }) => untrusted),
    ends: under('end/') as RunEnd[],
    turns: values.filter(({ key }) => /^turn\/\d+$/.test(key)).length,
    isOpen: values.at(-1)?.key.startsWith('end/') === false,
  }
}
