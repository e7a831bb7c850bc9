import { once } from 'node:events'
import { expect, test } from 'vitest'
import { runInShell, spawnCommand } from '../test/spawn-command.ts'
import { examples, nextSteps, parseExamples, protocolsExamples } from './show/examples.ts'

const files = {
  'reply.txt': 'Hi.\n<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>\n',
  'chat_template.jinja':
    "{{ '[TOOL_CALLS]' + name + '[ARGS]' + arguments }}[TOOL_RESULTS][/TOOL_RESULTS]",
  'tools.json': '[{"name": "now"}]',
  'requests.jsonl': '{"id":1,"text":"Hello"}\n{"id":2,"text":"Hello"}\n',
}

test.each([...examples, ...parseExamples, ...protocolsExamples, ...nextSteps])(
  '$line',
  async ({ line }) => {
    const { code, output, errors } = await runInShell(line, { files })
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(output).not.toBe('')
  },
)

test('a reader that leaves early hears no complaint', async () => {
  const line = 'yes "a line of text" | head -c 3000000 | toolglot parse | head -n 1'
  const { output, errors } = await runInShell(line)
  expect({ output, errors }).toEqual({ output: 'text       a line of text\n', errors: '' })
})

test('without input the samples are shown', async () => {
  const { code, output } = await runInShell('toolglot parse < /dev/null')
  expect(code).toBe(0)
  expect(output).toContain('Next:')
})

test('exit codes reach the shell', async () => {
  expect(await runInShell('toolglot parse none.txt')).toMatchObject({ code: 1 })
  expect(await runInShell('toolglot parse --none')).toMatchObject({ code: 2 })
})

test('a batch answers each line as it comes', async () => {
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

test('a stream shows events before the reply has ended', async () => {
  const child = spawnCommand(['parse', '--stream', '--json'])
  child.stdout.setEncoding('utf8')
  child.stdin.write('Hello ')
  const [line] = (await once(child.stdout, 'data')) as [string]
  expect(JSON.parse(line)).toMatchObject({ type: 'text', at: 0 })
  child.stdin.end()
  expect(await once(child, 'close')).toEqual([0, null])
})
