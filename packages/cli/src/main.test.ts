import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { runInShell, type ShellOptions, spawnCommand } from '../test/spawn-command.ts'
import { startCommand } from '../test/start-command.ts'
import { fakeOllama } from '../../agent/test/fixtures/servers/ollama.ts'
import {
  answerExamples,
  chatExamples,
  examples,
  nextSteps,
  parseExamples,
  protocolsExamples,
  replayExamples,
  runExamples,
  runsExamples,
} from './show/examples.ts'
import { longTest, share } from '../../../tests/helpers/size.ts'

const files = {
  'reply.txt': 'Hi.\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n',
  'chat_template.jinja':
    "{{ '[TOOL_CALLS]' + name + '[ARGS]' + arguments }}[TOOL_RESULTS][/TOOL_RESULTS]",
  'tools.json': '[{"name": "now"}]',
  'requests.jsonl': '{"id":1,"text":"Hello"}\n{"id":2,"text":"Hello"}\n',
}

// All other commands run until they are stopped: see serve.test.ts and open.test.ts.
const ends = ({ line }: { readonly line: string }): boolean =>
  line !== 'toolglot' && !line.startsWith('toolglot serve')
const all = uniqueLines([
  ...examples,
  ...parseExamples,
  ...protocolsExamples,
  ...chatExamples,
  ...runExamples,
  ...runsExamples,
  ...answerExamples,
  ...replayExamples,
  ...nextSteps,
]).filter(ends)
const talks = all.filter(({ line }) => /^toolglot (chat|run|runs|replay)\b/.test(line))

/**
 * The command that records the run used in an example: the run has ended, or is waiting for an
 * answer.
 */
function recording(line: string): string[] {
  const record = (...words: string[]): string[] => ['run', '-m', 'script', ...words]
  if (line.includes('--answer')) return record('--suspend', 'Ask me a question')
  if (/runs (answer|send|stop)/.test(line)) return record('--suspend', 'Create hello.txt')
  const isAboutRun = /\blast\b|^toolglot (runs|replay)/.test(line)
  return isAboutRun ? record('What version is in package.json?') : []
}

/** The words of a line that needs no shell except for splitting it; undefined for other lines. */
function plainWords(line: string): string[] | undefined {
  if (!/^toolglot( [\w./:=,-]+| "[\w ./?]+")*$/.test(line)) return undefined
  return (line.match(/"[^"]*"|[^ ]+/g) ?? []).slice(1).map((word) => word.replaceAll('"', ''))
}

function uniqueLines<Item extends { readonly line: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [item.line, item])).values()]
}

/**
 * The first example of each command starts the built command; the rest do so only if they need a
 * shell.
 */
const commandOf = (line: string): string | undefined => line.split(' ')[1]
const isFirst = (line: string): boolean =>
  all.find((example) => commandOf(example.line) === commandOf(line))?.line === line

/**
 * Runs an example of a command that uses a model, after the command that records the run for it.
 */
async function runTalk(
  line: string,
  { files = {}, env = {} }: ShellOptions,
): ReturnType<typeof runInShell> {
  const words = isFirst(line) ? undefined : plainWords(line)
  if (!words) return runInShell(line, { files, env, before: recording(line) })
  const cwd = folderOf(files)
  const where = { cwd, env: { PATH: process.env['PATH'] ?? '', HOME: join(cwd, 'home'), ...env } }
  if (recording(line).length > 0) await startCommand(recording(line), where)
  return startCommand(words, where)
}

test.each(
  share(
    all.filter((example) => !talks.includes(example)),
    12,
  ),
)('$line', async ({ line }) => {
  const { code, output, errors } = await runInShell(line, { files })
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  expect(output).not.toBe('')
})

test.each(share(talks, 8))('$line', async ({ line }) => {
  const { url } = await fakeOllama([{ name: 'qwen3:8b', trained: 32_768 }], () => 'It says hello.')
  const { code, errors } = await runTalk(line, {
    files: {
      'package.json': '{"version": "1.0.0"}',
      'notes.txt': 'Hello',
      'questions.txt': 'Find *.json\nMake a todo list\n',
      'README.md': 'Hello',
      'home/my-project/a.txt': 'a',
    },
    env: { TOOLGLOT_MODEL: 'script', OLLAMA_HOST: url },
  })
  expect({ code, errors }).toEqual({ code: 0, errors: expect.not.stringContaining('error:') })
})

test('prints no error if the reader of its output exits early', async () => {
  const line = 'yes "a line of text" | head -c 300000 | toolglot parse | head -n 1'
  const { output, errors } = await runInShell(line)
  expect({ output, errors }).toEqual({ output: 'text       a line of text\n', errors: '' })
})

longTest('shows the samples without input', async () => {
  const { code, output } = await runInShell('toolglot parse < /dev/null')
  expect(code).toBe(0)
  expect(output).toContain('Next:')
})

test('passes exit codes to the shell', async () => {
  expect(await runInShell('toolglot parse none.txt')).toMatchObject({ code: 1 })
  expect(await runInShell('toolglot parse --none')).toMatchObject({ code: 2 })
})

test('answers each line of a batch as it arrives', async () => {
  const child = spawnCommand(['parse', '--batch'])
  child.stdout.setEncoding('utf8')
  for (const id of [1, 2, 3]) {
    child.stdin.write(`{"id":${id},"text":"Hello"}\n`)
    const [line] = (await once(child.stdout, 'data')) as [string]
    expect(JSON.parse(line)).toMatchObject({ id, content: 'Hello' })
  }
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
})

test('shows events of a stream before the reply has ended', async () => {
  const child = spawnCommand(['parse', '--stream', '--json'])
  child.stdout.setEncoding('utf8')
  child.stdin.write('Hello ')
  const [line] = (await once(child.stdout, 'data')) as [string]
  expect(JSON.parse(line)).toMatchObject({ type: 'text', at: 0 })
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
})
