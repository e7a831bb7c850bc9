import { openAiCompatible } from '@toolglot/agent/models'
import type { ProtocolId } from '@toolglot/core'
import { startServer } from '@toolglot/server'
import { openTokens } from '@toolglot/server/internal'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Behaviour, startUpstream } from '../../packages/server/test/upstream.ts'
import { recordTraffic, type Traffic } from './traffic.ts'

/** The whole server with a fake text-only model, available under any name. */
export interface MatrixGateway extends Traffic {
  readonly token: string
  close(): Promise<void>
}

export async function startGateway(
  protocol: ProtocolId,
  behaviour: Behaviour,
): Promise<MatrixGateway> {
  const upstream = await startUpstream({ protocol, chunkSize: 7, alternating: true, ...behaviour })
  const stateFolder = await mkdtemp(join(tmpdir(), 'toolglot-matrix-'))
  const token = openTokens({ stateFolder }).create('matrix', ['gateway'])
  const model = openAiCompatible({ url: upstream.url, model: 'fake', native: false })
  const server = await startServer({
    stateFolder,
    port: 0,
    models: {
      list: () => Promise.resolve([{ name: 'fake', owner: 'fake' }]),
      find: () => Promise.resolve({ model, protocol }),
    },
  })
  const traffic = await recordTraffic(server.url)
  return {
    ...traffic,
    token,
    async close() {
      await traffic.close()
      await server.close()
      await upstream.close()
      await rm(stateFolder, { recursive: true })
    },
  }
}
