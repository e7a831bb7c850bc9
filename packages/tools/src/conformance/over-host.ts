import { mkdir } from 'node:fs/promises'
import { type Answers, execute } from '@toolglot/agent'
import { type FileSystemView, readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { createTools } from '../create-tools.ts'
import type { Host } from '../host/host.ts'
import type { Storage } from '../host/storage.ts'
import { searxng } from '../web/providers/searxng.ts'
import type { SessionOptions, ConformanceTarget, ToolSession } from './target.ts'

/** What a host under test is created with. */
export interface HostSetup {
  readonly fileSystem: FileSystemView
  readonly storage: Storage
  /** The user's answers, by question. */
  readonly answers: Answers
}

/** A conformance target that runs the tools on a host, as an agent run does. */
export function overHost(
  make: (setting: HostSetup) => Host | Promise<Host>,
  lacks: ConformanceTarget['lacks'] = {},
): ConformanceTarget {
  return { lacks, open: (options) => open(make, options) }
}

async function open(
  make: (setting: HostSetup) => Host | Promise<Host>,
  { root, state, allow, deny, ask = [], answers = {}, search }: SessionOptions,
): Promise<ToolSession> {
  await mkdir(state, { recursive: true })
  const storage = { folder: state }
  const host = await make({ fileSystem: nodeFileSystem({ cwd: root }), storage, answers })
  const source = { scope: 'user', root } as const
  const permissions = readRules({ allow, ask, deny }, { source })
  const provider = search === undefined ? {} : { provider: searxng({ url: search }) }
  const tools = createTools(host, provider)
  const run = 'conformance'
  let calls = 0
  return {
    run,
    storage,
    call: (name, args, signal) =>
      execute(
        { id: `call-${++calls}`, name, args },
        { tools, permissions, fileSystem: host.fileSystem, run, signal },
      ),
    close: () => host.close(),
  }
}
