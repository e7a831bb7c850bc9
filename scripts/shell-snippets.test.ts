import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeApi } from '@toolglot/server/internal'
import { commands } from '../packages/cli/src/commands/index.ts'
import { createProgram, withDefaultCommand } from '../packages/cli/src/program.ts'
import type { Terminal } from '../packages/cli/src/terminal.ts'
import { allSnippets, placeOf } from './documents.mjs'
import { root } from './ready.mjs'
import { commandsIn, type ShellCommand } from './shell-commands.mjs'
import { share } from '../tests/helpers/size.ts'

const snippets = allSnippets('sh', 'bash').map((each) => [placeOf(each), each.code] as const)
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const paths = Object.keys(describeApi().paths)
const screen = { write: () => true }
const terminal = { env: {}, output: screen, errors: screen, cwd: root } as unknown as Terminal
const program = createProgram(terminal)
for (const load of commands.values()) (await load())(program, terminal)

test.each(share(snippets, 4))('%s is a shell text', (_place, code) => {
  const { stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' })
  expect(stderr).toBe('')
})

test.each(snippets)(
  '%s uses commands, options, scripts and endpoints that exist',
  (_place, code) => {
    expect(commandsIn(code).flatMap(problemsOf)).toEqual([])
  },
)

test('recognizes most commands in documents', () => {
  const all = snippets.flatMap(([, code]) => commandsIn(code))
  expect(all.filter(({ name }) => name === 'toolglot').length).toBeGreaterThan(80)
})

test('the first hour begins with getting the command', () => {
  const [, first] = snippets.find(([place]) => place.startsWith('docs/first-hour.md')) ?? []
  expect(first).toMatch(/^npm start -- --version\b.*\nnpm link -w toolglot\b/)
})

describe('finds a mistake', () => {
  test.each([
    ['toolglot parse --explain reply.txt', 0],
    ['toolglot parse --explian reply.txt', 1],
    ['toolglot prase reply.txt', 1],
    ['toolglot runs waiting', 0],
    ['toolglot runs wating x y', 1],
    ['toolglot run --mode plan "Hi"', 0],
    ['toolglot run --mode pan "Hi"', 1],
    ['echo "a; b" | toolglot exec Grep \'{"pattern": "x | y"}\' # toolglot nothing', 0],
    ['X=1 npx toolglot --prot 1 && npm start -- chat --nothing', 2],
    ['npm start -- run "What version?"', 0],
    ['npm run nothing', 1],
    ['npm test', 0],
    ['curl -s "$URL/api/runs"', 0],
    ['curl -s "$URL/api/rums"', 1],
  ])('%s', (line, count) => {
    expect(commandsIn(line).flatMap(problemsOf)).toHaveLength(count)
  })
})

function problemsOf({ name, words }: ShellCommand): string[] {
  const shown = [name, ...words].join(' ')
  if (name === 'npm') return npmProblems(words).map((problem) => `${shown}: ${problem}`)
  if (name === 'npx' && words[0] === 'toolglot')
    return problemsOf({ name: 'toolglot', words: words.slice(1) })
  if (name === 'curl') return words.flatMap(endpointProblems)
  return name === 'toolglot' ? toolglotProblems(words).map((each) => `${shown}: ${each}`) : []
}

function npmProblems([command = '', ...words]: readonly string[]): string[] {
  const given = words.slice(words.indexOf('--') + 1)
  if (command === 'start') return words.includes('--') ? toolglotProblems(given) : []
  if (!['run', 'test'].includes(command)) return []
  const script = command === 'test' ? 'test' : words.find((word) => !word.startsWith('-'))
  // The scripts of a single package are not checked.
  if (words.includes('-w') || (script && script in scripts)) return []
  return [`there is no script ${script}`]
}

/** The errors that the command would report before doing any work. */
function toolglotProblems(words: readonly string[]): string[] {
  const [first = '', ...rest] = withDefaultCommand(words)
  if (first.startsWith('-')) return first.match(/^(-h|-V|--help|--version)$/) ? [] : [`no ${first}`]
  const { command, left } = commandOf(program, [first, ...rest])
  if (command === program) return [`there is no command ${first}`]
  if (left.includes('--help')) return []
  try {
    const { operands, unknown } = command
      .exitOverride()
      .configureOutput(silent)
      .parseOptions([...left])
    const { registeredArguments: known } = command
    const most = known.some(({ variadic }) => variadic) ? Infinity : known.length
    return [
      ...unknown.slice(0, 1).map((option) => `there is no option ${option}`),
      ...(operands.length > most ? [`at most ${most} arguments are expected`] : []),
    ]
  } catch (error) {
    return [String(error)]
  }
}

/** The innermost command in these words, and the words after it. */
function commandOf(
  command: typeof program,
  words: readonly string[],
): { command: typeof program; left: readonly string[] } {
  const found = command.commands.find((each) => each.name() === words[0])
  return found ? commandOf(found as typeof program, words.slice(1)) : { command, left: words }
}

const silent = { writeErr: () => {}, outputError: () => {} }

function endpointProblems(word: string): string[] {
  const path = word.match(/\/api\/[^?"'\s]*/)?.[0]
  if (path === undefined || path.startsWith('/api/docs') || path === '/api/openapi.json') return []
  const parts = path.split('/')
  const exists = paths.some((each) => {
    const known = each.split('/')
    return (
      known.length === parts.length &&
      known.every((part, at) => part.startsWith('{') || part === parts[at])
    )
  })
  return exists ? [] : [`there is no endpoint ${path}`]
}
