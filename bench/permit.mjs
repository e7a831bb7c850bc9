// npm run bench -- permit: the time for a decision. Writes bench/results/permit.json.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decide, readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { describeMachine } from './machine.mjs'

const DECISIONS = 10_000

const cwd = mkdtempSync(join(tmpdir(), 'toolglot-bench-'))
const fileSystem = nodeFileSystem({ cwd })

const few = rules(['Bash(git:*)', 'Bash(echo:*)', 'Bash(npm run test:*)', 'Edit(src/**)'], 'allow')
const denies = rules(['Read(.env)', 'Read(**/*.pem)', 'Bash(rm -rf:*)', 'Bash(sudo:*)'], 'deny')
const many = rules(
  Array.from({ length: 10_000 }, (_, i) => `Bash(tool${i} run:*)`),
  'allow',
)
const commands = fill(
  'git log --oneline -n 5 && echo "it is done" | git hash-object --stdin ; ',
  4096,
)
const words = `git commit -m "${fill('a message that goes on, ', 4000)}"`

/** @type {[name: string, tool: string, args: Record<string, unknown>, list: ReturnType<typeof rules>][]} */
const cases = [
  ['a short command', 'Bash', { command: 'git status' }, [...few, ...denies]],
  ['4 KB of commands', 'Bash', { command: commands }, [...few, ...denies]],
  ['a command of 4 KB', 'Bash', { command: words }, [...few, ...denies]],
  ['10,000 rules, 4 KB of commands', 'Bash', { command: commands }, [...many, ...few, ...denies]],
  ['a file', 'Read', { file_path: 'src/deep/in/a/folder/main.ts' }, [...few, ...denies]],
]

const figures = []
for (const [name, tool, args, list] of cases) {
  /** @type {number[]} */
  const times = []
  for (let i = 0; i < DECISIONS; i++) {
    const start = performance.now()
    await decide({ name: tool, args }, { rules: list }, fileSystem)
    times.push(performance.now() - start)
  }
  times.sort((one, other) => one - other)
  const at = (/** @type {number} */ part) =>
    Number((times[Math.floor(times.length * part)] ?? NaN).toPrecision(3))
  const figure = { name, p50: at(0.5), p99: at(0.99), most: at(0.9999) }
  console.log(
    `${name}: p50 ${figure.p50} ms, p99 ${figure.p99} ms (goal 5), most ${figure.most} ms`,
  )
  figures.push(figure)
}
const results = { machine: describeMachine(), decisions: DECISIONS, figures }
writeFileSync(
  new URL('results/permit.json', import.meta.url),
  `${JSON.stringify(results, null, 2)}\n`,
)

/**
 * @param {string[]} texts
 * @param {'allow' | 'deny'} verdict
 */
function rules(texts, verdict) {
  return readRules({ [verdict]: texts }).rules
}

/**
 * @param {string} text
 * @param {number} length
 */
function fill(text, length) {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}
