import type { UserDirectories } from '@toolglot/workspace'
import type { Terminal } from '../terminal.ts'

/** Something that is looked at: one file in `checks/` and one line in its index. */
export interface Check {
  readonly name: string
  look(place: CheckContext): Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>
}

/** Where it is looked. */
export interface CheckContext {
  /** The folder's real path. */
  readonly cwd: string
  readonly directories: UserDirectories
  readonly terminal: Terminal
}

export interface Finding {
  /**
   * - `ok`: it is there
   * - `warning`: it works, but not as it could
   * - `missing`: something cannot be done without it, the rest can
   * - `broken`: nothing works until it is mended
   */
  readonly status: 'ok' | 'warning' | 'missing' | 'broken'
  readonly says: string
  /** What to do. */
  readonly advice?: string
}

/** What was found of one check. */
export interface Found extends Finding {
  readonly name: string
}

/** Looks at everything. A check that fails is a finding, too. */
export async function lookAtAll(checks: readonly Check[], place: CheckContext): Promise<Found[]> {
  const found = await Promise.all(
    checks.map(async (check) => {
      try {
        return [await check.look(place)].flat().map((each) => ({ name: check.name, ...each }))
      } catch (error) {
        const says = error instanceof Error ? error.message : String(error)
        return [{ name: check.name, status: 'broken' as const, says }]
      }
    }),
  )
  return found.flat()
}
