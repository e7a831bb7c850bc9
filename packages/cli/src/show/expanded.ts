import type { Decision } from '@toolglot/permissions'
import { visibleLine } from '@toolglot/workspace/internal'
import { wrap } from './text/wrap.ts'

/**
 * The shell text that runs, if names of files took the place of patterns in the call's. It is whole, however long it is: no one
 * should approve files whose names they cannot see. A name cannot begin a line where other lines do.
 */
export function showExpanded(
  { runs }: Pick<Decision, 'runs'>,
  columns: number = Infinity,
): string[] {
  if (runs === undefined) return []
  return wrap(visibleLine(runs), columns - LABEL.length).map(
    (line, at) => (at === 0 ? LABEL : ' '.repeat(LABEL.length)) + line,
  )
}

const LABEL = 'Runs as: '
