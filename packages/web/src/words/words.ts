// Folder: The page's texts, by language.
import {
  createContext,
  createElement,
  use,
  useEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react'
import { readStored, writeStored } from '../app/stored.ts'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import en from './en.json' with { type: 'json' }

export { en }

/** The values in a text: {name}, and {count, plural, one {# call} other {# calls}}. */
export type Values = Readonly<Record<string, string | number>>

/**
 * A text in pieces: literal text, values `[name]`, and plurals `[name, 'plural', forms]`. `#` is
 * the number of a plural.
 */
type Pieces = string | readonly Piece[]

type Piece = string | readonly [name: string, type?: string, forms?: Forms]

type Forms = Readonly<Record<string, Pieces>>

/** The number format of a language. */
interface Writing {
  readonly number: (value: number) => string
  readonly pluralOf: (value: number) => string
}

/** The key of a text of the page. */
export type Key = keyof typeof en
/** Every text of the page in one language. */
export type Words = Readonly<Record<Key, string>>
/** The languages of the page. */
export const LANGUAGES = { en: 'English', vi: 'Tiếng Việt', zh: '中文' } as const
export type Language = keyof typeof LANGUAGES

/** Returns a text in the page's language. */
export type Translate = (key: Key, values?: Values) => string

/** Translates texts, and formats numbers and times. */
export interface InLanguage {
  readonly t: Translate
  readonly language: Language
  readonly setLanguage: (language: Language) => void
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string
  readonly date: (value: number, options?: Intl.DateTimeFormatOptions) => string
}

const load: Readonly<Record<Language, () => Promise<Words>>> = {
  en: () => Promise.resolve(en),
  vi: async () => (await import('./vi.json', { with: { type: 'json' } })).default,
  zh: async () => (await import('./zh.json', { with: { type: 'json' } })).default,
}
const TAGS: Readonly<Record<Language, string>> = { en: 'en', vi: 'vi', zh: 'zh-Hans' }

/**
 * Texts in a language whose words are loaded. Texts and formats are cached: pages draw them many
 * times a second.
 */
export function translator(language: Language, words: Words): Omit<InLanguage, 'setLanguage'> {
  const tag = TAGS[language]
  const plurals = new Intl.PluralRules(tag)
  const numbers = kept((options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(tag, options))
  const dates = kept(
    (options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, options),
  )
  const number: InLanguage['number'] = (value, options) => numbers(options).format(value)
  // All digits of a configured number, without padding zeros.
  const exact = new Intl.NumberFormat(tag, { maximumFractionDigits: 20 })
  const writing: Writing = {
    number: (value) => (Math.abs(value) < 1e15 ? exact.format(value) : String(value)),
    pluralOf: (value) => plurals.select(value),
  }
  const texts = kept((key: Key) => formatterOf(words[key], writing))
  return {
    language,
    t: (key, values) => texts(key)(values),
    number,
    date: (value, options) => dates(options).format(value),
  }
}

/** Caches the result for each input. */
function kept<Input, Made>(make: (input: Input) => Made): (input?: Input) => Made {
  const all = new Map<string, Made>()
  return (input) => {
    const key = JSON.stringify(input ?? null)
    let made = all.get(key)
    if (made === undefined) all.set(key, (made = make(input as Input)))
    return made
  }
}

const Context = createContext<InLanguage | undefined>(undefined)

/** The texts of the page. */
export function useWords(): InLanguage {
  return use(Context)!
}

const STORED = 'toolglot-language'

/** Provides texts in the user's language, or the browser's preferred one, to its children. */
export function WordsProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState(preferredLanguage)
  const [loaded, setLoaded] = useState({ language: 'en' as Language, words: en as Words })
  // The first language must be loaded before anything is drawn.
  const [isReady, setReady] = useState(language === 'en')
  useEffect(() => {
    let isCurrent = true
    load[language]()
      .then((words) => isCurrent && setLoaded({ language, words }))
      // If loading fails, the current words stay.
      .catch(() => {})
      .finally(() => setReady(true))
    return () => void (isCurrent = false)
  }, [language])
  useEffect(() => {
    document.documentElement.lang = TAGS[loaded.language]
  }, [loaded])
  const value = useMemo(
    (): InLanguage => ({
      ...translator(loaded.language, loaded.words),
      setLanguage(next) {
        writeStored(STORED, next)
        setLanguage(next)
      },
    }),
    [loaded],
  )
  return isReady ? createElement(Context, { value }, children) : null
}

function preferredLanguage(): Language {
  const known = [readStored(STORED), ...navigator.languages]
  for (const each of known) {
    const short = each?.slice(0, 2) ?? ''
    if (short in LANGUAGES) return short as Language
  }
  return 'en'
}

/** Compiles a text once. Strings are inserted unchanged, numbers in the language's format. */
export function formatterOf(
  text: string,
  { number, pluralOf }: Writing,
): (values?: Values) => string {
  const whole = compileMessage(text) as Pieces
  const write = (pieces: Pieces, values: Values, count?: string): string =>
    typeof pieces === 'string'
      ? pieces
      : pieces.map((piece) => writePiece(piece, values, count)).join('')
  const writePiece = (piece: Piece, values: Values, count: string | undefined): string => {
    if (piece === '#' && count !== undefined) return count
    if (typeof piece === 'string') return piece
    const [name, type, forms = {}] = piece
    const value = values[name] ?? ''
    if (type === undefined) return typeof value === 'number' ? number(value) : value
    if (type !== 'plural') throw new TypeError(`Texts support only plurals, not ${type}.`)
    const form = forms[String(value)] ?? forms[pluralOf(Number(value))] ?? forms['other'] ?? ''
    return write(form, values, number(Number(value)))
  }
  return (values = {}) => write(whole, values)
}
