// Judges and runs the texts with the numbers it is told. Requests and answers are lines of JSON.
import { createInterface } from 'node:readline'
import { locales } from './box.mjs'
import { Checker } from './checker.mjs'
import { hashOf } from '../oracle/random.mjs'
import { shrunk } from './shrink.mjs'
import { textNumber } from './texts.mjs'

const [, , dist] = process.argv
const checker = await Checker.of(dist)
const LOCALES = locales()
/** The texts that were run, with their rules: the same one tells nothing new. */
const done = new Set()
/** How many differences were shrunk. */
let shrunkCount = 0

for await (const line of createInterface({ input: process.stdin })) {
  const { seed, from, to, match, without, shrinks = 0 } = JSON.parse(line)
  const answer = { judged: 0, allowed: 0, executed: 0, bySet: {}, found: [] }
  const allowed = []
  for (let number = from; number < to; number++) {
    const { text, set } = textNumber(seed, number)
    if (match !== undefined && !text.includes(match)) continue
    if (without !== undefined && new RegExp(without).test(text)) continue
    answer.judged++
    const decision = await checker.judge(text, set)
    if (decision.verdict !== 'allow') continue
    answer.allowed++
    const id = hashOf(set.name + text) * 2 ** 20 + (hashOf(`${text}!`) & (2 ** 20 - 1))
    if (done.has(id)) continue
    done.add(id)
    answer.bySet[set.name] = (answer.bySet[set.name] ?? 0) + 1
    allowed.push({ text, set, decision, number })
  }
  const locale = LOCALES[Math.floor(from / 1000) % LOCALES.length]
  answer.executed = allowed.length
  const found = allowed.length > 0 ? await checker.run(allowed, locale) : []
  for (const at of new Set(found.map(({ number }) => number))) {
    const { text, set, number } = allowed[at]
    const isDifference = async (each) => (await checker.difference(each, set, locale)) !== undefined
    // Texts that differ only beside others would be a fault of the oracle itself: they are reported as they are.
    const isAlone = await isDifference(text)
    const smallest = isAlone && shrunkCount++ < shrinks ? await shrunk(text, isDifference) : text
    const [first] = found.filter((each) => each.number === at)
    answer.found.push({
      ...{ number, text, smallest, locale, rules: set.name },
      ...((await checker.difference(smallest, set, locale)) ?? first),
      number,
    })
  }
  console.log(JSON.stringify(answer))
}
checker.close()
