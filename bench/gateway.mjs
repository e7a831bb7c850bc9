// npm run bench -- gateway [PART]: the speed of streaming, compared with a plain proxy; the effects
// of slow readers and of a hostile model on other clients; and how much of a conversation is sent
// again. Writes bench/results/gateway.json.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from './gateway/process.mjs'
import { ask, askSlowly } from './gateway/client.mjs'
import { conversation } from './gateway/conversation.mjs'
import { describeMachine } from './machine.mjs'
import { median } from './timing.mjs'

const ROUNDS = 5
const STREAMS = 100
const CHARACTERS = 64 << 10
const CHUNK = 4
const SLOW_READERS = 1000

const folder = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
const upstream = await start('upstream.mjs')
const attacker = await start('upstream.mjs')
const url = `http://127.0.0.1:${upstream.port}`
const gateway = await start('server.mjs', url, `http://127.0.0.1:${attacker.port}`, folder)
const proxy = await start('proxy.mjs', url)

/** @type {Record<string, () => Promise<object>>} */
const parts = {
  throughput,
  'a hostile model': hostile,
  'slow readers': slowReaders,
  'a conversation of ten turns': conversation,
}
/** @type {Record<string, object>} */
const figures = {}
const [, , , only] = process.argv
for (const [name, measure] of Object.entries(parts)) {
  if (only !== undefined && !name.includes(only)) continue
  figures[name] = await measure()
  console.log(name, figures[name])
}
const results = { machine: describeMachine(), rounds: ROUNDS, figures }
if (only === undefined)
  writeFileSync(
    new URL('results/gateway.json', import.meta.url),
    `${JSON.stringify(results, null, 2)}\n`,
  )
for (const each of [gateway, proxy, upstream, attacker]) each.stop()
rmSync(folder, { recursive: true, force: true })

/** Runs many streams simultaneously, alternating between the proxy and the gateway. */
async function throughput() {
  const model = `prose-${CHARACTERS}-${CHUNK}`
  /** @type {Record<'proxy' | 'gateway', { seconds: number[], first: number[] }>} */
  const times = { proxy: { seconds: [], first: [] }, gateway: { seconds: [], first: [] } }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, server] of Object.entries({ proxy, gateway })) {
      const began = performance.now()
      const replies = await Promise.all(
        Array.from({ length: STREAMS }, () => ask(server, { model, tools: true })),
      )
      const failed = replies.find(({ status }) => status !== 200)
      if (failed) throw new Error(`${name} answered ${failed.status}`)
      // The first round is a warm-up.
      if (round === 0) continue
      const time = times[/** @type {keyof typeof times} */ (name)]
      time.seconds.push((performance.now() - began) / 1000)
      time.first.push(median(replies.map(({ first }) => first)))
    }
  }
  const rate = (/** @type {number[]} */ seconds) =>
    round3((STREAMS * CHARACTERS) / 1e6 / median(seconds))
  return {
    streams: STREAMS,
    proxy: { megabytesPerSecond: rate(times.proxy.seconds), firstByte: first(times.proxy) },
    gateway: { megabytesPerSecond: rate(times.gateway.seconds), firstByte: first(times.gateway) },
    ratio: round3(median(times.proxy.seconds) / median(times.gateway.seconds)),
    goal: 0.7,
  }
}

/**
 * The waiting time of other clients while one model repeatedly writes 10 MB of openers, and without
 * it, alternating.
 */
async function hostile() {
  /** @type {number[]} */
  const alone = []
  /** @type {number[]} */
  const attacked = []
  // The first time is a warm-up.
  await others()
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await others())
    let isOver = false
    const attack = (async () => {
      while (!isOver) await ask(gateway, { model: 'openers-10000000-4096', tools: true })
    })()
    attacked.push(await others())
    isOver = true
    await attack
  }
  const p99 = { alone: round3(median(alone)), attacked: round3(median(attacked)) }
  return { p99, ratio: round3(p99.attacked / p99.alone), goal: 2 }
}

async function others() {
  /** @type {number[]} */
  const times = []
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let at = 0; at < 100; at++) {
        const began = performance.now()
        await ask(gateway, { model: 'prose-8192-16', tools: true })
        times.push(performance.now() - began)
      }
    }),
  )
  times.sort((one, other) => one - other)
  return times[Math.floor(times.length * 0.99)] ?? NaN
}

/**
 * The cost of a thousand readers that stop reading, with replies as above and with endless ones.
 */
async function slowReaders() {
  const usual = await stopReading(`prose-${CHARACTERS}-${CHUNK}`)
  return { usual, endless: await stopReading('prose-10000000-16') }
}

/**
 * Checks that other clients are still answered, and measures the memory.
 *
 * @param {string} model
 */
async function stopReading(model) {
  const before = await gateway.memory()
  const readers = await Promise.all(
    Array.from({ length: SLOW_READERS }, () =>
      askSlowly({ port: gateway.port, token: gateway.slow }, { model }),
    ),
  )
  let most = before
  let healthy = 0
  for (let at = 0; at < 50; at++) {
    const { status } = await ask(gateway, { model: 'prose-8192-16', tools: true })
    if (status === 200) healthy++
    most = Math.max(most, await gateway.memory())
  }
  const statuses = readers.map(({ status }) => status)
  for (const { socket } of readers) socket.destroy()
  return {
    readers: SLOW_READERS,
    answered: statuses.filter((status) => status === 200).length,
    reset: statuses.filter((status) => status === 0).length,
    refused: statuses.filter((status) => status === 429).length,
    healthy: `${healthy} of 50`,
    megabytes: Math.round((most - before) / 1e6),
    goal: 200,
  }
}

/** @param {{ first: number[] }} times */
function first(times) {
  return Math.round(median(times.first))
}

/** @param {number} value */
function round3(value) {
  return Number(value.toPrecision(3))
}
