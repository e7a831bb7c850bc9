import { printProblem } from '@toolglot/workspace/internal'
import type { Check, Finding } from '../check.ts'

export const settings: Check = {
  name: 'settings',
  run({ workspace: { files, settings: merged } }) {
    const found = files.map(({ file }): Finding => ({ status: 'ok', says: file }))
    const problems = merged.problems.map((problem): Finding => ({
      status: 'warning',
      says: printProblem(problem),
      advice: 'Fix it: until then everything needs approval.',
    }))
    const warnings = merged.warnings.map((warning): Finding => ({
      status: 'warning',
      says: printProblem(warning),
    }))
    const all = [...found, ...problems, ...warnings]
    return all.length > 0 ? all : { status: 'ok', says: 'none, so the defaults apply' }
  },
}
