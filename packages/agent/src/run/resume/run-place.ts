import type { FileSystemView } from '@toolglot/permissions'

/** Where a run works. */
export interface RunPlace {
  /** The working directory. */
  readonly cwd?: string
  /** The machine. */
  readonly host?: string
}

/** Where a run works with this view of the files. Commands may change the current directory. */
export function placeOf({ roots, cwd }: FileSystemView, host: string | undefined): RunPlace {
  return { cwd: roots[0] ?? cwd, ...(host !== undefined && { host }) }
}

/** Whether a run works in another folder, or on another machine, than before. */
export function hasMoved(before: RunPlace | undefined, now: RunPlace): boolean {
  const isOther = (key: keyof RunPlace): boolean =>
    before?.[key] !== undefined && before[key] !== now[key]
  return isOther('cwd') || isOther('host')
}
