import type { Command } from 'commander'
import { findRun } from '../../input/find-run.ts'
import { requestsOf } from '../../input/find-request.ts'
import { showWaiting } from '../../show/waiting.ts'
import { toJson } from '../../show/text/json.ts'
import { colorsOf, columnsOf, type Terminal, write } from '../../terminal.ts'
import { useJournal } from '../use-journal.ts'

/** `toolglot runs waiting`: lists what runs wait for. */
export function addWaiting(runs: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const options = { colors: colorsOf(output, env), columns: columnsOf(output) }
  runs
    .command('waiting')
    .description('list what waits for a person: calls to approve, and questions')
    .argument('[run]', 'only what this run waits for: its id, its name, or last')
    .option('--json', 'print what waits as JSON')
    .action((text: string | undefined, _: object, command: Command) =>
      useJournal(terminal, async (journal) => {
        // `runs` has --json too, and takes it.
        const { json } = command.optsWithGlobals<{ json?: true }>()
        const found = text === undefined ? undefined : await findRun(journal, text)
        const requests = await requestsOf(journal, found?.run)
        const all = found ? [found] : await journal.runs({ limit: Number.MAX_SAFE_INTEGER })
        const summaries = new Map(all.map((summary) => [summary.run, summary]))
        if (!json)
          return write(output, showWaiting(requests, summaries, { ...options, now: Date.now() }))
        const named = requests.map((request) => ({
          ...request,
          name: summaries.get(request.run)?.name,
        }))
        await write(output, `${toJson(named, { indent: 2 })}\n`)
      }),
    )
}
