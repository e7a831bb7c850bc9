import { readStored, writeStored } from '../../app/stored.ts'
import { isObject } from '../../schema/is-object.ts'

/** A call that was begun. */
export interface Begun {
  readonly id: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly time: number
  /** Its id on the server, once a person was asked. */
  readonly execution: string | undefined
}

const PREFIX = 'toolglot-sandbox-waiting '

/** The call of this tab that waited for a person when the page was left. */
export function readWaiting(folder: string): (Begun & { readonly execution: string }) | undefined {
  try {
    const value: unknown = JSON.parse(readStored(PREFIX + folder, 'tab') ?? 'null')
    if (!isObject(value) || !isObject(value['args'])) return undefined
    const { id, tool, args, time, execution } = value
    return typeof id === 'string' &&
      typeof tool === 'string' &&
      typeof time === 'number' &&
      typeof execution === 'string'
      ? { id, tool, args, time, execution }
      : undefined
  } catch {
    return undefined
  }
}

/** Keeps a call that waits; undefined forgets it. Without room, it is announced like one of another program. */
export function keepWaiting(folder: string, call: Begun | undefined): void {
  writeStored(PREFIX + folder, call && JSON.stringify(call), 'tab')
}
