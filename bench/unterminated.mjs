// node bench/unterminated.mjs OPENING DELIVERY: reads 100 MB that never close, and says what that
// took. A process of its own, so that nothing else counts.
import { createParser } from '@toolglot/core'

const [opening = '', delivery] = process.argv.slice(2)
const SIZE = 100 << 20
const SMALL = 4096
const chunk = Buffer.alloc(delivery === 'whole' ? SIZE : SMALL, 'x').toString('latin1')

for (let i = 0; i < 20; i++) read('x'.repeat(SMALL), 10)
const before = process.resourceUsage().maxRSS
const began = performance.now()
read(chunk, SIZE / chunk.length)
const seconds = (performance.now() - began) / 1000
const megabytes = (process.resourceUsage().maxRSS - before) / 1024
console.log(JSON.stringify({ seconds, megabytes }))

/**
 * @param {string} text
 * @param {number} times
 */
function read(text, times) {
  const parser = createParser()
  let shown = see(parser.feed(opening))
  for (let i = 0; i < times; i++) shown += see(parser.feed(text))
  shown += see(parser.end())

  const wanted = opening.length + times * text.length
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
