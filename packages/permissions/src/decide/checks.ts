import { judgeFile } from '../path/judge.ts'
import { judgePage, type JudgePage } from '../web/hop.ts'
import type { Decision, DecisionPart } from './decision.ts'
import { forbiddenNames } from './forbidden-names.ts'
import type { Rule } from '../rule/rule.ts'
import type { FileSystemView } from './file-system.ts'

/** What a call may reach beyond its arguments, decided by the rules and the world that the call was decided by. */
export interface ResultChecks {
  /**
   * Whether rules let the name or the content of a file be shown. They do not where one denies reading it, and where
   * nobody was asked although they ask: one of them does, or they name the files of the workspace that may be read, and
   * not this one. A yes to a folder is one to all in it that the same rule asks about. That a file lies outside the
   * workspace is no reason: a call looks only where it was allowed to.
   */
  readonly mayShow: (path: string) => boolean
  /** What rules say of a page that the call is led to, such as by a redirect. */
  readonly judgePage: JudgePage
}

/** The checks of a call that may run, after this decision. */
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

  /** Whether a file is no more than something in its folder: rules say the same of both. */
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

  // Searches ask about many thousands of files: most often without a rule that forbids any, or about many in one folder.
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
