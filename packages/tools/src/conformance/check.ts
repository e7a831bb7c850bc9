import { fail } from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ToolFailure } from '@toolglot/agent'
import type { Feature, SessionOptions, ConformanceTarget, ToolSession } from './target.ts'

/** A behavior that every conformance target must have. */
export interface Check {
  /** The check's item in the acceptance list, such as T1.1. */
  readonly id: string
  readonly about: string
  /** The feature that the check requires. */
  readonly needs?: Feature
  /** Rejects with the expected and the actual behavior if the target does not conform. */
  readonly run: (target: ConformanceTarget) => Promise<void>
}

/** A private workspace for a check, with its tools. */
export interface CheckContext extends ToolSession {
  readonly root: string
  readonly path: (name: string) => string
  readonly put: (name: string, content: string | Uint8Array) => Promise<void>
  readonly text: (name: string) => Promise<string>
  /** Calls a tool and returns its result; fails if the call does. */
  readonly result: (name: string, args: Arguments) => Promise<Record<string, unknown>>
  /** Calls a tool and returns its failure; fails if the call succeeds. */
  readonly failure: (name: string, args: Arguments) => Promise<ToolFailure>
  /** Closes this session and opens another on the same folders. */
  readonly reopen: () => Promise<ToolSession>
}

type Arguments = Readonly<Record<string, unknown>>

type CheckOptions = Partial<Omit<SessionOptions, 'root' | 'state'>> & { readonly needs?: Feature }

/** Rules that allow all tools. */
const ALL = ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'WebSearch']

/** Defines a check that runs in its own workspace. */
export function check(
  id: string,
  about: string,
  work: (context: CheckContext) => Promise<void>,
  { needs, ...circumstances }: CheckOptions = {},
): Check {
  return {
    id,
    about,
    needs,
    run: (target) => runInWorkspace(target, circumstances, work),
  }
}

async function runInWorkspace(
  target: ConformanceTarget,
  circumstances: CheckOptions,
  work: (context: CheckContext) => Promise<void>,
): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolglot-conformance-')))
  const [root, state] = [join(folder, 'work'), join(folder, 'state')]
  await mkdir(root)
  const opened: ToolSession[] = []
  const open = async (): Promise<ToolSession> => {
    const session = await target.open({ root, state, allow: ALL, deny: [], ...circumstances })
    opened.push(session)
    return session
  }
  const reopen = async (): Promise<ToolSession> => {
    await opened.pop()?.close()
    return open()
  }
  try {
    const session = await open()
    await work(contextOf(root, session, reopen))
  } finally {
    for (const session of opened) await session.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function contextOf(
  root: string,
  session: ToolSession,
  reopen: () => Promise<ToolSession>,
): CheckContext {
  const path = (name: string): string => join(root, name)
  return {
    ...session,
    root,
    path,
    async put(name, content) {
      await mkdir(dirname(path(name)), { recursive: true })
      await writeFile(path(name), content)
    },
    text: (name) => readFile(path(name), 'utf8'),
    async result(name, args) {
      const outcome = await session.call(name, args)
      if (outcome.status === 'success') return outcome.result as Record<string, unknown>
      const { error_type, message } = outcome.failure
      fail(`${name} failed with ${error_type}: ${message}`)
    },
    async failure(name, args) {
      const outcome = await session.call(name, args)
      if (outcome.status === 'error') return outcome.failure
      fail(`${name} succeeded instead of failing: ${outcome.text}`)
    },
    reopen,
  }
}
