import type { Host } from '../host/host.ts'
import type {
  CodeAction,
  CodeDiagnostic,
  CodePlace,
  CodeSymbol,
  Language,
  LanguageAnswer,
} from '../host/language.ts'
import type { VisiblePlaces } from './visible-places.ts'
import type { LeakCheck } from './leak-check.ts'
import type {
  Answered,
  FoundCall,
  FoundDiagnostic,
  FoundPlace,
  FoundSymbol,
  Listed,
} from './result.ts'

/** The context of an operation. */
export interface OperationContext {
  readonly language: Language
  readonly host: Pick<Host, 'files' | 'search' | 'fileSystem'>
  readonly place: CodePlace
  readonly places: VisiblePlaces
  readonly leakCheck: LeakCheck
  readonly signal: AbortSignal
}

/** The maximum number of places and actions shown. */
const MAX_PLACES = 100
const MAX_CALLS = 50
export const MAX_DIAGNOSTICS = 100

/** Definitions, references or implementations. */
export async function queryLocations(
  topic: 'definition' | 'references' | 'implementation',
  { language, place, places, signal }: OperationContext,
): Promise<Listed & { locations: FoundPlace[] }> {
  const answer = await language.ask(topic, place, { signal })
  const { visible, leftOut } = await places.filterVisible(answer.value)
  const shown: FoundPlace[] = []
  for (const { path, span } of visible.slice(0, MAX_PLACES)) shown.push(await places.at(path, span))
  return { locations: shown, ...totals(visible.length, shown, answer, leftOut) }
}

/**
 * Omits the hover text of symbols defined in hidden files, because it would reveal their types and
 * comments.
 */
export async function queryHover({
  language,
  place,
  places,
  leakCheck,
  signal,
}: OperationContext): Promise<Answered & { contents: string }> {
  const { value: definitions } = await language.ask('definition', place, { signal })
  const { value, server, loading } = await language.ask('hover', place, { signal })
  const here = definitions.flatMap(({ path, span }) => (path === place.path ? [span] : []))
  const hidden =
    (await places.countHidden(definitions)) || (await leakCheck.countLeaks(value, place, here))
  return {
    contents: hidden > 0 ? '' : value,
    server,
    loading,
    left_out: hidden > 0 ? hidden : undefined,
  }
}

/** Symbols of a file, of the project, or callable at a position. */
export async function querySymbols(
  topic: 'symbols' | 'symbolsNamed' | 'callables',
  { language, place, places, signal }: OperationContext,
  maxCount: number,
  isWanted: (symbol: CodeSymbol) => boolean = () => true,
): Promise<Listed & { symbols: FoundSymbol[] }> {
  const answer = await language.ask(topic, place, { signal })
  const { visible, leftOut } = await places.filterVisible(answer.value.filter(isWanted))
  const shown: FoundSymbol[] = []
  for (const symbol of visible.slice(0, maxCount)) shown.push(await toFoundSymbol(symbol, places))
  return { symbols: shown, ...totals(visible.length, shown, answer, leftOut) }
}

async function toFoundSymbol(symbol: CodeSymbol, places: VisiblePlaces): Promise<FoundSymbol> {
  const { path, span, ...rest } = symbol
  return { ...(await places.at(path, span)), ...rest }
}

/** Callers or callees. */
export async function queryCalls(
  topic: 'callers' | 'callees',
  { language, place, places, signal }: OperationContext,
): Promise<Listed & { calls: FoundCall[] }> {
  const answer = await language.ask(topic, place, { signal })
  // Both the caller and the callee must be visible.
  const { visible: here } = await places.filterVisible(answer.value)
  const symbols = new Set((await places.filterVisible(here.map(({ symbol }) => symbol))).visible)
  const visible = here.filter(({ symbol }) => symbols.has(symbol))
  const leftOut = answer.value.length - visible.length
  const shown: FoundCall[] = []
  for (const { symbol, spans, path } of visible.slice(0, MAX_CALLS)) {
    const found: FoundPlace[] = []
    for (const span of spans.slice(0, MAX_CALLS)) found.push(await places.at(path, span))
    shown.push({ symbol: await toFoundSymbol(symbol, places), places: found })
  }
  return { calls: shown, ...totals(visible.length, shown, answer, leftOut) }
}

/** The diagnostics of a file, most severe first. */
export async function queryDiagnostics(
  context: Pick<OperationContext, 'language' | 'place' | 'places' | 'leakCheck' | 'signal'>,
): Promise<Listed & { diagnostics: FoundDiagnostic[] }> {
  const { language, place, places, leakCheck, signal } = context
  const answer = await language.ask('diagnostics', place, { signal })
  const shown: FoundDiagnostic[] = []
  for (const each of worstFirst(answer.value).slice(0, MAX_DIAGNOSTICS))
    shown.push(await toFoundDiagnostic(each, { place, places, leakCheck }))
  return { diagnostics: shown, ...totals(answer.value.length, shown, answer) }
}

/** A diagnostic with its location. Its message is hidden if it could reveal a hidden file. */
export async function toFoundDiagnostic(
  { span, ...rest }: CodeDiagnostic,
  { place, places, leakCheck }: Pick<OperationContext, 'place' | 'places' | 'leakCheck'>,
): Promise<FoundDiagnostic> {
  const kept = await leakCheck.countLeaks(rest.message, place, [span])
  const message = kept > 0 ? HIDDEN_MESSAGE : rest.message
  return { ...(await places.at(place.path, span)), ...rest, message }
}

/** Shown instead of a message. */
const HIDDEN_MESSAGE = 'not shown, because it mentions a file that may not be read'

/** The code actions for a line. */
export async function queryActions({
  language,
  place,
  leakCheck,
  signal,
}: OperationContext): Promise<Listed & { actions: readonly CodeAction[] }> {
  const answer = await language.ask('actions', place, { signal })
  const start = place.position!
  const visible: CodeAction[] = []
  for (const action of answer.value)
    if ((await leakCheck.countLeaks(action.title, place, [{ start, end: start }])) === 0)
      visible.push(action)
  const shown = visible.slice(0, MAX_CALLS)
  const leftOut = answer.value.length - visible.length
  return { actions: shown, ...totals(visible.length, shown, answer, leftOut) }
}

function totals(
  total: number,
  shown: readonly unknown[],
  { server, loading }: LanguageAnswer<unknown>,
  leftOut = 0,
): Listed {
  return {
    total,
    truncated: shown.length < total,
    server,
    loading,
    left_out: leftOut > 0 ? leftOut : undefined,
  }
}

const SEVERITIES = ['error', 'warning', 'information', 'hint']

function worstFirst(diagnostics: readonly CodeDiagnostic[]): CodeDiagnostic[] {
  const rank = ({ severity }: CodeDiagnostic): number => SEVERITIES.indexOf(severity)
  return [...diagnostics].sort((one, other) => rank(one) - rank(other))
}
