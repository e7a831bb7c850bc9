// A process that Restate calls. Start as many as you like behind one address, and register it:
//   restate deployments register http://ADDRESS:9080
//   curl localhost:8080/run/MY-RUN/drive/send --json '{"prompt": "What is the weather in Rome?"}'
import { createServer } from 'node:http2'
import { tool } from '@toolglot/agent'
import { ollamaModel } from '@toolglot/agent/models'
import { postgresJournal } from '@toolglot/postgres'
import { restateDriver } from './driver.ts'

const weather = tool({
  name: 'weather',
  description: 'Returns the weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  readOnly: true,
  execute: ({ city }) => `It is sunny in ${String(city)}.`,
})
const journal = postgresJournal({ url: process.env['TOOLGLOT_JOURNAL'] ?? '' })
const model = ollamaModel({ url: 'http://127.0.0.1:11434', model: 'qwen3:8b' })
const driver = restateDriver({ journal, model, tools: [weather] })
createServer(driver.handler).listen(Number(process.env['PORT'] ?? 9080))
process.once('SIGTERM', () => void stop())

async function stop(): Promise<void> {
  await driver.close()
  await journal.close()
  process.exit(0)
}
