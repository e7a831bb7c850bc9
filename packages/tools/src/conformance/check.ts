import { fail } from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ToolFailure } from '@toolglot/agent'
import type { Feature, SessionOptions, ConformanceTarget, ToolSession } from './target.ts'

/** Something that every platform does. */
export interface Check {
  /** The point of the acceptance list that it belongs to, such as T1.1. */
  readonly id: string
  readonly about: string
  /** What the platform must have for it. */
  readonly needs?: Feature
  /** Rejects with what was expected and what came, if it is not so. */
  readonly run: (target: ConformanceTarget) => Promise<void>
}

/** A workspace of a check's own, and the tools in it. */
export interface CheckContext extends ToolSession {
  readonly root: string
  readonly path: (name: string) => string
  readonly put: (name: string, content: string | Uint8Array) => Promise<void>
  readonly text: (name: string) => Promise<string>
  /** The result of a call that succeeds. */
  readonly result: (name: string, args: Arguments) => Promise<Record<string, unknown>>
  /** The failure of a call that does not. */
  readonly failure: (name: string, args: Arguments) => Promise<ToolFailure>
  /** Another session on the same folders, after this one was closed. */
  readonly reopen: () => Promise<ToolSession>
}

type Arguments = Readonly<Record<string, unknown>>

type CheckOptions = Partial<Omit<SessionOptions, 'root' | 'state'>> & { readonly needs?: Feature }

/** All tools may do all they can. */
const ALL = ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'WebSearch']

export function check(
  id: string,
  about: string,
  work: (context: CheckContext) => Promise<void>,
  { needs, ...circumstances }: CheckOptions = {},
): Check {
  return {
    id,
    about,
    ...(needs && { needs }),
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
      fail(`Expected ${name} to succeed, got ${error_type}: ${message}`)
    },
    async failure(name, args) {
      const outcome = await session.call(name, args)
      if (outcome.status === 'error') return outcome.failure
      fail(`Expected ${name} to fail, got ${outcome.text}`)
    },
    reopen,
  }
}
