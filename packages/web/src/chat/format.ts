import { useMemo } from 'react'
import { useWords } from '../words/words.ts'

/** How the language of the page writes figures. */
export interface Format {
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
