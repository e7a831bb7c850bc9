import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrateJournal, postgresJournal, type PostgresJournal } from '@toolglot/postgres'
import { onTestFinished } from 'vitest'
import { startUpstream } from '../../packages/server/test/upstream.ts'
import { type RunningPostgres, startPostgres } from '../postgres/start-postgres.mjs'
import { replyTo } from './script.ts'

/**
 * The basis of every cluster: Postgres with a journal, a model, and a folder for counting effects.
 */
export interface Ground {
  readonly postgres: RunningPostgres
  readonly journal: PostgresJournal
  /** A value for `--model`. */
  readonly model: string
  readonly effects: string
}

/** Prepares the basis of a cluster, until the test ends. */
export async function prepareGround(): Promise<Ground> {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  await migrateJournal(postgres)
  const journal = postgresJournal(postgres)
  onTestFinished(() => journal.close())
  const model = await startUpstream({
    chunkSize: 24,
    delay: 40,
    reply: (_, messages) => replyTo(messages),
  })
  onTestFinished(() => model.close())
  const effects = mkdtempSync(join(tmpdir(), 'toolglot-effects-'))
  onTestFinished(() => rmSync(effects, { recursive: true }))
  return { postgres, journal, model: `${model.url}#qwen3:8b`, effects }
}

/** Waits until no work is left, including runs whose client never got their id. */
export async function untilIdle(journal: PostgresJournal, deadline: number): Promise<void> {
  for (;;) {
    const { running, due, postponed, orphaned, waiting } = await journal.status()
    if (running + due + postponed + orphaned + waiting === 0) return
    if (performance.now() > deadline)
      throw new Error(
        `expected all runs to end: ${JSON.stringify({ running, due, postponed, orphaned, waiting })}`,
      )
    await sleep(500)
  }
}
