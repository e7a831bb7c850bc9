import { visibleLine } from '@toolglot/workspace/internal'
import type { ModelProbe, ProbedProtocol, TaskResult } from '@toolglot/workspace/probe'
import type { Colors } from '../terminal.ts'
import { table } from './text/table.ts'

/** What was probed, and where the result was saved. */
interface Probed {
  readonly reference: string
  readonly file: string | undefined
}

/** The result of `doctor --probe`: a row for each dialect, and what was saved. */
export function showProbe(
  { tried, best, stopped, problem = '' }: ModelProbe,
  { reference, file }: Probed,
  { bold, dim, green, yellow, red }: Colors,
  edge: number,
): string {
  const paint = { done: green, repaired: yellow, failed: red, '–': dim }
  const head = ['protocol', ...(tried[0]?.tasks ?? []).map(({ task }) => task), 'time', '']
  const shown = table(
    [head, ...tried.map(rowOf)],
    (cell, row) => (row === 0 ? bold(cell) : (paint[cell as keyof typeof paint]?.(cell) ?? cell)),
    edge,
  )
  const name = bold(visibleLine(reference))
  const notes = stopped ? [`${STOPPED[stopped]}${visibleLine(problem)}`] : []
  if (best === undefined || file === undefined) {
    const isAnswered = stopped === undefined || stopped === 'time'
    const none = !isAnswered ? '' : `${name} does not call tools in any dialect tried. `
    return `${shown}\n${[...notes, `${none}Nothing was saved.`].join('\n')}\n`
  }
  const winner = tried.find(({ protocol }) => protocol === best)!
  const count = winner.tasks.filter(isDone).length
  const spoken =
    best === 'native' ? 'calls tools best by its own function calling' : `speaks ${best} best`
  return `${shown}\n${[
    ...notes,
    `${name} ${spoken}: ${count} of ${winner.tasks.length} tasks.`,
    `Saved in ${visibleLine(file)}: it is used from now on if no protocol is named.`,
  ].join('\n')}\n`
}

const STOPPED = {
  time: 'The time was over before everything was tried.',
  failed: 'The rest was not tried, because the model failed: ',
  silent: 'The model did not reply in time, twice in a row, so the rest was not tried.',
}

function rowOf({ protocol, isOwn, tasks }: ProbedProtocol): string[] {
  const time = tasks.reduce((sum, { duration }) => sum + duration, 0)
  const problem = tasks.find(({ outcome }) => outcome === 'failed')?.problem
  const repairs = [...new Set(tasks.flatMap((each) => each.repairs))]
  const note = problem ?? (repairs.length > 0 ? `repaired: ${repairs.join(', ')}` : '')
  return [
    isOwn ? `${protocol} (its own)` : protocol,
    ...tasks.map(({ outcome }) => (outcome === 'skipped' ? '–' : outcome)),
    `${(time / 1000).toFixed(1)} s`,
    visibleLine(note),
  ]
}

function isDone({ outcome }: TaskResult): boolean {
  return outcome === 'done' || outcome === 'repaired'
}
