import { readSmallFile } from '@toolglot/permissions/node/internal'
import { writeWhole } from '@toolglot/workspace/internal'

/** Where the ids of ended sessions are kept, with the time at which each session expires anyway. */
export interface EndedSessions {
  load(): readonly (readonly [id: string, until: number])[]
  save(ended: readonly (readonly [id: string, until: number])[]): void
}

const MAX_BYTES = 4 << 20

/** Keeps them in a file, so that a session that was ended stays ended over restarts. An id alone is worth nothing. */
export function endedSessionsFile(
  file: string,
  onProblem?: (error: unknown) => void,
): EndedSessions {
  const load = (): [string, number][] => {
    try {
      const value = JSON.parse(readSmallFile(file, MAX_BYTES) ?? '{}') as unknown
      return Object.entries(Object(value) as Record<string, unknown>).filter(
        (each): each is [string, number] => typeof each[1] === 'number',
      )
    } catch (error) {
      onProblem?.(error)
      return []
    }
  }
  return {
    load,
    save(ended) {
      try {
        const now = Date.now()
        // Another server may use the same folder.
        const all = [...load(), ...ended].filter(([, until]) => until > now)
        writeWhole(file, `${JSON.stringify(Object.fromEntries(all))}\n`)
      } catch (error) {
        onProblem?.(error)
      }
    },
  }
}
