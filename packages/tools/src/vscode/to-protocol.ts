import { listOf, type UntypedObject, objectOf } from '../lsp/untyped.ts'
import type { Uri } from './api.ts'

// Converts answers of the editor to those of the protocol: the editor represents URIs as objects, counts kinds and
// severities from 0, and wraps some names.

export function location(value: unknown): UntypedObject {
  const { uri, range, targetUri, targetRange, targetSelectionRange } = objectOf(value)
  return { uri: addressOf(targetUri ?? uri), range: targetSelectionRange ?? targetRange ?? range }
}

export function symbol(value: unknown): UntypedObject {
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
    ...(place !== undefined && { location: location(place) }),
    children: listOf(children).map(symbol),
  }
}

export function call(value: unknown): UntypedObject {
  const { from, to, fromRanges } = objectOf(value)
  return { from: symbol(from), to: symbol(to), fromRanges }
}

export function diagnostic(value: unknown): UntypedObject {
  const { severity, message, range, code, source } = objectOf(value)
  return {
    severity: Number(severity) + 1,
    message,
    range,
    code: objectOf(code)['value'] ?? code,
    source,
  }
}

export function action(value: unknown): UntypedObject {
  const { title, kind, isPreferred, disabled } = objectOf(value)
  return { title, kind: objectOf(kind)['value'], isPreferred, disabled }
}

function addressOf(uri: unknown): string | undefined {
  return (uri as Uri | undefined)?.toString()
}
