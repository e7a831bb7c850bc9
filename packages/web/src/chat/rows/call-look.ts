import { type CallPart, callState } from '@toolglot/react/view'
import type { IconName } from '../../ui/icon.tsx'
import type { Key } from '../../words/words.ts'

/** The appearance of a call, which never depends on color alone. */
export interface CallLook {
  /** The kind of its bubble. */
  readonly kind: '' | 'pending' | 'failed' | 'denied' | 'unsure'
  /** The color of its icon. */
  readonly tone: '' | 'ok' | 'no' | 'off' | 'ask'
  readonly glyph: IconName | 'spin'
  /** Its state in a word. */
  readonly word: Key
  /** A sentence about its state, if a word is not enough. */
  readonly about?: Key
  /** True if it unfolds by default. */
  readonly isOpen: boolean
}

const RUNNING = { kind: '', tone: '', glyph: 'spin', isOpen: true } as const
const FAILED = { kind: 'failed', tone: 'no', glyph: 'x', isOpen: true } as const
const OFF = { kind: 'denied', tone: 'off', glyph: 'slash', isOpen: false } as const

/** The appearance of a call. */
export function callLook(part: CallPart): CallLook {
  const { outcome } = part
  if (!outcome) return unfinishedLook(part)
  switch (outcome.status) {
    case 'success':
      if (callWarnings(part).length > 0)
        return { kind: 'unsure', tone: 'ask', glyph: 'hand', word: 'chat.call.done', isOpen: true }
      return (exitCode(part) ?? 0) === 0
        ? { kind: '', tone: 'ok', glyph: 'check', word: 'chat.call.done', isOpen: false }
        : { ...FAILED, word: 'chat.call.exited' }
    case 'error':
      return { ...FAILED, word: 'chat.call.failed' }
    case 'timeout':
      return { ...FAILED, word: 'chat.call.timeout', about: 'chat.call.timeout.about' }
    case 'denied':
      return { ...OFF, word: 'chat.call.denied' }
    case 'cancelled':
      return { ...OFF, word: 'chat.call.cancelled', about: 'chat.call.cancelled.about' }
    case 'duplicate':
      return { ...OFF, word: 'chat.call.duplicate' }
    case 'cut_off':
      return { ...OFF, word: 'chat.call.cutOff', about: 'chat.call.cutOff.about' }
    case 'not_run':
      return { ...OFF, word: 'chat.call.notRun', about: 'chat.call.notRun.about' }
    case 'unknown':
      return {
        kind: 'unsure',
        tone: 'ask',
        glyph: 'q',
        word: 'chat.call.unknown',
        about: outcome.mayHaveChanged
          ? 'chat.call.unknown.mayHaveChanged'
          : 'chat.call.unknown.unchanged',
        isOpen: true,
      }
  }
}

function unfinishedLook(part: CallPart): CallLook {
  switch (callState(part)) {
    case 'writing':
      return { ...RUNNING, kind: 'pending', word: 'chat.call.writing' }
    case 'asking':
      return { kind: '', tone: 'ask', glyph: 'hand', word: 'chat.call.asking', isOpen: true }
    case 'running':
      return { ...RUNNING, word: 'chat.call.running' }
    case 'queued':
    case 'ended':
      return { kind: '', tone: 'off', glyph: 'clock', word: 'chat.call.queued', isOpen: false }
  }
}

/** Warnings about the result of a call. */
export function callWarnings({ outcome }: Pick<CallPart, 'outcome'>): readonly string[] {
  const { warnings } = Object(outcome?.data) as { warnings?: unknown }
  return Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : []
}

/** The exit code of a command; undefined if the call is not a command or has not ended. */
export function exitCode({ outcome }: Pick<CallPart, 'outcome'>): number | undefined {
  return exitCodeIn(outcome?.data) ?? exitCodeIn(outcome?.failure?.details)
}

function exitCodeIn(fields: unknown): number | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined
  const { exit_code, exitCode: other = exit_code } = fields as Record<string, unknown>
  return typeof other === 'number' ? other : undefined
}

/** True if a group may hide the call: it needs no attention, and the user did not decide on it. */
export function isQuiet(part: CallPart): boolean {
  const { approval, question, late, outcome, call } = part
  if (approval || question || late) return false
  switch (outcome?.status) {
    case undefined:
      return callState(part) === 'queued'
    case 'success':
      // Calls that changed a file stay visible.
      if (changesFile(call?.args) || callWarnings(part).length > 0) return false
      return (exitCode(part) ?? 0) === 0
    case 'not_run':
    case 'duplicate':
    case 'cancelled':
    case 'cut_off':
      return true
    case 'error':
    case 'denied':
    case 'timeout':
    case 'unknown':
      return false
  }
}

function changesFile(args: Readonly<Record<string, unknown>> | undefined): boolean {
  return args !== undefined && ('new_string' in args || 'content' in args)
}
