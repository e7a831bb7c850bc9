import { readStored, storedKeys, writeStored } from '../../app/stored.ts'
import { type PastRun, readHistory } from './history.ts'

const PREFIX = 'toolglot-sandbox '

/** The last runs of a folder, as the browser keeps them. */
export function loadHistory(folder: string): readonly PastRun[] {
  return readHistory(readStored(PREFIX + folder), Date.now())
}

/** Removes what is old, also that of folders which nobody opens again. */
export function forgetOldRuns(): void {
  for (const key of storedKeys(PREFIX)) {
    const stored = readStored(key)
    const runs = readHistory(stored, Date.now())
    const text = runs.length === 0 ? undefined : JSON.stringify(runs)
    if (text !== stored) writeStored(key, text)
  }
}

/** Keeps the last runs of a folder. If there is no room, those of other folders go. */
export function saveHistory(folder: string, runs: readonly PastRun[]): void {
  const key = PREFIX + folder
  const text = runs.length === 0 ? undefined : JSON.stringify(runs)
  if (writeStored(key, text)) return
  for (const other of storedKeys(PREFIX)) if (other !== key) writeStored(other, undefined)
  writeStored(key, text)
}
