import { readStored, writeStored } from '../app/stored.ts'

const KEY = 'toolglot-drawn-protocol'
/** How long somebody must pause before it is stored, in milliseconds. */
const PAUSE = 400

let pending: { readonly source: string; readonly timer: ReturnType<typeof setTimeout> } | undefined

/** The protocol that was drawn in this browser; empty if there is none, or nothing can be stored. */
export function storedDrawing(): string {
  return readStored(KEY) ?? ''
}

/** Stores the drawn protocol, as soon as nobody types for a moment. */
export function storeDrawing(source: string): void {
  clearTimeout(pending?.timer)
  pending = { source, timer: setTimeout(storeNow, PAUSE) }
}

function storeNow(): void {
  if (!pending) return
  const { source, timer } = pending
  clearTimeout(timer)
  pending = undefined
  writeStored(KEY, source)
}

if (typeof addEventListener === 'function') addEventListener('pagehide', storeNow)
