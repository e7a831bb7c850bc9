// npm run bench -- prompts: how many prompts are rendered exactly as by other programs, with the
// models' own chat templates. The templates and prompts are next to this repository, in ../shared;
// without them, nothing is measured. Dates are masked, because they are those of the day on which a
// prompt was rendered. Writes bench/results/prompts.json.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createChatTemplate } from '@toolglot/agent/internal'

/** @typedef {{ role: 'system' | 'user' | 'assistant' | 'tool', content: string, reasoning?: string, callId?: string, name?: string, calls?: { id: string, name: string, arguments: Record<string, unknown> }[] }} Message */
/** @typedef {{ messages: Message[], thinking: boolean }} Scenario */
/** @typedef {{ template: string, scenario: string, prompt: string }} Vector */

const GOAL = 0.95
const vectors = new URL('../../shared/vectors/', import.meta.url)
const prompts = new URL('prompts.jsonl', vectors)
if (existsSync(prompts)) measure()
else console.log('skipped: there is no ../shared/vectors/prompts.jsonl to compare with')

function measure() {
  /** @type {{ tools: { name: string }[], scenarios: Record<string, Scenario> }} */
  const { tools, scenarios } = JSON.parse(readFileSync(new URL('scenarios.json', vectors), 'utf8'))
  /** @type {Map<string, ReturnType<typeof createChatTemplate>>} */
  const templates = new Map()
  /** @type {Record<string, string[]>} */
  const different = {}
  /** @type {string[]} */
  const notes = []
  let all = 0
  let same = 0
  for (const line of readFileSync(prompts, 'utf8').split('\n')) {
    if (line === '') continue
    /** @type {Vector} */
    const { template: name, scenario, prompt } = JSON.parse(line)
    const { messages, thinking } = scenarios[scenario] ?? { messages: [], thinking: true }
    const template = templates.get(name) ?? createChatTemplate(sourceOf(name))
    templates.set(name, template)
    const rendered = attempt(() =>
      template.render({ messages: messages.map((each) => inputOf(each)), tools, thinking }),
    )
    all += 1
    if (masked(rendered) === masked(prompt)) same += 1
    else {
      ;(different[name] ??= []).push(scenario)
      notes.push(`  ${name}, ${scenario}: ${difference(masked(rendered), masked(prompt))}`)
    }
  }
  const rate = same / all
  console.log(
    `${rate >= GOAL ? 'ok' : 'MISSED'}: ${same} of ${all} prompts (${(rate * 100).toFixed(1)} %, goal ${GOAL * 100} %) of ${templates.size} templates`,
  )
  for (const note of notes) console.log(note)
  const results = { prompts: all, same, rate: Number(rate.toFixed(4)), goal: GOAL, different }
  writeFileSync(
    new URL('results/prompts.json', import.meta.url),
    `${JSON.stringify(results, null, 2)}\n`,
  )
  if (rate < GOAL) process.exitCode = 1
}

/** @param {string} name */
function sourceOf(name) {
  return readFileSync(new URL(`templates/${name}`, vectors), 'utf8')
}

/**
 * @param {Message} message
 * @returns {import('@toolglot/agent/internal').ChatMessageInput}
 */
function inputOf({ role, content, reasoning, calls, callId, name }) {
  return {
    role,
    content,
    ...(reasoning !== undefined && { reasoning }),
    ...(calls && {
      calls: calls.map((call) => ({ id: call.id, name: call.name, args: call.arguments })),
    }),
    ...(callId !== undefined && { call: callId }),
    ...(name !== undefined && { name }),
  }
}

/** @param {() => string} render */
function attempt(render) {
  try {
    return render()
  } catch (error) {
    return String(error)
  }
}

/**
 * The text with its dates replaced.
 *
 * @param {string} text
 */
function masked(text) {
  const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}'
  return text
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, 'DATE')
    .replaceAll(new RegExp(`\\d{1,2} ${months},? \\d{4}`, 'g'), 'DATE')
    .replaceAll(new RegExp(`${months} \\d{1,2},? \\d{4}`, 'g'), 'DATE')
    .replaceAll(/\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g, 'DAY')
}

/**
 * The first difference between two texts.
 *
 * @param {string} ours
 * @param {string} theirs
 */
function difference(ours, theirs) {
  let at = 0
  while (at < ours.length && ours[at] === theirs[at]) at += 1
  const near = (/** @type {string} */ text) =>
    JSON.stringify(text.slice(Math.max(0, at - 20), at + 40))
  return `${near(ours)} instead of ${near(theirs)}`
}
