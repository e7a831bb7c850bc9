import type { Message } from '../context/message.ts'
import { JournalError, type RunLog } from '../journal/journal.ts'
import { memoryJournal } from '../journal/memory-journal.ts'
import { noUsage } from '../model/usage.ts'
import { yieldToOthers } from '../time/yield-to-others.ts'
import { storageEnd } from './ends.ts'
import { messagesOf } from './messages.ts'
import type { RunOptions } from './options.ts'
import { forkRun } from './resume/fork.ts'
import type { History, RunEnd } from './resume/history.ts'
import type { RunResult } from './run-result.ts'

/** An open run and its options. */
export interface OpenRun {
  readonly log: RunLog
  readonly options: RunOptions
}

/** The end of a run and its conversation. */
export type EndWithMessages = RunEnd & Pick<RunResult, 'messages'>

/**
 * Opens a run, forking it first if necessary. Returns the end of the run instead if it cannot be
 * opened.
 */
export async function openRun(id: string, options: RunOptions): Promise<OpenRun | EndWithMessages> {
  // Yield, because many runs may start simultaneously.
  await yieldToOthers()
  const { journal = memoryJournal(), takeover = false } = options
  try {
    // The fork already contains the prompt.
    const isForked = await forkUnlessKnown(id, options)
    const log = options.log ?? (await journal.open(id, { takeover }))
    return { log, options: isForked ? { ...options, resume: false } : options }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return { ...storageEnd(error, '', noUsage), messages: [] }
  }
}

/** Creates the fork described by the options, unless it exists. */
async function forkUnlessKnown(id: string, options: RunOptions): Promise<boolean> {
  const { journal = memoryJournal(), fork, prompt, untrusted, owner } = options
  if (!fork || (await journal.read(id)).length > 0) return false
  await forkRun(journal, fork.run, { id, turn: fork.turn, prompt, untrusted, owner })
  return true
}

/**
 * True if the prompt would have no effect on an existing run. Only the call that started the run
 * may be repeated.
 */
export function dropsPrompt({ setup }: History, options: RunOptions): boolean {
  if (!setup || options.resume || options.fork) return false
  const prompt = lastPrompt(messagesOf(options))
  return prompt !== undefined && prompt !== lastPrompt(setup.messages)
}

function lastPrompt(messages: readonly Message[]): string | undefined {
  const last = messages.filter(({ role }) => role === 'user').at(-1)
  return last && JSON.stringify(last)
}

export function promptError(id: string, { ends, isOpen }: History): JournalError {
  const isEnded = ends.length > 0 && !isOpen
  return new JournalError(
    isEnded ? 'ended' : 'taken',
    `The run ${id} has already ${isEnded ? 'ended' : 'begun'}, with another prompt. To add this one to it, pass resume: true; to start a new run, use another id.`,
  )
}
