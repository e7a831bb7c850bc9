import { canonicalJson } from '../canonical-json.ts'
import type { RuleSuggestion } from '../rule/suggest-for-each.ts'
import type { Decision } from './decision.ts'
import type { FileSystemView } from './file-system.ts'

/** Asks a person whether a call may run. Plain data, so it can be stored and answered after a restart. */
export interface ApprovalRequest {
  readonly run: string
  /** The id of the call. */
  readonly call: string
  /** Identifies exactly what is asked about. It changes with the call, the folder, and where its paths lead. */
  readonly hash: string
  readonly decision: Decision
  /** The rules that "always" would add. Parts without a rule ask again next time. */
  readonly always: readonly string[]
  /** For each part that needs approval: the rule that "always" would add, or why there is none. */
  readonly suggestions: readonly RuleSuggestion[]
  /** When an unanswered request counts as denied, in milliseconds since 1970. */
  readonly expires?: number
  /** What the call can reach over the network once it runs. Missing if nothing limits that. */
  readonly network?: NetworkNotice
}

/** What limits a call's access to the network. A person who approves the call may allow more. */
export interface NetworkNotice {
  /** The hosts that it can reach; none if empty. */
  readonly reaches: readonly string[]
  /** Hosts that it seems to need, as its text says: a suggestion for a person, and nothing to trust. */
  readonly suggested: readonly string[]
}

/** A person's answer to an `ApprovalRequest`. */
export interface Approval {
  readonly run: string
  readonly call: string
  readonly hash: string
  readonly verdict: 'allow' | 'deny'
  /** Shown to the model. */
  readonly reason?: string
}

/**
 * What an approval is bound to: a hash of the run, the call, the folder, the parts of the decision, the text that runs, the hosts
 * that it can reach, and the files of code that it runs.
 */
export async function approvalHash(
  run: string,
  id: string,
  decision: Decision,
  place: Pick<FileSystemView, 'cwd' | 'identify'>,
  network?: NetworkNotice,
): Promise<string> {
  const { call, parts, runs } = decision
  const code = codeVersions(decision, place)
  const found = parts.map(({ what, why, real }) => [what, why, real ?? null])
  const asked = [run, id, call?.name ?? null, call?.args ?? null, place.cwd, found]
  const isPlain = runs === undefined && network === undefined && code.length === 0
  const text = canonicalJson(
    isPlain ? asked : [...asked, runs ?? null, network?.reaches ?? null, ...code],
  )
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Files of code, each with its version when it was looked at. */
export type CodeVersions = readonly (readonly [path: string, version: string])[]

/**
 * The files that the commands of a call run as code, as they are now: a person who approves `python3 x.py` has seen this `x.py`, and
 * another call may write it before it runs.
 */
export function codeVersions(
  { parts, call }: Pick<Decision, 'parts' | 'call'>,
  { cwd, identify }: Pick<FileSystemView, 'cwd' | 'identify'>,
): CodeVersions {
  const folder = call?.args['cwd']
  const base = typeof folder === 'string' ? pathFrom(cwd, folder) : cwd
  const commands = parts.flatMap(({ subject }) =>
    subject && 'words' in subject && subject.opaque ? [subject] : [],
  )
  if (commands.length === 0) return []
  const named = commands.flatMap(({ words }) => words.flatMap((word) => word ?? []))
  // After `cd`, only a file that is read is known by its path.
  const read = parts.flatMap(({ subject, real }) =>
    subject && 'kind' in subject && subject.kind === 'read' && real !== undefined ? [real] : [],
  )
  const paths = new Set([...named.map((word) => pathFrom(base, word)), ...read])
  return [...paths].flatMap((path) => {
    const found = identify?.(path)
    return found?.version === undefined || found.isFolder ? [] : [[path, found.version] as const]
  })
}

const pathFrom = (folder: string, path: string): string =>
  path.startsWith('/') ? path : `${folder}/${path}`
