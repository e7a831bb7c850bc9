import { duplicateKeyProblem } from '@toolglot/agent/internal'
import {
  decide,
  type FileSystemView,
  type Permissions,
  readRules,
  type Verdict,
  type TemporaryMount,
} from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { UserError } from '@toolglot/workspace'
import { describe } from '../show/text/json.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeHostOptions } from '@toolglot/tools'

/** Decides about the call in a request. Returns a line of `permit --batch`. */
export async function answerPermit(
  request: Record<string, unknown>,
  json: string,
): Promise<object> {
  const { id = null, tool, args } = request
  const doubled = duplicateKeyProblem(json)
  if (doubled !== undefined) return { id, decision: 'deny', why: doubled, error: doubled }
  if (typeof tool !== 'string') throw requestError('tool', 'the name of a tool', tool)
  const { verdict, rule, why, error, runs, unprinted, code } = await decide(
    { name: tool, args: args as Record<string, unknown> },
    permissionsOf(request),
    fileSystemOf(request),
  )
  return { id, decision: verdict, rule: rule?.text, why, error, runs, unprinted, code }
}

function permissionsOf({ rules, interactive }: Record<string, unknown>): Permissions {
  const lists = (rules ?? {}) as Record<string, unknown>
  const textsOf = (verdict: Verdict): readonly unknown[] => {
    const texts = lists[verdict] ?? []
    if (!Array.isArray(texts)) throw requestError(`rules.${verdict}`, 'a list of rules', texts)
    return texts
  }
  const texts = { deny: textsOf('deny'), ask: textsOf('ask'), allow: textsOf('allow') }
  return {
    ...readRules(texts, { source: { scope: 'cli' } }),
    interactive: interactive !== false,
  }
}

function fileSystemOf({ cwd, home, platform }: Record<string, unknown>): FileSystemView {
  const fileSystem = nodeFileSystem({
    cwd: typeof cwd === 'string' ? cwd : process.cwd(),
    home: typeof home === 'string' ? home : undefined,
    platform: isPlatform(platform) ? platform : undefined,
  })
  // The availability of a sandbox is the same for all requests.
  const run = (here ??= asInRun(fileSystem, process.env))
  if (isPlatform(platform)) return fileSystem
  return { ...fileSystem, temporary: async () => (await run.temporary?.()) ?? [] }
}

let here: FileSystemView | undefined

function isPlatform(value: unknown): value is FileSystemView['platform'] {
  return value === 'linux' || value === 'darwin' || value === 'win32'
}

function requestError(key: string, expected: string, got: unknown): UserError {
  const but = got === undefined ? '' : `, not ${describe(got)}`
  return new UserError('data', `"${key}" must be ${expected}${but}. See: toolglot permit --help`)
}

/**
 * The file system as a run sees it: a sandbox gives commands a private temporary folder. Checks
 * whether a sandbox works only if a decision depends on it.
 */
export function asInRun(
  fileSystem: FileSystemView,
  env: Readonly<Record<string, string | undefined>>,
  sandbox: NonNullable<NodeHostOptions['sandbox']> = {},
): FileSystemView {
  let found: Promise<readonly TemporaryMount[]> | undefined
  return { ...fileSystem, temporary: () => (found ??= tryOut(fileSystem, env, sandbox)) }
}

async function tryOut(
  fileSystem: FileSystemView,
  environment: Readonly<Record<string, string | undefined>>,
  sandbox: NonNullable<NodeHostOptions['sandbox']>,
): Promise<readonly TemporaryMount[]> {
  const { nodeHost } = await import('@toolglot/tools')
  const folder = await mkdtemp(join(tmpdir(), 'toolglot-permit-'))
  const host = nodeHost({ fileSystem, storage: { folder }, environment, sandbox })
  try {
    return (await host.processes.temporary?.()) ?? []
  } finally {
    await host.close()
    await rm(folder, { recursive: true, force: true })
  }
}
