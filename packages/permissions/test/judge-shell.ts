import { posix } from 'node:path'
import { strictest, type Verdict, type Rule } from '../src/rule/rule.ts'
import type { Operation } from '../src/decide/operation.ts'
import type { FileSystemView } from '../src/decide/file-system.ts'
import { analyze } from '../src/shell/analyze.ts'
import { judgeCommand } from '../src/shell/judge.ts'

export const fileSystem: FileSystemView = {
  cwd: '/work',
  home: '/home/me',
  roots: ['/work'],
  platform: 'linux',
  caseSensitive: true,
  follow: (path) => [posix.normalize(path)],
}

export const rulesOf = (verdict: Verdict, patterns: readonly string[]): Rule[] =>
  patterns.map((pattern) => ({
    verdict,
    text: `Bash(${pattern})`,
    tool: 'Bash',
    pattern,
    source: { scope: 'user' },
  }))

export interface Patterns {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}

/**
 * The verdict of rules on a shell command. Files are judged roughly: reading in the workspace is
 * allowed, and any other operation needs approval.
 */
export function judge(text: string, patterns: Patterns): Verdict {
  return judgeWith(text, [patterns])[0]!
}

/** The verdicts of several lists of rules on a shell text, which is analyzed only once. */
export function judgeWith(text: string, lists: readonly Patterns[]): Verdict[] {
  const script = analyze(text, fileSystem)
  return lists.map(({ allow = [], ask = [], deny = [] }) => {
    const rules = [...rulesOf('allow', allow), ...rulesOf('ask', ask), ...rulesOf('deny', deny)]
    return strictest([
      script.doubts.length > 0 ? 'ask' : 'allow',
      ...script.commands.map(judgeCommand(rules)).map((part) => part.verdict),
      ...script.operations.map(roughly),
    ])
  })
}

function roughly(operation: Operation): Verdict {
  if (operation.implied) return 'allow'
  if (operation.kind === 'fetch' || operation.kind === 'write') return 'ask'
  const { path, cwd } = operation
  return path !== undefined && cwd !== undefined && !/^\/(?!work)|\.\./.test(path) ? 'allow' : 'ask'
}
