import { listOf, type UntypedObject, objectOf } from '../lsp/untyped.ts'
import type { Uri } from './api.ts'

// Converts answers of the editor to those of the protocol: the editor represents URIs as objects, counts kinds and
// severities from 0, and wraps some names.

/** Converts a location or a location link. */
export function toLocation(value: unknown): UntypedObject {
  const { uri, range, targetUri, targetRange, targetSelectionRange } = objectOf(value)
  return { uri: addressOf(targetUri ?? uri), range: targetSelectionRange ?? targetRange ?? range }
}

/** Converts a symbol with its children. */
export function toSymbol(value: unknown): UntypedObject {
  const { name, kind, detail, containerName, uri, range, selectionRange } = objectOf(value)
  const { location: place, children } = objectOf(value)
  return {
    name,
    kind: Number(kind) + 1,
    detail,
    containerName,
    range,
    selectionRange,
    uri: addressOf(uri),
    ...(place !== undefined && { location: toLocation(place) }),
    children: listOf(children).map(toSymbol),
  }
}

/** Converts an incoming or outgoing call. */
export function toCall(value: unknown): UntypedObject {
  const { from, to, fromRanges } = objectOf(value)
  return { from: toSymbol(from), to: toSymbol(to), fromRanges }
}

/** Converts a diagnostic. */
export function toDiagnostic(value: unknown): UntypedObject {
  const { severity, message, range, code, source } = objectOf(value)
  return {
    severity: Number(severity) + 1,
    message,
    range,
    code: objectOf(code)['value'] ?? code,
    source,
  }
}

/** Converts a code action. */
export function toAction(value: unknown): UntypedObject {
  const { title, kind, isPreferred, disabled } = objectOf(value)
  return { title, kind: objectOf(kind)['value'], isPreferred, disabled }
}

function addressOf(uri: unknown): string | undefined {
  return (uri as Uri | undefined)?.toString()
}
