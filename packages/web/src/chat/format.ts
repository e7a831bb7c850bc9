import { useMemo } from 'react'
import { useWords } from '../words/words.ts'
import type { TurnItem } from '@toolglot/react/view'

/** Formats figures in the language of the page. */
interface Format {
  /** In milliseconds. */
  readonly duration: (milliseconds: number) => string
  /** Tokens, rounded. */
  readonly tokens: (count: number) => string
}

/** The number formats of the page's language. */
export function useFormat(): Format {
  const { t, number } = useWords()
  return useMemo(
    () => ({
      duration(milliseconds) {
        if (milliseconds < 1000)
          return t('chat.time.milliseconds', { value: number(Math.round(milliseconds)) })
        const seconds = milliseconds / 1000
        if (seconds < 59.95) {
          const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
          return t('chat.time.seconds', { value: number(seconds, digits) })
        }
        const whole = Math.round(seconds)
        return t('chat.time.minutes', {
          minutes: number(Math.floor(whole / 60)),
          seconds: number(whole % 60),
        })
      },
      tokens: (count) =>
        number(count, { notation: 'compact', maximumFractionDigits: count < 100_000 ? 1 : 0 }),
    }),
    [t, number],
  )
}

/** Shorter replies are too short to measure speed. */
const MIN_TIME = 100

/** The tokens per second that the model wrote in a turn, if it can be measured. */
export function tokenRate({
  usage,
  duration,
  firstToken = 0,
}: Pick<TurnItem, 'usage' | 'duration' | 'firstToken'>): number | undefined {
  if (!usage || duration === undefined || duration - firstToken < MIN_TIME) return undefined
  return usage.output / ((duration - firstToken) / 1000)
}
