import { describeProtocol } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Session } from './session.ts'

/** The model, how it writes calls, and what was spent. */
export function statusOf({ chosen, usage, setup: { fileSystem } }: Session): string {
  const tokens = usage.input + usage.output
  const spent = tokens === 0 ? [] : [`${usage.estimated ? '~' : ''}${short(tokens)} tokens`]
  const cost =
    usage.cost === undefined
      ? []
      : [`${usage.cost.toFixed(4)} ${chosen.model.price?.currency ?? ''}`]
  const parts = [
    chosen.model.name,
    describeProtocol(chosen).name,
    ...spent,
    ...cost,
    fileSystem.cwd,
  ]
  return `  ${parts.map((part) => visibleLine(part.trim())).join(' · ')}`
}

function short(count: number): string {
  return count < 10_000 ? String(count) : `${(count / 1000).toFixed(0)}k`
}
