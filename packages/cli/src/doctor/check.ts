import type { Workspace } from '@toolglot/workspace'
import type { Terminal } from '../terminal.ts'

/** A check of `toolglot doctor`, listed in the index of `checks/`. */
export interface Check {
  readonly name: string
  run(place: CheckContext): Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>
}

/** The workspace and the terminal that checks examine. */
export interface CheckContext {
  readonly workspace: Workspace
  readonly terminal: Terminal
}

/** A result of a check. */
export interface Finding {
  /**
   * - `ok`: works
   * - `warning`: works with limitations
   * - `missing`: something needs it, the rest works without it
   * - `broken`: nothing works until it is fixed
   */
  readonly status: 'ok' | 'warning' | 'missing' | 'broken'
  readonly says: string
  /** The advice. */
  readonly advice?: string
}

/** A result with the name of its check. */
export interface NamedFinding extends Finding {
  readonly name: string
}

/** Runs all checks. A check that throws is reported as broken. */
export async function runChecks(
  checks: readonly Check[],
  place: CheckContext,
): Promise<NamedFinding[]> {
  const found = await Promise.all(
    checks.map(async (check) => {
      try {
        return [await check.run(place)].flat().map((each) => ({ name: check.name, ...each }))
      } catch (error) {
        const says = error instanceof Error ? error.message : String(error)
        return [{ name: check.name, status: 'broken' as const, says }]
      }
    }),
  )
  return found.flat()
}
