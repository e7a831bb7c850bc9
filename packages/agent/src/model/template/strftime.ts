import { TemplateError } from './template-error.ts'

const MAX_FORMAT = 200

/** A date in a format such as `%d %b %Y`, in English and in local time, as Python's `strftime`. */
export function strftime(format: string, date: Date): string {
  if (format.length > MAX_FORMAT)
    throw new TemplateError(`a date has a format of more than ${MAX_FORMAT} characters`)
  return format.replaceAll(/%([-#]?)([a-zA-Z%])/g, (whole, mark: string, letter: string) => {
    const part = parts[letter]?.(date)
    if (part === undefined) return whole
    return mark === '' ? part : part.replace(/^0+(?=\d)/, '')
  })
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

const two = (value: number): string => String(value).padStart(2, '0')
const month = (date: Date): string => MONTHS[date.getMonth()]!
const day = (date: Date): string => DAYS[date.getDay()]!

const parts: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getFullYear()),
  y: (date) => two(date.getFullYear() % 100),
  m: (date) => two(date.getMonth() + 1),
  d: (date) => two(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2),
  B: month,
  b: (date) => month(date).slice(0, 3),
  h: (date) => month(date).slice(0, 3),
  A: day,
  a: (date) => day(date).slice(0, 3),
  H: (date) => two(date.getHours()),
  I: (date) => two(date.getHours() % 12 || 12),
  M: (date) => two(date.getMinutes()),
  S: (date) => two(date.getSeconds()),
  f: (date) => `${String(date.getMilliseconds()).padStart(3, '0')}000`,
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
  w: (date) => String(date.getDay()),
  u: (date) => String(date.getDay() || 7),
  F: (date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
  T: (date) => [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':'),
  D: (date) => [date.getMonth() + 1, date.getDate(), date.getFullYear() % 100].map(two).join('/'),
  R: (date) => [date.getHours(), date.getMinutes()].map(two).join(':'),
  Z: () => '',
  z: () => '',
  '%': () => '%',
}

function dayOfYear(date: Date): number {
  const start = Date.UTC(date.getFullYear(), 0, 1)
  const now = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((now - start) / 86_400_000) + 1
}
