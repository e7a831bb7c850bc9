import { loadSettings } from '@toolglot/workspace'
import { showProblem } from '../../show/settings.ts'
import type { Check, Finding } from '../check.ts'

export const settings: Check = {
  name: 'settings',
  look({ cwd, directories }) {
    const { files, settings: merged } = loadSettings(cwd, { directories })
    const found = files.map(({ file }): Finding => ({ status: 'ok', says: file }))
    const problems = merged.problems.map((problem): Finding => ({
      status: 'warning',
      says: showProblem(problem),
      advice: 'Fix it: until then everything needs approval.',
    }))
    const warnings = merged.warnings.map((warning): Finding => ({
      status: 'warning',
      says: showProblem(warning),
    }))
    const all = [...found, ...problems, ...warnings]
    return all.length > 0 ? all : { status: 'ok', says: 'none, so the defaults apply' }
  },
}
