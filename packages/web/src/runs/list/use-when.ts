import { useWords } from '../../words/words.ts'

const DAY = 86_400_000

/** Says when something was in as few words as possible: the time of today, the day of this week, or the date. */
export function useWhen(): (time: number) => string {
  const { date } = useWords()
  return (time) => {
    const now = new Date()
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
    if (time >= midnight) return date(time, { hour: '2-digit', minute: '2-digit' })
    if (time >= midnight - 6 * DAY) return date(time, { weekday: 'short' })
    const isThisYear = new Date(time).getFullYear() === now.getFullYear()
    return date(time, { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) })
  }
}
