// Judges and runs the commands with the requested numbers. Requests and answers are lines of JSON.
import { createInterface } from 'node:readline'
import { locales } from './box.mjs'
import { Checker, isApprovable } from './checker.mjs'
import { judgedLists } from './compare.mjs'
import { hashOf } from '../oracle/random.mjs'
import { shrunk } from './shrink.mjs'
import { textNumber } from './texts.mjs'

const [, , dist] = process.argv
const checker = await Checker.of(dist)
const LOCALES = locales()
/** The commands that were run, with their rules: running one twice would not help. */
const done = new Set()
/** The number of minimized differences. */
let shrunkCount = 0

for await (const line of createInterface({ input: process.stdin })) {
  const { seed, from, to, match, without, shrinks = 0 } = JSON.parse(line)
  const answer = { judged: 0, allowed: 0, executed: 0, approved: 0, bySet: {}, found: [] }
  const [allowed, approved] = [[], []]
  for (let number = from; number < to; number++) {
    const { text, set } = textNumber(seed, number)
    if (match !== undefined && !text.includes(match)) continue
    if (without !== undefined && new RegExp(without).test(text)) continue
    answer.judged++
    const decision = await checker.judge(text, set)
    const isAllowed = decision.verdict === 'allow'
    // Most commands need approval, so only a few of them are run.
    if (!isAllowed && (number % 4 > 0 || !isApprovable(decision))) continue
    if (isAllowed) answer.allowed++
    const id = hashOf(set.name + text) * 2 ** 20 + (hashOf(`${text}!`) & (2 ** 20 - 1))
    if (done.has(id)) continue
    done.add(id)
    if (isAllowed) answer.bySet[set.name] = (answer.bySet[set.name] ?? 0) + 1
    ;(isAllowed ? allowed : approved).push({ text, set, decision, number })
  }
  const locale = LOCALES[Math.floor(from / 1000) % LOCALES.length]
  answer.executed = allowed.length
  answer.approved = approved.length
  if (allowed.length > 0) await report(allowed, await checker.run(allowed, locale))
  if (approved.length > 0) await report(approved, await checker.runApproved(approved, locale))
  console.log(JSON.stringify(answer))

  /** Adds one difference for each text. */
  async function report(texts, found) {
    for (const at of new Set(found.map((each) => each.number))) {
      const { text, set, number, decision } = texts[at]
      const { words, why } = found.find((each) => each.number === at)
      const known = { words, why, runs: decision.runs, judged: judgedLists(decision) }
      const smaller = shrunkCount++ < shrinks ? await smallest(text, set, locale) : undefined
      const { verdict } = decision
      answer.found.push({ ...known, ...smaller, number, text, locale, verdict, rules: set.name })
    }
  }
}
checker.close()

/**
 * The shortest text with the same difference; undefined if this text doesn't differ when it runs
 * alone.
 */
async function smallest(text, set, locale) {
  const differs = async (each) => (await checker.difference(each, set, locale)) !== undefined
  if (!(await differs(text))) return undefined
  const shortest = await shrunk(text, differs)
  return { ...(await checker.difference(shortest, set, locale)), smallest: shortest }
}
