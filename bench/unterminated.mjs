// node bench/unterminated.mjs OPENING DELIVERY: reads 100 MB without a closing mark, and reports
// the time and memory. A separate process, so that nothing else is measured.
import { createParser } from '@toolglot/core'

const [opening = '', delivery] = process.argv.slice(2)
const SIZE = 100 << 20
const CHUNK = 4096

const first = xs(delivery === 'whole' ? SIZE : CHUNK, opening)
const chunk = xs(CHUNK, '')
for (let i = 0; i < 20; i++) read(xs(CHUNK, opening), 10)
const before = process.resourceUsage().maxRSS
const began = performance.now()
read(first, (SIZE - first.length) / CHUNK)
const seconds = (performance.now() - began) / 1000
const megabytes = (process.resourceUsage().maxRSS - before) / 1024
console.log(JSON.stringify({ seconds, megabytes }))

/**
 * @param {number} length
 * @param {string} beginning
 */
function xs(length, beginning) {
  const bytes = Buffer.alloc(length, 'x')
  bytes.write(beginning, 'latin1')
  return bytes.toString('latin1')
}

/**
 * @param {string} beginning
 * @param {number} times the number of chunks that follow
 */
function read(beginning, times) {
  const parser = createParser()
  let shown = see(parser.feed(beginning))
  for (let i = 0; i < times; i++) shown += see(parser.feed(chunk))
  shown += see(parser.end())

  const wanted = beginning.length + times * chunk.length
  if (shown !== wanted) throw new Error(`${shown} of ${wanted} characters were shown`)
}

/** @param {import('@toolglot/core').Event[]} events */
function see(events) {
  let shown = 0
  for (const event of events) {
    if (event.type === 'text') shown += event.delta.length
    else if (event.type === 'malformed') shown += event.raw.length
    else if (event.type === 'call-end') shown += event.call.raw.length
  }
  return shown
}
