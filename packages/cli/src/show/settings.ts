import type { SettingsProblem } from '@toolglot/workspace'
import { visibleLine } from './visible.ts'

/** What is wrong with settings: file, line and reason. */
export function showProblem({ file, line, reason }: SettingsProblem): string {
  return visibleLine(`${file}${line === undefined ? '' : `:${line}`}: ${reason}`)
}
