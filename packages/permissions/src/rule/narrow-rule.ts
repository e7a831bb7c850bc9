import type { FileSystemView } from '../decide/file-system.ts'
import type { FileOperation, Operation } from '../decide/operation.ts'
import { showInvisible } from '../path/invisible.ts'
import { pathOf, segmentsOf } from '../path/segments.ts'
import { exactPattern } from '../shell/pattern.ts'
import type { ShellCommand } from '../shell/script.ts'
import { readUrl } from '../web/url.ts'

/**
 * The narrowest rule that may allow a part, or the reason why none should be suggested: a phrase
 * like `why`.
 */
export type NarrowRule =
  | {
      readonly rule: string
      /** The reason to give if the rule turns out to be insufficient. */
      readonly otherwise?: string
    }
  | { readonly reason: string }

/** A rule for a tool of which only the name is known. */
export function ruleForTool(name: string): NarrowRule {
  if (name === 'BashInput') return { reason: 'the effect of input on a program is unknown' }
  // Such a rule would cover all tools of a server.
  if (name.endsWith('__*')) return { reason: 'no rule can cover it' }
  return { rule: name, otherwise: 'no rule can cover it' }
}

/** A rule for exactly this command. */
export function ruleForCommand(command: ShellCommand): NarrowRule {
  const { words, doubts, reach, opaque, elsewhere, within, fed } = command
  if (elsewhere) return { reason: 'runs in another folder and reads settings there' }
  if (doubts.length > 0)
    return { reason: `not plain text: ${[...new Set(doubts)].slice(0, 3).join(', ')}` }
  if (reach !== undefined) return { reason: reach }
  if (opaque) return { reason: "runs code that Toolglot can't inspect" }
  // A harmless command may not be harmless as another user or on another machine.
  if (within)
    return { reason: `run by another command, which has no rule: ${within.text.slice(0, 80)}` }
  if (fed) return { reason: 'gets input, and a rule for the command would allow any input' }
  if (words.includes(undefined)) return { reason: 'some of its words are unknown until it runs' }
  const pattern = exactPattern(words)
  return pattern === undefined
    ? { reason: 'contains "*", which means any text in a rule' }
    : { rule: `Bash(${pattern})` }
}

/** The facts about an operation that needs approval. */
interface Judged {
  readonly why: string
  readonly real: string | undefined
  readonly fileSystem: FileSystemView
}

/** A rule for exactly this file, or for the host of a page. */
export function ruleForOperation(operation: Operation, judged: Judged): NarrowRule {
  return operation.kind === 'fetch'
    ? ruleForHost(operation.url, judged.why)
    : ruleForFile(operation, judged)
}

function ruleForHost(url: string | undefined, why: string): NarrowRule {
  const address = url === undefined ? undefined : readUrl(url)
  if (address === undefined || typeof address === 'string') return { reason: why }
  const { hostname, port } = address.url
  if (hostname.includes('*')) return { reason: 'contains "*", which means any host in a rule' }
  return {
    rule: `WebFetch(domain:${hostname})`,
    ...(address.customPort && { otherwise: `rules do not cover port ${port}` }),
  }
}

function ruleForFile(operation: FileOperation, { why, real, fileSystem }: Judged): NarrowRule {
  const { kind, path, cwd = fileSystem.cwd, removes, each, tool } = operation
  if (path === undefined || real === undefined) return { reason: why }
  if (removes) return { reason: 'removes it' }
  if (each) return { reason: 'affects many files' }
  const given = pathOf(segmentsOf(path.startsWith('/') ? path : `${cwd}/${path}`))
  if (given !== real)
    return { reason: `leads to ${showInvisible(real)}, and one rule does not cover both names` }
  return { rule: fileRule(ownerOf(kind, tool), real) }
}

/**
 * The tool whose rule covers no more than this operation. A rule for reading a folder covers its
 * whole content.
 */
function ownerOf(kind: FileOperation['kind'], tool: string | undefined): string {
  if (kind === 'write') return 'Edit'
  if (tool !== undefined && READERS.has(tool)) return tool
  return kind === 'list' ? 'Glob' : 'Read'
}

/** Tools whose rules cover only their own calls. */
const READERS: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LSP'])

/** A rule for exactly one absolute path. */
function fileRule(tool: string, path: string): string {
  const literal = path.replaceAll(/[\\*?[\]{}!]/g, (character) => `\\${character}`)
  return `${tool}(/${literal})`
}
