import type { CodeAction, CodeDiagnostic } from '../host/language.ts'
import { readSpan } from './read-location.ts'
import { listOf, objectOf, limitedText } from './untyped.ts'

/** Maximum number of diagnostics of a file. */
export const MAX_DIAGNOSTICS = 1000
const SEVERITIES = ['error', 'warning', 'information', 'hint'] as const
const MAX_MESSAGE_LENGTH = 2000

/** Reads diagnostics, without duplicates and in order of position. */
export function readDiagnostics(items: readonly unknown[]): CodeDiagnostic[] {
  const found = items.slice(0, MAX_DIAGNOSTICS).map((item): CodeDiagnostic => {
    const { severity, message, range, code, source } = objectOf(item)
    const name = limitedText(source, 100)
    return {
      severity: SEVERITIES[(severity as number) - 1] ?? 'error',
      message:
        limitedText(message, MAX_MESSAGE_LENGTH) ??
        limitedText(objectOf(message)['value'], MAX_MESSAGE_LENGTH) ??
        '',
      span: readSpan(range),
      code:
        typeof code === 'string' || typeof code === 'number'
          ? String(code).slice(0, 100)
          : undefined,
      source: name || undefined,
    }
  })
  const distinct = new Map(found.map((each) => [JSON.stringify(each), each]))
  return [...distinct.values()].sort(
    (one, other) =>
      one.span.start.line - other.span.start.line ||
      one.span.start.character - other.span.start.character,
  )
}

/** Reads code actions and commands, without their edits. */
export function readActions(value: unknown): CodeAction[] {
  return listOf(value)
    .slice(0, 1000)
    .flatMap((item) => {
      const { title, kind, isPreferred, disabled } = objectOf(item)
      const [text, sort] = [limitedText(title, 200), limitedText(kind, 100)]
      if (text === undefined || disabled !== undefined) return []
      return { title: text, kind: sort || undefined, preferred: isPreferred === true }
    })
}
