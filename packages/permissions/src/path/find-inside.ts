import type { DecisionPart } from '../decide/decision.ts'
import type { FolderEntry } from '../decide/file-system.ts'
import type { FileOperation } from '../decide/operation.ts'
import type { Rule } from '../rule/rule.ts'
import type { Comparison } from './compare.ts'
import { namesMatch } from './names-match.ts'
import type { PathRuleLists } from './rules.ts'
import type { Spellings } from './spellings.ts'

/** Spends some of the work that one decision may take: one for each name in a folder, more for what is judged by itself. */
export type Spend = (work: number) => boolean

/** The work that one decision may take: a second or two. The same folder may be used many times. */
export const MAX_WORK = 200_000
/** What it takes to judge a link, or another file by itself. */
export const LINK = 50
export const TOO_MUCH = 'uses more files than can be checked'

/** What the content of a folder is judged with. */
export interface FolderJudge {
  readonly lists: PathRuleLists
  readonly comparison: Pick<Comparison, 'findMatch' | 'findHardLink' | 'hasHardLinks'>
  readonly judge: (operation: FileOperation) => DecisionPart
  /** Spends some of the work that one decision may take. False if nothing is left. */
  readonly spend: Spend
  /** Whether a rule may forbid a file by its own name, and not only together with its folder. */
  readonly mayForbid: (name: string) => boolean
  /** Whether nothing of a file is used, by its path relative to the folder. */
  readonly isUnused: (path: string) => boolean
}

/**
 * The first file in a folder that must not be used together with it, because a deny or ask rule covers it, or because it is a
 * link that leads to such a file or elsewhere. Undefined: there is none, so the folder may be used as a whole.
 */
export function findInside(
  operation: FileOperation,
  folder: Spellings,
  entries: readonly FolderEntry[],
  { lists, comparison, judge, spend, mayForbid, isUnused }: FolderJudge,
): { readonly why: string; readonly rule?: Rule } | undefined {
  if (!spend(entries.length)) return { why: TOO_MUCH }
  const { findMatch, findHardLink, hasHardLinks } = comparison
  const forbidding = [lists.deny, lists.ask]
  const isUsed = operation.only && namesMatch(operation.only)
  const sharesFiles = forbidding.some((rules) => hasHardLinks(rules))
  /** Folders that a rule covers, of which only some files are used. */
  const covered: { readonly path: string; readonly rule: Rule }[] = []
  /** Folders whose own name is one of those that are used: the program that gets it may use all that is in it. */
  const wholes: string[] = []
  for (const { path, kind } of entries) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const isWhole =
      !isUsed || (operation.each && isUsed(name)) || wholes.some((each) => path.startsWith(each))
    if (kind === 'folder' && isUsed && isWhole) wholes.push(`${path}/`)
    if (kind !== 'folder' && !isWhole && !isUsed(name)) continue
    const around = covered.find((each) => path.startsWith(each.path))
    if (around && kind !== 'folder') {
      if (isUnused(path)) continue
      return coveredBy(path, around.rule)
    }
    const names = folder.names.map((each) => `${each === '/' ? '' : each}/${path}`)
    const file: Spellings = { given: names[0]!, real: names[0]!, names, cautions: [] }
    if (mayForbid(name)) {
      const rule = firstRule((rules) => findMatch(rules, operation, file))
      if (rule && kind === 'folder' && (!isWhole || operation.tracked || operation.sinceHead))
        covered.push({ path: `${path}/`, rule })
      else if (rule && !isUnused(path)) return coveredBy(path, rule)
    }
    if (kind === 'link' && !operation.removes) {
      if (!spend(LINK)) return { why: TOO_MUCH }
      // Some programs follow it.
      const { verdict, why, rule } = judge({ ...plain(operation), path: file.given })
      if (verdict !== 'allow') return { why: `contains the link ${path}: ${why}`, rule }
    }
    if (kind === 'file' && sharesFiles) {
      const real = `${folder.real}/${path}`
      const rule = firstRule((rules) => findHardLink(rules, operation, { ...file, real }))
      if (rule && !isUnused(path)) return coveredBy(path, rule)
    }
  }
  return undefined

  function firstRule(find: (rules: PathRuleLists['deny']) => Rule | undefined): Rule | undefined {
    return find(lists.deny) ?? find(lists.ask)
  }
}

function coveredBy(path: string, rule: Rule): { why: string; rule: Rule } {
  return { why: `uses a whole folder, and the rule ${rule.text} covers ${path} in it`, rule }
}

/** The operation on a single file. */
function plain(operation: FileOperation): FileOperation {
  const { each: _, only: __, implied: ___, ...rest } = operation
  return rest
}
