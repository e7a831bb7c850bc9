// npm run bench -- hostile: the effects of schemas from a hostile client of the gateway, and from a
// hostile MCP server, on others. Writes bench/results/hostile.json.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execute } from '@toolglot/agent'
import { readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { mcpTools } from '@toolglot/tools/mcp'
import { ask } from './gateway/client.mjs'
import { start } from './gateway/process.mjs'
import { hostileSchemas } from './hostile/schemas.mjs'
import { describeMachine } from './machine.mjs'
import { median } from './timing.mjs'

const ROUNDS = 5
const REQUESTS = 200
/** The goal, in milliseconds. */
const GOAL = 50

const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
const figures = { gateway: await gateway(), mcp: await mcp() }
console.log(JSON.stringify(figures, null, 2))
const results = { machine: describeMachine(), rounds: ROUNDS, figures }
writeFileSync(
  new URL('results/hostile.json', import.meta.url),
  `${JSON.stringify(results, null, 2)}\n`,
)
rmSync(folder, { recursive: true, force: true })

/**
 * The waiting time of an honest client while another one keeps sending hostile schemas, and without
 * it, alternating.
 */
async function gateway() {
  const upstream = await start('upstream.mjs')
  const server = await start('server.mjs', `http://127.0.0.1:${upstream.port}`, '', folder)
  const hostile = { port: server.port, token: server.slow ?? '' }
  const bodies = hostileSchemas.flatMap((parameters) => [
    { tools: [{ type: 'function', function: { name: 'f', strict: true, parameters } }] },
    { response_format: { type: 'json_schema', json_schema: { name: 'f', schema: parameters } } },
  ])
  /** @type {Record<string, number>} */
  const statuses = {}
  const figures = await compare(
    () => ask(server, { model: 'prose-2048-16', tools: true }),
    async (isOver) => {
      while (!isOver())
        for (const more of bodies) {
          const { status } = await ask(hostile, { model: 'prose-16-16', more })
          statuses[status] = (statuses[status] ?? 0) + 1
        }
    },
  )
  server.stop()
  upstream.stop()
  return { ...figures, statusesOfHostile: statuses }
}

/**
 * The time for calls of an honest MCP server while another one keeps listing hostile tools, which
 * are called.
 */
async function mcp() {
  const script = fileURLToPath(new URL('hostile/mcp-server.mjs', import.meta.url))
  const fileSystem = nodeFileSystem({ cwd: folder })
  /** @param {'honest' | 'hostile'} name */
  const open = (name) =>
    mcpTools(
      { [name]: { command: process.execPath, args: [script, name] } },
      { host: { fileSystem, storage: { folder } }, environment: process.env, version: '1' },
    )
  const permissions = readRules({ allow: ['mcp__honest', 'mcp__hostile'] })
  /**
   * @param {Awaited<ReturnType<typeof open>>} from
   * @param {string} name
   * @param {object} args
   */
  const call = ({ tools }, name, args) =>
    execute(
      { id: '1', name, args: /** @type {Record<string, unknown>} */ (args) },
      { tools, permissions, fileSystem },
    )
  const honest = await open('honest')
  const figures = await compare(
    async () => {
      const { status } = await call(honest, 'mcp__honest__echo', { text: 'x' })
      if (status !== 'success') throw new Error(`The honest server answered ${status}`)
    },
    async (isOver) => {
      const hostile = await open('hostile')
      while (!isOver())
        for (const name of [...hostile.tools.keys()])
          await call(hostile, name, { a: 'a'.repeat(1000), p0: 'x' })
      await hostile.close()
    },
  )
  await honest.close()
  return figures
}

/**
 * The times of an honest request, alternating between alone and under attack. Each part has a fixed
 * number of requests.
 *
 * @param {() => Promise<unknown>} request
 * @param {(isOver: () => boolean) => Promise<void>} attack
 */
async function compare(request, attack) {
  /** @type {Record<'alone' | 'attacked', { p50: number, p99: number }[]>} */
  const times = { alone: [], attacked: [] }
  await several(request) // Warm-up.
  for (let round = 0; round < ROUNDS; round++) {
    times.alone.push(await several(request))
    let isOver = false
    const attacking = attack(() => isOver)
    times.attacked.push(await several(request))
    isOver = true
    await attacking
  }
  const alone = middle(times.alone)
  const attacked = middle(times.attacked)
  return { alone, attacked, p99Growth: round1(attacked.p99 - alone.p99), goal: GOAL }
}

/** @param {() => Promise<unknown>} request */
async function several(request) {
  const times = []
  for (let at = 0; at < REQUESTS; at++) {
    const began = performance.now()
    await request()
    times.push(performance.now() - began)
  }
  times.sort((one, other) => one - other)
  return { p50: times[REQUESTS >> 1] ?? NaN, p99: times[Math.floor(REQUESTS * 0.99)] ?? NaN }
}

/** @param {{ p50: number, p99: number }[]} all */
function middle(all) {
  return {
    p50: round1(median(all.map(({ p50 }) => p50))),
    p99: round1(median(all.map(({ p99 }) => p99))),
  }
}

/** @param {number} milliseconds */
function round1(milliseconds) {
  return Math.round(milliseconds * 10) / 10
}
