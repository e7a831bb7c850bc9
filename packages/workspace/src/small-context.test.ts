import { run } from '@toolglot/agent'
import { connectModel } from '@toolglot/agent/models'
import { memoryJournal } from '@toolglot/agent/journal'
import { expect, test, vi } from 'vitest'
import type { FakePrompt } from '../../agent/test/fixtures/servers/fake-server.ts'
import { fakeOllama } from '../../agent/test/fixtures/servers/ollama.ts'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { prepareRun } from './prepare-run.ts'
import { openWorkspace } from './workspace.ts'

// Starting ripgrep and a shell takes time.
vi.setConfig({ testTimeout: 60_000 })

const call = (name: string, args: object): string =>
  `I will look.\n<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

/** A file of about 3000 tokens that contains a number in its first half. */
function page(at: number): string {
  const line = (index: number): string => `line ${index} of part ${at}: lorem ipsum dolor sit amet`
  const lines = Array.from({ length: 200 }, (_, index) => line(index))
  lines[10] = `The number of part ${at} is ${at * 7}.`
  return lines.join('\n')
}

const TURNS = 20

/**
 * A model that reads one file after another, and searches for something else every third time,
 * until it has seen all files.
 */
function reader(folder: string, turns: number): (prompt: FakePrompt) => string {
  let turn = 0
  return ({ text }) => {
    if (!text.includes('<tools>')) return 'Summary: I have read some parts and noted their numbers.'
    if (turn === turns) return 'All parts were read.'
    const at = turn++
    if (at % 3 === 1) return call('Grep', { pattern: `number of part ${at}`, path: folder })
    if (at % 3 === 2) return call('Bash', { command: `ls ${folder} && cat ${folder}/part-${at}` })
    return call('Read', { file_path: `${folder}/part-${at}` })
  }
}

async function taskIn(contextTokens: number, turns = TURNS) {
  const files = Object.fromEntries(
    Array.from({ length: TURNS }, (_, at) => [`part-${at}`, page(at)]),
  )
  const folder = folderOf(files)
  const env = { HOME: folderOf(), PATH: process.env['PATH'] }
  const workspace = await openWorkspace(folder, { env, allow: ['Bash', 'Read', 'Grep'] })
  const setup = await prepareRun(workspace, { journal: memoryJournal() })
  const models = [{ name: 'qwen3:8b', trained: 40_960 }]
  const server = await fakeOllama(models, reader(folder, turns), { isOld: true })
  const model = await connectModel('ollama/qwen3:8b', {
    env: { OLLAMA_HOST: server.url },
    context: contextTokens,
  })
  const { tools, permissions, fileSystem, systemFor } = setup
  const events = run({
    model,
    tools,
    permissions,
    fileSystem,
    system: systemFor(model.contextTokens).text,
    prompt: 'Read all parts, and say when you are done.',
    limits: { maxIterations: 40 },
  })
  const calls: string[] = []
  const warnings: string[] = []
  let compactions = 0
  let step = await events.next()
  for (; !step.done; step = await events.next()) {
    if (step.value.type === 'tool-end') calls.push(step.value.outcome.status)
    if (step.value.type === 'compacted') compactions++
    if (step.value.type === 'warning') warnings.push(step.value.message)
  }
  await setup.close()
  return { end: step.value, calls, warnings, compactions, server }
}

test('a task of 20 turns in 4096 tokens ends with the answer, without overflowing', async () => {
  const { end, calls, warnings, compactions, server } = await taskIn(4096)
  expect(end).toMatchObject({ reason: 'answer', text: 'All parts were read.' })
  expect(calls).toEqual(Array.from({ length: TURNS }, () => 'success'))
  expect(warnings).toEqual([])
  expect(compactions).toBeGreaterThan(0)
  expect(server.dropped()).toBe(0)
  for (const { prompt, reply, context } of server.served) {
    expect(context).toBe(4096)
    expect(prompt + reply).toBeLessThanOrEqual(4096)
  }
})

test('the first prompt with all canonical tools has at most 9000 characters in hermes', async () => {
  const { server } = await taskIn(4096, 1)
  const [first] = server.requests.filter(({ path }) => path === '/api/chat')
  const messages = first!.body['messages'] as { content: string }[]
  const length = messages.reduce((sum, { content }) => sum + content.length, 0)
  expect(length).toBeLessThanOrEqual(9000)
  const names = [...messages[0]!.content.matchAll(/"name": "(\w+)"/g)].map(([, name]) => name)
  expect(names).toEqual([
    'Read',
    'Write',
    'Edit',
    'Glob',
    'Grep',
    'Bash',
    'BashOutput',
    'BashInput',
    'KillShell',
    'AskUserQuestion',
    'TodoWrite',
    'LSP',
    'WebFetch',
    'WebSearch',
  ])
})
