import type { CassetteStore, Recording } from './tape.ts'

/** Recordings that are gone with the process. */
export function memoryCassette(recordings: Recording[] = []): CassetteStore {
  return {
    load: () => Promise.resolve(recordings),
    add: (recording) => Promise.resolve(void recordings.push(recording)),
  }
}
