import type { DecisionPart } from '../decide/decision.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { FileSystemView } from '../decide/file-system.ts'
import { type Glob, relationOf } from './glob.ts'
import { readName } from './read-name.ts'

/**
 * What speaks against reading the files in a folder by the names that a command prints of them: a link among them that leads
 * elsewhere, or one whose name is cut at blanks into other names.
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
  const thing = fileSystem.identify?.(folder)
  if (!thing) return ask('it is not there yet, so nothing in it can be looked at')
  if (!thing.isFolder) return undefined
  const entries = fileSystem.entries?.(folder)
  if (!entries) return ask('not every file that lies in it can be looked at')
  const glob = each.named === undefined ? undefined : globOf(each.named)
  for (const entry of entries) {
    const name = entry.path.slice(entry.path.lastIndexOf('/') + 1)
    if (glob && relationOf(glob, [name]) !== 'whole') continue
    const printed = path === '.' ? entry.path : `${path.replace(/\/$/, '')}/${entry.path}`
    if (each.cut && printed.startsWith('-')) return ask(`\`${printed}\` may be read as an option`)
    const names = each.cut && /[\s'"\\]/.test(printed) ? cut(printed) : []
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

/** The names that one with blanks or quotes may be taken for. */
const cut = (name: string): string[] =>
  [...name.replace(/['"\\]/g, '').split(/\s+/), ...name.split(/[\s'"\\]+/)].filter(Boolean)
