import type { Host } from '../host/host.ts'
import type {
  CodeAction,
  CodeDiagnostic,
  CodePlace,
  CodeSymbol,
  Language,
  Told,
} from '../host/language.ts'
import type { Places } from './visible-places.ts'
import type { Quotes } from './leak-check.ts'
import type {
  Answered,
  FoundCall,
  FoundDiagnostic,
  FoundPlace,
  FoundSymbol,
  Listed,
} from './result.ts'

/** What an operation works with. */
export interface Asking {
  readonly language: Language
  readonly host: Pick<Host, 'files' | 'search' | 'fileSystem'>
  readonly place: CodePlace
  readonly places: Places
  readonly quotes: Quotes
  readonly signal: AbortSignal
}

/** How many of each are shown. */
const MAX_PLACES = 100
const MAX_CALLS = 50
export const MAX_DIAGNOSTICS = 100

export async function locations(
  topic: 'definition' | 'references' | 'implementation',
  { language, place, places, signal }: Asking,
): Promise<Listed & { locations: FoundPlace[] }> {
  const answer = await language.ask(topic, place, { signal })
  const { told, leftOut } = await places.told(answer.value)
  const shown: FoundPlace[] = []
  for (const { path, span } of told.slice(0, MAX_PLACES)) shown.push(await places.at(path, span))
  return { locations: shown, ...totals(told.length, shown, answer, leftOut) }
}

/** What is defined in a file that may not be read would speak through its type and its comment. */
export async function hover({
  language,
  place,
  places,
  quotes,
  signal,
}: Asking): Promise<Answered & { contents: string }> {
  const { value: definitions } = await language.ask('definition', place, { signal })
  const { value, server, loading } = await language.ask('hover', place, { signal })
  const here = definitions.flatMap(({ path, span }) => (path === place.path ? [span] : []))
  const hidden = (await places.hidden(definitions)) || (await quotes.keptBy(value, place, here))
  return {
    contents: hidden > 0 ? '' : value,
    server,
    ...(loading && { loading }),
    ...(hidden > 0 && { left_out: hidden }),
  }
}

export async function symbols(
  topic: 'symbols' | 'symbolsNamed' | 'callables',
  { language, place, places, signal }: Asking,
  most: number,
  isWanted: (symbol: CodeSymbol) => boolean = () => true,
): Promise<Listed & { symbols: FoundSymbol[] }> {
  const answer = await language.ask(topic, place, { signal })
  const { told, leftOut } = await places.told(answer.value.filter(isWanted))
  const shown: FoundSymbol[] = []
  for (const symbol of told.slice(0, most)) shown.push(await shownSymbol(symbol, places))
  return { symbols: shown, ...totals(told.length, shown, answer, leftOut) }
}

async function shownSymbol(symbol: CodeSymbol, places: Places): Promise<FoundSymbol> {
  const { path, span, ...rest } = symbol
  return { ...(await places.at(path, span)), ...rest }
}

export async function calls(
  topic: 'callers' | 'callees',
  { language, place, places, signal }: Asking,
): Promise<Listed & { calls: FoundCall[] }> {
  const answer = await language.ask(topic, place, { signal })
  // Both who calls and what is called must be such as may be told of.
  const { told: here } = await places.told(answer.value)
  const symbols = new Set((await places.told(here.map(({ symbol }) => symbol))).told)
  const told = here.filter(({ symbol }) => symbols.has(symbol))
  const leftOut = answer.value.length - told.length
  const shown: FoundCall[] = []
  for (const { symbol, spans, path } of told.slice(0, MAX_CALLS)) {
    const found: FoundPlace[] = []
    for (const span of spans.slice(0, MAX_CALLS)) found.push(await places.at(path, span))
    shown.push({ symbol: await shownSymbol(symbol, places), places: found })
  }
  return { calls: shown, ...totals(told.length, shown, answer, leftOut) }
}

export async function diagnostics(
  asking: Pick<Asking, 'language' | 'place' | 'places' | 'quotes' | 'signal'>,
): Promise<Listed & { diagnostics: FoundDiagnostic[] }> {
  const { language, place, places, quotes, signal } = asking
  const answer = await language.ask('diagnostics', place, { signal })
  const shown: FoundDiagnostic[] = []
  for (const each of worstFirst(answer.value).slice(0, MAX_DIAGNOSTICS))
    shown.push(await shownDiagnostic(each, { place, places, quotes }))
  return { diagnostics: shown, ...totals(answer.value.length, shown, answer) }
}

export async function shownDiagnostic(
  { span, ...rest }: CodeDiagnostic,
  { place, places, quotes }: Pick<Asking, 'place' | 'places' | 'quotes'>,
): Promise<FoundDiagnostic> {
  const kept = await quotes.keptBy(rest.message, place, [span])
  const message = kept > 0 ? KEPT : rest.message
  return { ...(await places.at(place.path, span)), ...rest, message }
}

/** In the place of a message. */
const KEPT = 'not shown, because it speaks of a file that may not be read'

export async function actions({
  language,
  place,
  quotes,
  signal,
}: Asking): Promise<Listed & { actions: readonly CodeAction[] }> {
  const answer = await language.ask('actions', place, { signal })
  const start = place.position!
  const told: CodeAction[] = []
  for (const action of answer.value)
    if ((await quotes.keptBy(action.title, place, [{ start, end: start }])) === 0) told.push(action)
  const shown = told.slice(0, MAX_CALLS)
  const leftOut = answer.value.length - told.length
  return { actions: shown, ...totals(told.length, shown, answer, leftOut) }
}

function totals(
  total: number,
  shown: readonly unknown[],
  { server, loading }: Told<unknown>,
  leftOut = 0,
): Listed {
  return {
    total,
    truncated: shown.length < total,
    server,
    ...(loading && { loading }),
    ...(leftOut > 0 && { left_out: leftOut }),
  }
}

const SEVERITIES = ['error', 'warning', 'information', 'hint']

function worstFirst(diagnostics: readonly CodeDiagnostic[]): CodeDiagnostic[] {
  const rank = ({ severity }: CodeDiagnostic): number => SEVERITIES.indexOf(severity)
  return [...diagnostics].sort((one, other) => rank(one) - rank(other))
}
