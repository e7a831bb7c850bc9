// node tests/shell/both-ways.mjs [--file FILE]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { boxed, whyNot as whyNoBox } from '../oracle/box.mjs'
import { makeWorkspace } from './both-ways-workspace.mjs'
import { texts as ownTexts } from './both-ways-texts.mjs'

const project = join(import.meta.dirname, '../..')
const BUILT = join(project, 'packages/permissions/dist')

/** The reason why nothing can be compared here; undefined if it is possible. */
export const whyNot = () => (existsSync(BUILT) ? whyNoBox() : 'permissions are not built')

/**
 * Runs each shell command as written and as printed, in copies of one workspace, and compares
 * output, exit code and files. If they differ, the original runs again: differences between its own
 * runs are not caused by printing.
 *
 * @param {readonly string[]} texts
 * @returns {AsyncGenerator<{ text: string, verdict: 'same' | 'not repeatable' | 'different' | 'not
 * printable', runs?: string, why?: string }>}
 */
export async function* bothWays(texts) {
  const template = mkdtempSync(join(tmpdir(), 'both-ways-'))
  for (const name of ['ws', 'home']) mkdirSync(join(template, name))
  makeWorkspace(join(template, 'ws'), join(template, 'home'))
  const program = [process.execPath, join(import.meta.dirname, 'both-ways-worker.mjs'), BUILT]
  const own = dirname(dirname(process.execPath))
  const readable = [project, ...(/^\/(?:usr|bin|opt)\b/.test(own) ? [] : [own])]
  const child = spawn('bwrap', boxed({ template, readable }, program), {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    for (const text of texts) {
      child.stdin.write(`${JSON.stringify({ text })}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error(`The box ended while it ran ${JSON.stringify(text)}`)
      yield { text, ...compared(JSON.parse(value)) }
    }
  } finally {
    child.stdin.end()
    await ended
    rmSync(template, { recursive: true, force: true })
  }
}

function compared({ unprinted, runs, original, again, printed }) {
  if (unprinted !== undefined) return { verdict: 'not printable', why: unprinted }
  const isRepeatable = differences(original, again).length === 0
  const found = isRepeatable
    ? differences(original, printed)
    : original.code === again.code
      ? differences({ code: original.code }, { code: printed.code })
      : []
  if (found.length > 0) return { runs, verdict: 'different', why: found.join('\n') }
  return { runs, verdict: isRepeatable ? 'same' : 'not repeatable' }
}

/** The differences between two runs, one line each. */
function differences(one, other) {
  const { files = {}, ...rest } = one
  const paths = [...new Set([...Object.keys(files), ...Object.keys(other.files ?? {})])]
  return [
    ...Object.keys(rest).map((name) => [name, shown(name, one[name]), shown(name, other[name])]),
    ...paths.map((path) => [path, files[path], other.files[path]]),
  ]
    .filter(([, before, after]) => before !== after)
    .map(([name, ...both]) => `${name}: ${both.map((each) => JSON.stringify(each)).join(' ≠ ')}`)
}

/**
 * Messages of the shell contain line numbers, and sometimes quote the text, so only their presence
 * is compared.
 */
const shown = (name, value) =>
  name === 'stderr' ? value.replace(/^(?:bash|environment): line \d+: .*$/gm, 'bash: …') : value

/** The commands in a file: `{ "cases": [{ "cmd": … }] }`, or one `{ "cmd": … }` in each line. */
function textsOf(file) {
  const content = readFileSync(file, 'utf8')
  const cases = file.endsWith('.jsonl')
    ? content
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : JSON.parse(content).cases
  return cases.map(({ cmd }) => cmd)
}

async function main() {
  const { values } = parseArgs({ options: { file: { type: 'string' } } })
  const missing = whyNot()
  if (missing) return console.log(`Running texts both ways is skipped: ${missing}.`)
  const counts = { same: 0, 'not repeatable': 0, different: 0, 'not printable': 0 }
  for await (const each of bothWays(values.file ? textsOf(values.file) : ownTexts)) {
    counts[each.verdict]++
    if (each.verdict === 'same') continue
    console.log(`${each.verdict}: ${JSON.stringify(each.text)}`)
    if (each.verdict === 'different') console.log(`  printed: ${JSON.stringify(each.runs)}`)
    if (each.why) console.log(each.why.replace(/^/gm, '  '))
  }
  const printed = counts.same + counts['not repeatable'] + counts.different
  const figures = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  console.log(`${printed} printed: ${figures.slice(0, 3).join(', ')}; ${figures[3]}`)
  process.exitCode = counts.different > 0 ? 1 : 0
}

if (process.argv[1] === import.meta.filename) await main()
