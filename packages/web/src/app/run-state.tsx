import type { ReactNode } from 'react'
import { LIMIT_REASONS } from '../compose/run-status-of.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { type Key, useWords } from '../words/words.ts'
import type { RunSummary } from './run-title.ts'

interface Sign {
  readonly icon?: IconName
  readonly color: string
  readonly words: Key
}

const ANSWERED: Sign = { icon: 'check', color: 'text-ok', words: 'shell.run.answered' }
const WAITING: Sign = { icon: 'hand', color: 'text-ask', words: 'shell.run.waiting' }
const RUNNING: Sign = { color: 'text-call', words: 'shell.run.running' }
const STOPPED: Sign = { icon: 'stop', color: 'text-ink-3', words: 'shell.run.stopped' }
const INTERRUPTED: Sign = { icon: 'q', color: 'text-ask', words: 'shell.run.interrupted' }
const LIMITED: Sign = { icon: 'pause', color: 'text-ask', words: 'shell.run.limited' }
const FAILED: Sign = { icon: 'x', color: 'text-no', words: 'shell.run.failed' }

const LIMITS: ReadonlySet<string> = new Set([...LIMIT_REASONS, 'context_overflow'])

function signOf({ state, reason }: RunSummary, isWaiting: boolean): Sign {
  if (isWaiting || state === 'waiting') return WAITING
  if (state === 'running') return RUNNING
  if (state === 'interrupted' || reason === 'interrupted') return INTERRUPTED
  if (state === 'corrupt') return FAILED
  if (reason === 'answer' || reason === undefined) return ANSWERED
  if (reason === 'cancelled' || reason === 'denied') return STOPPED
  return LIMITS.has(reason) ? LIMITED : FAILED
}

/** How far a run is, as a sign with words. */
export function RunState({
  run,
  isWaiting,
}: {
  readonly run: RunSummary
  /** Whether it is known to wait for a person. */
  readonly isWaiting: boolean
}): ReactNode {
  const { t } = useWords()
  const { icon, color, words } = signOf(run, isWaiting)
  return (
    <span className={`run-state ${color}`} title={t(words)}>
      {icon ? <Icon name={icon} /> : <span className="spin" />}
      <span className="sr">{t(words)}</span>
    </span>
  )
}
