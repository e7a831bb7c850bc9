import { useMemo } from 'react'
import { useWords } from '../words/words.ts'
import type { TurnItem } from '@toolglot/react/view'

/** How the language of the page writes figures. */
interface Format {
  /** In milliseconds. */
  readonly duration: (milliseconds: number) => string
  /** Tokens, rounded. */
  readonly tokens: (count: number) => string
}

/** How figures are written. */
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

/** A shorter reply says nothing about speed. */
const MIN_TIME = 100

/** How many tokens a second the model wrote in a turn, if that can be said. */
export function tokenRate({
  usage,
  duration,
  firstToken = 0,
}: Pick<TurnItem, 'usage' | 'duration' | 'firstToken'>): number | undefined {
  if (!usage || duration === undefined || duration - firstToken < MIN_TIME) return undefined
  return usage.output / ((duration - firstToken) / 1000)
}
