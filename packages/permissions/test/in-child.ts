import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { nastyTexts } from './nasty.ts'
import { isLong, share } from '../../../tests/helpers/size.ts'

/**
 * Tests that parsers finish on every nasty text without a stack overflow. A parser is code, as in
 * `ChildCase`. In the long run, each has a separate process; in `npm test`, they share one.
 */
export function testParsers(parsers: Readonly<Record<string, string>>): void {
  const names = share(Object.keys(nastyTexts), 24)
  const texts = Object.fromEntries(names.map((name) => [name, nastyTexts[name]!]))
  const casesOf = ([parser, code]: readonly [string, string]): ChildCase[] =>
    names.map((text) => ({ name: `${parser}: ${text}`, text, code, values: {} }))
  let together: Promise<ChildOutcomes> | undefined

  test.each(Object.entries(parsers))(
    '%s finishes on every nasty input',
    LONG,
    async (...parser) => {
      const cases = casesOf(parser)
      together ??= isLong ? undefined : runInChild(Object.entries(parsers).flatMap(casesOf), texts)
      const all = await (together ?? runInChild(cases, texts))
      const outcomes = new Map(
        [...all].filter(([name]) => cases.some((each) => each.name === name)),
      )
      // If a case hung, it is the first case without an outcome.
      expect(cases.find(({ name }) => !outcomes.has(name))?.name).toBeUndefined()
      expect(
        [...outcomes].filter(([, said]) =>
          /call stack|heap|string length|is not a function|not defined|Cannot find|reading /.test(
            said,
          ),
        ),
      ).toEqual([])
    },
  )
}

const LONG = { timeout: 240_000 }

/**
 * Code to run. `from(package, module)` imports a built module; `run(words)` runs the command and
 * returns its standard error. The values are available as variables.
 */
export interface ChildCase {
  readonly name: string
  readonly code: string
  readonly values: Readonly<Record<string, string>>
  /** The name of a nasty text, which is available as the variable `text`. */
  readonly text?: string
}

/** The outcome of each case by name: the returned text, or the message of the thrown error. */
export type ChildOutcomes = ReadonlyMap<string, string>

/**
 * Runs code in another process, which is killed after a period without progress. The first case
 * without a result is the case that hangs or ends the process.
 */
export async function runInChild(
  cases: readonly ChildCase[],
  texts: Readonly<Record<string, string>> = {},
): Promise<ChildOutcomes> {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-child-'))
  const list = join(folder, 'cases.json')
  writeFileSync(list, JSON.stringify({ cases, texts }))
  const packages = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
  const words = ['--input-type=module', '-e', SCRIPT, packages, list]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] })
  const watchdog = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    watchdog.refresh()
    output += text
  })
  await once(child, 'close')
  clearTimeout(watchdog)
  rmSync(folder, { recursive: true })
  const lines = output.split('\n').filter((line) => line.startsWith('["case",'))
  return new Map(
    lines.map((line) => {
      const [, name, said] = JSON.parse(line) as [string, string, string]
      return [name, said]
    }),
  )
}

/** The timeout for one case on a busy machine, in milliseconds. */
const PATIENCE = 30_000

const SCRIPT = `
  import { spawnSync } from 'node:child_process'
  import { readFileSync } from 'node:fs'
  import { pathToFileURL } from 'node:url'
  const [packages, list] = process.argv.slice(1)
  const from = (name, module) => import(pathToFileURL(packages + '/' + name + '/dist/' + module + '.js'))
  const Code = Object.getPrototypeOf(async () => {}).constructor
  const { cases, texts } = JSON.parse(readFileSync(list, 'utf8'))
  for (const { name, code, values, text } of cases) {
    const run = (words) => {
      const env = { ...process.env, HOME: values.folder }
      const options = { cwd: values.folder, env, encoding: 'utf8', maxBuffer: 1e9 }
      return spawnSync(process.execPath, [packages + '/cli/bin/toolglot.js', ...words], options).stderr
    }
    let said = ''
    try {
      const call = new Code('from', 'run', 'text', ...Object.keys(values), code)
      const result = await call(from, run, texts[text], ...Object.values(values))
      if (typeof result === 'string') said = result
    } catch (error) {
      said = String(error?.message)
    }
    process.stdout.write(JSON.stringify(['case', name, said.slice(0, 2000)]) + '\\n')
  }
  process.stdout.write('', () => process.exit())
`
