// A process that Restate calls, with tools that have countable effects: node restate-worker.js PORT
import { createServer } from 'node:http2'
import { createRegistry } from '@toolglot/agent/registry'
import { openAiCompatible } from '@toolglot/agent/models'
import { postgresJournal } from '@toolglot/postgres'
import { restateDriver } from '../../examples/restate/driver.ts'
import { note, send } from './effects.mjs'

const [url = '', model = ''] = (process.env['MODEL'] ?? '').split('#')
const journal = postgresJournal({ url: process.env['TOOLGLOT_JOURNAL'] ?? '' })
const driver = restateDriver({
  journal,
  model: openAiCompatible({ url, model }),
  tools: createRegistry([note, send]),
  permissions: { allow: ['note', 'send'] },
})
createServer(driver.handler).listen(Number(process.argv[2]), '127.0.0.1', () => {
  console.log('Ready.')
})
process.once('SIGTERM', () => void stop())

async function stop(): Promise<void> {
  await driver.close()
  await journal.close()
  process.exit(0)
}
