// The memory use of a long run with large results.
import { run, tool } from '@toolglot/agent'
import { memoryJournal } from '@toolglot/agent/journal'
import { sqliteJournal } from '@toolglot/agent/node'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, number } from '../figure.mjs'

const TURNS = 200
const SIZE = 100_000

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
  const journal = sqliteJournal({ file: join(folder, 'journal.sqlite') })
  try {
    return [await grown('SQLite', journal), await grown('memory', memoryJournal())]
  } finally {
    await journal.close()
    rmSync(folder, { recursive: true })
  }
}

/**
 * @param {string} name
 * @param {import('@toolglot/agent/journal').Journal} journal
 */
async function grown(name, journal) {
  // Loads and compiles all code first.
  await long(journal, 5)
  const before = process.memoryUsage()
  let most = 0
  const compacted = await long(journal, TURNS, () => {
    most = Math.max(most, process.memoryUsage.rss())
  })
  const after = process.memoryUsage()
  const grew = (/** @type {number} */ bytes) => number(Math.max(0, bytes) / 2 ** 20)
  return figure({
    group: 'memory',
    name: `${TURNS} turns with results of ${SIZE / 1000} KB, ${name}`,
    value: (most - before.rss) / 2 ** 20,
    unit: 'MB',
    detail: `maximum RSS above the start; at the end ${grew(after.rss - before.rss)} MB more, heap ${grew(after.heapUsed - before.heapUsed)} MB more; ${compacted} compactions`,
  })
}

/**
 * @param {import('@toolglot/agent/journal').Journal} journal
 * @param {number} turns
 * @param {() => void} [each]
 */
async function long(journal, turns, each) {
  let turn = 0
  let compacted = 0
  /** @type {import('@toolglot/agent').RunOptions['model']} */
  const model = {
    name: 'script hermes',
    contextTokens: 128_000,
    async *reply({ messages }) {
      const isSummary = messages.length === 1
      const call = `<tool_call>\n{"name": "read", "arguments": {"page": ${turn}}}\n</tool_call>`
      const done = turn === turns
      yield { type: 'text', delta: isSummary ? 'Much was read.' : done ? 'Done.' : call }
      if (!isSummary) turn++
      yield { type: 'finish', finish: 'stop' }
    },
  }
  const read = tool({
    name: 'read',
    description: 'Reads a page',
    parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
    readOnly: true,
    execute({ page }) {
      each?.()
      return `Page ${String(page)} has some words. `.repeat(SIZE / 25).slice(0, SIZE)
    },
  })
  const events = run({
    model,
    tools: [read],
    prompt: 'Read it all.',
    journal,
    limits: { maxIterations: turns + 1, maxToolCalls: turns + 1, maxResult: SIZE },
  })
  let next = await events.next()
  for (; !next.done; next = await events.next()) if (next.value.type === 'compacted') compacted++
  const { reason, calls, text } = next.value
  if (reason !== 'answer' || text !== 'Done.' || calls.length !== turns)
    throw new Error(`It ended as ${reason} after ${calls.length} calls: ${text}`)
  return compacted
}
