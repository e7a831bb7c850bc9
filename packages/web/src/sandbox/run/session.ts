import type { PendingRequest } from '@toolglot/agent/journal'
import { type PastRun, withRun, readHistory } from '../history/history.ts'
import { makeStore, type Store } from '../make-store.ts'
import { readStored, storedKeys, writeStored } from '../../app/stored.ts'

const PREFIX = 'toolglot-sandbox '

/** A call that runs or waits for the user. */
export interface CurrentRun {
  readonly id: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** When it last began to run: waiting for the user does not count. */
  readonly since: number
  /** Its id on the server, if an approval was requested. */
  readonly execution: string | undefined
  /** The request that it waits for. */
  readonly request: PendingRequest | undefined
  readonly stop: () => void
}

/** The calls in the sandbox of a folder, until the page is closed. */
export interface Session {
  /**
   * Calls with the same id share their directory, the files they have read, and background
   * commands.
   */
  readonly run: string
  readonly current: CurrentRun | undefined
  /** The run whose result is shown. */
  readonly shown: PastRun | undefined
  readonly history: readonly PastRun[]
  /** Why a call could not be sent. */
  readonly error: unknown
}

/** The sandboxes of the page, by folder. */
export const sessions: Store<Session> = makeStore<Session>((folder) => {
  forgetOldRuns()
  return {
    run: makeId(),
    current: undefined,
    shown: undefined,
    history: loadHistory(folder),
    error: undefined,
  }
})

/** Updates the session of a folder. */
export function changeSession(folder: string, change: Partial<Session>): void {
  sessions.set(folder, { ...sessions.get(folder), ...change })
}

/** Stores the outcome of a call and shows it. */
export function addRun(folder: string, run: PastRun): void {
  // Another tab may also have stored runs.
  const history = withRun(mergeRuns(sessions.get(folder).history, loadHistory(folder)), run)
  saveHistory(folder, history)
  changeSession(folder, { current: undefined, shown: run, history })
}

function mergeRuns(here: readonly PastRun[], stored: readonly PastRun[]): readonly PastRun[] {
  const known = new Set(here.map(({ id }) => id))
  return [...here, ...stored.filter(({ id }) => !known.has(id))].sort(
    (one, other) => other.time - one.time,
  )
}

/** Removes the stored runs of a folder. */
export function clearHistory(folder: string): void {
  saveHistory(folder, [])
  changeSession(folder, { history: [], shown: undefined })
}

/** Starts a new session: later calls share no state with earlier ones. */
export function startOver(folder: string): void {
  changeSession(folder, { run: makeId() })
}

/** A random id that the server accepts. */
export function makeId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  return `sandbox-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The stored runs of a folder. */
function loadHistory(folder: string): readonly PastRun[] {
  return readHistory(readStored(PREFIX + folder), Date.now())
}

/** Removes old runs, including those of folders that are no longer opened. */
function forgetOldRuns(): void {
  for (const key of storedKeys(PREFIX)) {
    const stored = readStored(key)
    const runs = readHistory(stored, Date.now())
    const text = runs.length === 0 ? undefined : JSON.stringify(runs)
    if (text !== stored) writeStored(key, text)
  }
}

/** Stores the runs of a folder. If there is no room, those of other folders are removed. */
function saveHistory(folder: string, runs: readonly PastRun[]): void {
  const key = PREFIX + folder
  const text = runs.length === 0 ? undefined : JSON.stringify(runs)
  if (writeStored(key, text)) return
  for (const other of storedKeys(PREFIX)) if (other !== key) writeStored(other, undefined)
  writeStored(key, text)
}
