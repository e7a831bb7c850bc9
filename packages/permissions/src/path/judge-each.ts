import type { DecisionPart } from '../decide/decision.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { type Glob, relationOf } from './glob.ts'
import { readName } from './read-name.ts'

/**
 * Judges the files in a folder whose names a command prints for another to use. Returns the first part that isn't allowed: a
 * link that leads elsewhere, or a name that is split at whitespace into other names.
 */
export function judgeEach(
  operation: FileOperation,
  folder: string,
  fileSystem: FileSystemView,
  judge: (operation: FileOperation) => DecisionPart,
): DecisionPart | undefined {
  const { each, path, ...rest } = operation
  if (!each || path === undefined) return undefined
  const ask = (why: string): DecisionPart => ({ ...judge({ ...rest, path }), verdict: 'ask', why })
  const target = fileSystem.identify?.(folder)
  if (!target) return ask("the folder doesn't exist yet, so its files can't be checked")
  if (!target.isFolder) return undefined
  const entries = fileSystem.entries?.(folder)
  if (!entries) return ask('the files in it cannot all be checked')
  const glob = each.named === undefined ? undefined : globOf(each.named)
  for (const entry of entries) {
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1)
    if (glob && relationOf(glob, [name]) !== 'whole') continue
    const printed = path === '.' ? entry.path : `${path.replace(/\/$/, '')}/${entry.path}`
    if (each.cut && printed.startsWith('-')) return ask(`\`${printed}\` may be read as an option`)
    const names = each.cut && /[\s'"\\]/.test(printed) ? split(printed) : []
    if (entry.link && !each.withoutLinks) names.push(printed)
    for (const other of names) {
      const part = judge({ ...rest, path: other })
      if (part.verdict !== 'allow') return part
    }
  }
  return undefined
}

function globOf(pattern: string): Glob | undefined {
  const read = readName(pattern)
  return 'problem' in read ? undefined : [read.name]
}

/** The names that a name with whitespace or quotes may be split into. */
const split = (name: string): string[] =>
  [...name.replace(/['"\\]/g, '').split(/\s+/), ...name.split(/[\s'"\\]+/)].filter(Boolean)
