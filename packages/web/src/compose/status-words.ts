import type { InLanguage } from '../words/words.ts'
import type { RunStatus } from './run-status-of.ts'

/** A status in words. */
export interface StatusWords {
  readonly title: string
  readonly text: string
  /** What continuing is called. */
  readonly resume: string
}

/** Says a status in words. */
export function statusWords(
  { reason, limit, limits }: RunStatus,
  { t, number }: Pick<InLanguage, 't' | 'number'>,
): StatusWords {
  const count = limit ?? 0
  const seconds = number(count / 1000, { style: 'unit', unit: 'second', unitDisplay: 'long' })
  return {
    title: t(`compose.status.${reason}`, { count, seconds }),
    text: t(`compose.status.${reason}.text`),
    resume:
      reason === 'max_iterations' && limit !== undefined
        ? t('compose.status.continue.turns', { count })
        : reason === 'max_tool_calls' && limit !== undefined
          ? t('compose.status.continue.calls', { count })
          : limits?.maxTokens !== undefined || limits?.maxCost !== undefined
            ? t('compose.status.continue.budget')
            : reason === 'model_error' || reason === 'storage'
              ? t('shell.retry')
              : t('compose.status.continue'),
  }
}
