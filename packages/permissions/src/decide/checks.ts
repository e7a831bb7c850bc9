import { judgeFile } from '../path/judge.ts'
import { judgePage, type JudgePage } from '../web/hop.ts'
import type { Decision, DecisionPart } from './decision.ts'
import { forbiddenNames } from './forbidden-names.ts'
import type { Rule } from '../rule/rule.ts'
import type { FileSystemView } from './file-system.ts'

/**
 * Checks for files and pages that a running call finds in addition to its arguments. They use the
 * same rules and file system as the decision.
 */
export interface ResultChecks {
  /**
   * Returns true if the name and content of a file may be shown. It returns false if a rule denies
   * reading the file, or if reading it needs approval that wasn't given: an ask rule covers it, or
   * rules list the readable files of the workspace and this isn't one of them. Approval of a folder
   * covers the files in it that the same rule asks about. Files outside the workspace are not
   * hidden, since the call itself was allowed to search there.
   */
  readonly mayShow: (path: string) => boolean
  /** Decides on another page that the call would fetch, such as the target of a redirect. */
  readonly judgePage: JudgePage
}

/** The checks for a call that may run, given its decision. */
export function checksOf(
  { name, parts }: Pick<Decision, 'parts'> & { readonly name: string },
  rules: readonly Rule[],
  fileSystem: FileSystemView,
): ResultChecks {
  const decided = parts.filter(
    ({ subject, real }) => real !== undefined && subject && 'tool' in subject,
  )
  const isForbiddenName = forbiddenNames(rules)
  const known = new Map<string, boolean>()
  let many: FileSystemView | undefined
  let judge: ((path: string) => DecisionPart) | undefined
  let page: JudgePage | undefined
  let roots: readonly string[] | undefined

  function fileSystemForMany(): FileSystemView {
    return (many ??= fileSystem.followMany
      ? { ...fileSystem, follow: fileSystem.followMany() }
      : fileSystem)
  }

  function judged(path: string): DecisionPart {
    if (!judge) {
      const { cwd } = fileSystem
      const file = judgeFile(rules, fileSystemForMany())
      judge = (each) => file({ kind: 'read', path: each, cwd, because: name, tool: name })
    }
    return judge(path)
  }

  function isInWorkspace(path: string): boolean {
    roots ??= fileSystem.roots.flatMap((root) => [root, ...(fileSystem.follow(root) ?? [])])
    return roots.some((root) => isBelow(path, root))
  }

  function isWhereDecided(path: string): boolean {
    return decided.some(({ real }) => isBelow(path, real!)) && isPlain(path)
  }

  /** True if the rules treat a file like its folder. */
  function isLikeFolder(folder: string, path: string): boolean {
    if (!isWhereDecided(folder) || !isForbiddenName) return false
    if (isForbiddenName(path.slice(folder.length + 1))) return false
    const each = fileSystemForMany()
    const [only, another] = each.follow(path) ?? []
    return only === path && another === undefined && (each.identify?.(path)?.linkCount ?? 1) === 1
  }

  function isShowable(path: string): boolean {
    const folder = path.slice(0, path.lastIndexOf('/'))
    if (isLikeFolder(folder, path)) return mayShow(folder)
    const { verdict, rule, real = path } = judged(path)
    if (verdict !== 'ask') return verdict === 'allow'
    const wasAsked = decided.some(
      (part) => isBelow(real, part.real!) && (rule === undefined || rule === part.rule),
    )
    return wasAsked || (rule === undefined && !isInWorkspace(real))
  }

  // Cached, because a search checks many thousands of files, often in the same folder. Usually no
  // rule forbids any of them.
  function mayShow(path: string): boolean {
    if (!isForbiddenName && isWhereDecided(path)) return true
    let answer = known.get(path)
    if (answer === undefined) known.set(path, (answer = isShowable(path)))
    return answer
  }

  return { mayShow, judgePage: (url, found) => (page ??= judgePage(rules))(url, found) }
}

function isPlain(path: string): boolean {
  return !/(^|\/)\.\.?(\/|$)/.test(path)
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
