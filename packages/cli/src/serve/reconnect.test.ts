// In test:long, 1,000 reconnects to 100 runs, and three restarts. RECONNECT_SEED=123 uses another
// seed.
import type { RunEvent } from '@toolglot/agent'
import { expect, onTestFinished, test } from 'vitest'
import { startUpstream } from '../../../server/test/upstream.ts'
import { problemsOf, recordedOf } from '../../../server/test/event-problems.ts'
import { type EventReader, eventReader } from '../../../server/test/event-reader.ts'
import { generator } from '../../../server/test/random.ts'
import { serveProcess, type ServeProcess } from '../../test/serve-process.ts'
import { calling } from '../../test/talking-server.ts'
import { isLong } from '../../../../tests/helpers/size.ts'

const SIZE = isLong
  ? { runs: 100, atOnce: 34, reconnects: 1000, restarts: 3, delay: 40, lines: 12 }
  : { runs: 4, atOnce: 4, reconnects: 20, restarts: 1, delay: 10, lines: 6 }
const seed = Number(process.env['RECONNECT_SEED'] ?? 20_261_116)

test(
  `${SIZE.reconnects} reconnects to ${SIZE.runs} runs with ${SIZE.restarts} restarts of the server: every event once, in order (seed ${seed})`,
  async () => {
    const random = generator(seed)
    const started = performance.now()
    // The model server is not restarted.
    const model = await startUpstream({
      chunkSize: 16,
      delay: SIZE.delay,
      reply: (_, messages) => replyTo(messages),
    })
    onTestFinished(() => model.close())
    const reference = `${model.url}#qwen3:8b`
    const server = await serveProcess({
      settings: { permissions: { allow: ['Bash(sleep *)', 'Bash(echo *)'] } },
      files: { 'notes.txt': 'one\ntwo\nthree\n' },
    })

    const interrupted = new Set<string>()
    const working = new Set<string>()
    let cuts = 0
    let liveCuts = 0
    let restarts = 0
    let restarting: Promise<void> | undefined

    async function restart(): Promise<void> {
      const signal = restarts % 2 === 0 ? 'SIGKILL' : 'SIGTERM'
      restarts++
      for (const run of working) interrupted.add(run)
      await server.restart(signal)
      restarting = undefined
    }
    /** Restarts the server after a number of cuts, while most runs are in progress. */
    function restartWhenDue(): void {
      if (restarting || restarts === SIZE.restarts || working.size < SIZE.atOnce / 2) return
      if (cuts >= (SIZE.reconnects * (restarts + 0.5)) / (SIZE.restarts + 0.5))
        restarting = restart()
    }

    async function one(number: number): Promise<EventReader & { readonly run: string }> {
      const run = await startRun(
        server,
        { prompt: `Go, number ${number}.`, model: reference },
        () => restarting,
      )
      working.add(run)
      const reader = eventReader(server, run)
      const quota = share(SIZE.reconnects, SIZE.runs, number)
      let own = 0
      while (!reader.hasEnded()) {
        const bytes = own < quota ? 1 + Math.floor(random() * MEAN_BYTES * 2) : Infinity
        try {
          await reader.read(bytes)
          if (bytes === Infinity || reader.hasEnded()) continue
          own++
          cuts++
          liveCuts++
          restartWhenDue()
        } catch {
          // The server is down.
          await (restarting ?? new Promise((resolve) => setTimeout(resolve, 20)))
        }
      }
      working.delete(run)
      // The remaining reconnects read the whole run.
      while (own < quota) {
        const again = eventReader(server, run)
        while (!again.hasEnded()) {
          const bytes = own < quota ? 1 + Math.floor(random() * MEAN_BYTES * 2) : Infinity
          try {
            await again.read(bytes)
          } catch {
            await (restarting ?? new Promise((resolve) => setTimeout(resolve, 20)))
            continue
          }
          if (bytes === Infinity || again.hasEnded()) continue
          own++
          cuts++
        }
        expect(again.events.map(({ event }) => event)).toEqual(recordedOf(reader.events))
      }
      return { ...reader, run }
    }

    const readers: (EventReader & { readonly run: string })[] = []
    let next = 0
    await Promise.all(
      Array.from({ length: SIZE.atOnce }, async () => {
        while (next < SIZE.runs) readers.push(await one(next++))
      }),
    )
    await restarting

    let recorded = 0
    let transient = 0
    let resumed = 0
    for (const { run, events } of readers) {
      expect(problemsOf(events), run).toEqual([])
      const replayed = (await (
        await server.ask(`/api/runs/${run}/replay?limit=10000`)
      ).json()) as RunEvent[]
      expect(recordedOf(events)).toEqual(replayed)
      expect(replayed.at(-1)).toMatchObject({ type: 'run-end', reason: 'answer' })
      recorded += replayed.length
      transient += events.length - replayed.length
      // Events before and after a restart are from different executions.
      const epochs = new Set(events.flatMap(({ id }) => id.split('.')[2] ?? []))
      if (epochs.size > 1) resumed++
    }
    const seconds = Math.round((performance.now() - started) / 100) / 10
    if (isLong)
      console.log(
        `seed ${seed}: ${SIZE.runs} runs, ${cuts} reconnects (${liveCuts} while the run went on), ${restarts} restarts, ${interrupted.size} runs interrupted, ${resumed} seen to be resumed, ${recorded} recorded and ${transient} transient events, ${seconds} s`,
      )
    expect(server.errors()).not.toContain('Warning')
    expect({ cuts, restarts }).toEqual({ cuts: SIZE.reconnects, restarts: SIZE.restarts })
    expect(resumed).toBeGreaterThan(0)
  },
  isLong ? 30 * 60_000 : undefined,
)

const MEAN_BYTES = 1500

/** Starts a run. A request without an answer is resent. */
async function startRun(
  server: ServeProcess,
  { prompt, model }: { readonly prompt: string; readonly model: string },
  restarting: () => Promise<void> | undefined,
): Promise<string> {
  for (;;) {
    try {
      const response = await server.post('/api/runs', { prompt, model })
      const body = (await response.json()) as { run: string }
      if (response.status === 201) return body.run
      // 503: the server is stopping.
      if (response.status !== 503) throw new TypeError(JSON.stringify(body), { cause: 'refused' })
    } catch (error) {
      if (error instanceof TypeError && error.cause === 'refused') throw error
    }
    await (restarting() ?? new Promise((resolve) => setTimeout(resolve, 20)))
  }
}

/** The reply depends on the number of turns so far. */
function replyTo(
  messages: readonly { readonly role: string; readonly content?: unknown }[],
): string {
  const turn = messages.filter(
    ({ role, content }) => role === 'assistant' && String(content).startsWith('Turn '),
  ).length
  const words = Array.from({ length: SIZE.lines }, (_, line) => `Turn ${turn}, line ${line}.`)
  const calls = [
    [calling('Read', { file_path: 'notes.txt' })],
    [calling('Bash', { command: 'sleep 0.2' })],
    [
      calling('Read', { file_path: 'notes.txt', offset: 2 }),
      calling('Bash', { command: 'echo done' }),
    ],
  ][turn]
  return [...words, ...(calls ?? [])].join('\n')
}

/** The part of `all` for one of `count` items. */
function share(all: number, count: number, index: number): number {
  return Math.floor((all * (index + 1)) / count) - Math.floor((all * index) / count)
}
