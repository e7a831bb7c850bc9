import { drive, type DriveOptions, tool } from '@toolglot/agent'
import type { Journal } from '@toolglot/agent/journal'
import { type ScriptedReply, scriptedModel } from '@toolglot/agent/testing'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { execute, newSchema, postgresUrl } from '../test/database.ts'
import { startPooler } from '../test/pooler.ts'
import { startProxy } from '../test/switching-proxy.ts'
import { postgresJournal, type PostgresJournalOptions } from './postgres-journal.ts'

const never = new AbortController().signal

describe('problems', () => {
  let schema: string
  beforeEach(async () => {
    schema = await newSchema()
  })
  function open(options: Partial<PostgresJournalOptions> = {}): ReturnType<typeof postgresJournal> {
    const journal = postgresJournal({ url: postgresUrl, schema, ...options })
    onTestFinished(() => journal.close())
    return journal
  }
  /** A run that notes 0, 1 and 2, one in each turn. `done` lists the notes made. */
  function noting(
    journal: Journal,
    done: number[],
    during: (n: number) => unknown = () => {},
  ): DriveOptions {
    return {
      id: 'a',
      journal,
      model: scriptedModel(Array<ScriptedReply>(9).fill(reply), { name: 'hermes' }),
      tools: [
        tool({
          name: 'note',
          description: 'Notes a number',
          parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
          async execute({ n }) {
            await during(Number(n))
            done.push(Number(n))
            return `noted ${String(n)}`
          },
        }),
      ],
      prompt: 'Note some numbers',
      permissions: { allow: ['note'] },
    }
  }
  /** The reply depends only on the conversation, as with a real model. */
  const reply: ScriptedReply = ({ messages }) => {
    const turn = messages.filter(({ role }) => role === 'assistant').length
    const call = { name: 'note', arguments: { n: turn } }
    return turn < 3 ? `<tool_call>\n${JSON.stringify(call)}\n</tool_call>` : 'Done.'
  }

  test.each([
    ['full', '53100', /no space|full/i],
    ['read_only', '25006', /read-only|primary/i],
  ])(
    'a database that becomes %s: no new work starts, and the run continues later',
    async (problem, code, message) => {
      const done: number[] = []
      const journal = open()
      // An error reported by Postgres.
      const fail = (): Promise<unknown> =>
        execute(
          `CREATE FUNCTION "${schema}".fail() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'could not write' USING ERRCODE = '${code}'; END $$;
         CREATE TRIGGER fail BEFORE INSERT ON "${schema}".records EXECUTE FUNCTION "${schema}".fail()`,
        )
      const failing = drive(noting(journal, done, (n) => (n === 1 ? fail() : undefined)))
      await expect(failing).rejects.toMatchObject({ name: 'JournalError', problem })
      await expect(failing).rejects.toThrow(message)
      // The call finished, but its end could not be recorded.
      expect(done).toEqual([0, 1])
      await execute(`DROP TRIGGER fail ON "${schema}".records`)
      expect(await drive(noting(journal, done))).toMatchObject({ reason: 'answer' })
      expect(done).toEqual([0, 1, 2])
      const outcomes = (await journal.read('a')).filter(({ key }) => /call\/\d$/.test(key))
      expect(
        outcomes.filter(({ value }) => (value as { status?: string }).status === 'unknown'),
      ).toHaveLength(1)
    },
  )

  test('a brief outage of the database ends no run, and a longer one is reported', async () => {
    const proxy = await startProxy(postgresUrl)
    const done: number[] = []
    const journal = open({ url: proxy.url })
    const gone = (n: number): void => {
      if (n !== 1) return
      proxy.switchTo(undefined)
      setTimeout(() => proxy.switchTo(postgresUrl), 1500)
    }
    expect(await drive(noting(journal, done, gone))).toMatchObject({ reason: 'answer' })
    expect(done).toEqual([0, 1, 2])
    proxy.switchTo(undefined)
    const failed = journal.open('b')
    await expect(failed).rejects.toMatchObject({ problem: 'failed' })
    await expect(failed).rejects.toThrow(/The journal at 127\.0\.0\.1:\d+\/\w+ cannot be reached/)
    proxy.switchTo(postgresUrl)
  })

  test('notices missing records when a standby that was behind takes over, and stops recording', async () => {
    const done: number[] = []
    const journal = open()
    const fallBehind = async (n: number): Promise<void> => {
      if (n !== 1) return
      // The standby lacks the last records, which belong to the second turn.
      await execute(`DELETE FROM "${schema}".records WHERE key LIKE 'turn/1%'`)
      await execute(
        `UPDATE "${schema}".runs SET records = (SELECT count(*) FROM "${schema}".records)`,
      )
    }
    const failing = drive(noting(journal, done, fallBehind))
    await expect(failing).rejects.toMatchObject({ problem: 'corrupt' })
    await expect(failing).rejects.toThrow('a standby that was behind took over')
    const keys = (await journal.read('a')).map(({ key }) => key)
    expect(keys.filter((key) => key.startsWith('turn/1'))).toEqual([])
    expect(await drive(noting(journal, done))).toMatchObject({ reason: 'answer' })
  })

  test('work behind a transaction pooler, although notices do not arrive', async () => {
    const url = await startPooler(postgresUrl)
    const [one, other] = [open({ url, driven: true }), open({ url })]
    const done: number[] = []
    expect(await drive(noting(one, done))).toMatchObject({ reason: 'answer' })
    expect(done).toEqual([0, 1, 2])
    const log = await one.open('b')
    const message = log.waitForMessage(0, never)
    await other.send('b', 'hello')
    expect(await message).toEqual({ type: 'message', content: 'hello' })
    await expect(other.open('b')).rejects.toMatchObject({ problem: 'busy' })
    await log.close()
    expect((await other.claim({ limit: 5 })).map(({ run }) => run)).toEqual(['b'])
  })
})
