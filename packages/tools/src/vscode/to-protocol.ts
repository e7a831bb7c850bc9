import { listOf, type Shape, shapeOf } from '../lsp/untyped.ts'
import type { Uri } from './api.ts'

// The editor has addresses as objects, counts kinds and severities from 0, and wraps some names; otherwise its answers are the
// protocol's.

export function location(value: unknown): Shape {
  const { uri, range, targetUri, targetRange, targetSelectionRange } = shapeOf(value)
  return { uri: addressOf(targetUri ?? uri), range: targetSelectionRange ?? targetRange ?? range }
}

export function symbol(value: unknown): Shape {
  const { name, kind, detail, containerName, uri, range, selectionRange } = shapeOf(value)
  const { location: place, children } = shapeOf(value)
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

export function call(value: unknown): Shape {
  const { from, to, fromRanges } = shapeOf(value)
  return { from: symbol(from), to: symbol(to), fromRanges }
}

export function diagnostic(value: unknown): Shape {
  const { severity, message, range, code, source } = shapeOf(value)
  return {
    severity: Number(severity) + 1,
    message,
    range,
    code: shapeOf(code)['value'] ?? code,
    source,
  }
}

export function action(value: unknown): Shape {
  const { title, kind, isPreferred, disabled } = shapeOf(value)
  return { title, kind: shapeOf(kind)['value'], isPreferred, disabled }
}

function addressOf(uri: unknown): string | undefined {
  return (uri as Uri | undefined)?.toString()
}
