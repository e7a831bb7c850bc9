import type { SettingsProblem } from '@toolglot/workspace'
import { visibleLine } from './visible.ts'

/** A problem with settings: file, line and reason. */
export function showProblem({ file, line, reason }: SettingsProblem): string {
  return visibleLine(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`)
}
