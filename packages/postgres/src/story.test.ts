// Start here: sharing runs among machines with Postgres. Needs npm run test:postgres.
import { collect, run, tool } from '@toolglot/agent'
import { scriptedModel } from '@toolglot/agent/testing'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { newSchema, postgresUrl as url } from '../test/database.ts'
import { postgresJournal, type PostgresJournal } from './index.ts'

let schema: string
beforeAll(async () => {
  // Calls migrateJournal, which an administrator does once.
  schema = await newSchema()
})

/** The journal as opened by one machine. */
function machine(): PostgresJournal {
  const journal = postgresJournal({ url, schema })
  onTestFinished(() => journal.close())
  return journal
}

const saved: string[] = []
const save = tool({
  name: 'save',
  description: 'Save a note',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: ({ text }: { text: string }) => `Note ${saved.push(text)}`,
})
const call = '<tool_call>\n{"name": "save", "arguments": {"text": "milk"}}\n</tool_call>'
const options = { id: 'shared', tools: [save], permissions: { allow: ['save'] } }

test('A run that stops on one machine continues on another without repeating a step', async () => {
  const stop = new AbortController()
  const model = scriptedModel([call, () => stop.abort() as never])
  const [one, other] = [machine(), machine()]
  const prompt = 'Remember the milk'
  const cut = await collect(run({ ...options, journal: one, model, prompt, signal: stop.signal }))
  expect(cut.reason).toBe('cancelled')
  const resumed = { ...options, journal: other, model: scriptedModel(['Done.']), resume: true }
  expect(await collect(run(resumed))).toMatchObject({ text: 'Done.' })
  expect(saved).toEqual(['milk'])
})

test('Every machine lists the runs of all machines', async () => {
  expect(await machine().runs()).toMatchObject([
    { run: 'shared', prompt: 'Remember the milk', state: 'finished' },
  ])
})

test('While one machine records a run, no other can', async () => {
  const [one, other] = [machine(), machine()]
  const log = await one.open('held')
  await log.append({ key: 'run', kind: 'value', value: {} })
  await expect(other.open('held')).rejects.toThrow()
  await log.close()
  await (await other.open('held')).close()
})
