import { protocolIn } from '../read/speaker.ts'
import { visibleLine } from '../show/visible.ts'
import type { Session } from './session.ts'

/** The model, how it writes calls, and what was spent. */
export function statusOf({ speaker, usage, workplace: { fileSystem } }: Session): string {
  const tokens = usage.input + usage.output
  const spent = tokens === 0 ? [] : [`${usage.estimated ? '~' : ''}${short(tokens)} tokens`]
  const cost =
    usage.cost === undefined
      ? []
      : [`${usage.cost.toFixed(4)} ${speaker.model.price?.currency ?? ''}`]
  const parts = [speaker.model.name, protocolIn(speaker).name, ...spent, ...cost, fileSystem.cwd]
  return `  ${parts.map((part) => visibleLine(part.trim())).join(' · ')}`
}

function short(count: number): string {
  return count < 10_000 ? String(count) : `${(count / 1000).toFixed(0)}k`
}
