import { openAiCompatible } from '@toolglot/agent/models'
import { printCalls, type ProtocolId, protocols } from '@toolglot/core'
import { startServer } from '@toolglot/server'
import { openTokens } from '@toolglot/server/internal'
import type { GatewayModel } from '@toolglot/server/gateway'
import type { ReceivedMessage } from '../../packages/server/test/strict-request.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import {
  type Behaviour,
  startUpstream,
  type Upstream,
} from '../../packages/server/test/upstream.ts'
import { isLong } from '../helpers/size.ts'

/** The whole server, with the fake model behind its gateway. */
export interface RunningGateway {
  /** The base URL of its API. */
  readonly url: string
  /** The clients' key. */
  readonly token: string
  readonly upstream: Upstream
  /** The options of an SDK's client. */
  clientOptions(fetchToUse: typeof fetch): {
    readonly baseURL: string
    readonly apiKey: string
    readonly fetch: typeof fetch
    readonly maxRetries: number
  }
}

/**
 * The behaviors of the fake model, by model name: text only, with function calling, or accepting
 * tools but printing its calls.
 */
export const kinds: Readonly<Record<string, Behaviour>> = {
  'text only': { calling: 'text', chunkSize: isLong ? 1 : 7, reasoning: 'text', alternating: true },
  native: { calling: 'native', chunkSize: 5, reasoning: 'field' },
  printed: { calling: 'printed', protocol: 'qwen3-coder', chunkSize: 3 },
}

/**
 * Other models: one accepts several user messages in a row, one writes without end, one sends a
 * patch.
 */
const others: Readonly<Record<string, Behaviour>> = {
  'any order': { calling: 'text' },
  endless: { fault: 'endless' },
  patcher: { reply: patch },
}

/** Calls a tool that takes text, and then repeats its result. */
function patch(_: number, messages: readonly ReceivedMessage[]): string {
  const told = String(messages.at(-1)?.content)
  const input = '*** Begin Patch\n*** End Patch'
  if (!told.includes('Patched.'))
    return printCalls('hermes', [{ name: 'apply_patch', args: { input } }])
  return 'I am a fake model. It said: Patched.'
}

/**
 * Starts the gateway for the tests of a file. Names that are not listed above are protocols,
 * written by text-only models.
 */
export async function startGateway(): Promise<RunningGateway> {
  const upstream = await startUpstream(behaviourOf)
  const stateFolder = await mkdtemp(join(tmpdir(), 'toolglot-clients-'))
  const token = openTokens({ stateFolder }).create('clients', ['gateway'])
  const server = await startServer({
    stateFolder,
    port: 0,
    models: {
      list: () => Promise.resolve(names().map((name) => ({ name, owner: 'fake' }))),
      find: (name) => Promise.resolve(names().includes(name) ? modelOf(name, upstream) : undefined),
    },
  })
  afterAll(async () => {
    await server.close()
    await upstream.close()
    await rm(stateFolder, { recursive: true })
  })
  const url = `${server.url}/v1`
  return {
    url,
    token,
    upstream,
    clientOptions: (fetchToUse) => ({
      baseURL: url,
      apiKey: token,
      fetch: fetchToUse,
      maxRetries: 0,
    }),
  }
}

/** The models available to clients. */
export function names(): string[] {
  return [...Object.keys(kinds), ...Object.keys(others), ...Object.keys(protocols)]
}

function behaviourOf(name: string): Behaviour {
  const behaviour = kinds[name] ?? others[name]
  return behaviour ?? { protocol: name as ProtocolId, chunkSize: 11, alternating: true }
}

function modelOf(name: string, { url }: Upstream): GatewayModel {
  const { calling = 'text', protocol = 'hermes' } = behaviourOf(name)
  const native = calling !== 'text'
  const model = openAiCompatible({ url, model: name, key: 'upstream-key', native })
  return native ? { model } : { model, protocol }
}
