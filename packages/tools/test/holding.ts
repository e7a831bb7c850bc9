// Runs a command in a sandbox until it gets some input, then closes its host.
import { once } from 'node:events'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { nodeHost } from '../src/node/host.ts'

const { ROOT = '', STORAGE = '', COMMAND = '' } = process.env
const host = nodeHost({
  fileSystem: nodeFileSystem({ cwd: ROOT }),
  storage: { folder: STORAGE },
  sandbox: { use: 'bubblewrap', network: 'none' },
})
const task = await host.processes.start(`${COMMAND}; echo ready; exec sleep 300`)
await task.wait({ timeout: 20_000, untilOutput: true })
console.log(`${task.pid} ${(await task.read()).text}`)
await once(process.stdin, 'data')
await host.close()
process.exit()
