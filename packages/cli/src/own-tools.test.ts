import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { runInShell } from '../test/spawn-command.ts'

// Each test starts the command several times.
vi.setConfig({ testTimeout: 60_000 })

const logging = `console.log('loaded')
console.info('and more')
export default {
  name: 'ping',
  description: 'Answers.',
  parameters: { type: 'object', properties: {} },
  execute() {
    console.log('called')
    return 'pong'
  },
}`

test("a tool's log goes to standard error", async () => {
  const { output, errors } = await runInShell(
    `toolglot permit --json ping '{}'
     toolglot exec --allow ping ping '{}'`,
    {
      trust: ['.'],
      files: {
        'ping.mjs': logging,
        '.toolglot/settings.json': JSON.stringify({ tools: ['./ping.mjs'] }),
      },
    },
  )
  const [, json, rest] = /^(\{\n[^]+\n\}\n)([^]*)$/.exec(output) ?? []
  expect(JSON.parse(json ?? '')).toMatchObject({ decision: 'ask' })
  expect(rest).toBe('pong\n')
  expect(errors).toMatch(/^loaded\nand more\n[^]*^called$/m)
})

test('exec runs a method of a toolkit by its vcpCommand', async () => {
  const method = `{ name: 'list', agentCallable: true, protocolConfig: { vcpCommand: 'show' } }`
  const { output } = await runInShell(`toolglot exec --allow mail_show mail_show '{}'`, {
    trust: ['.'],
    files: {
      'mail.mjs': `export default { id: 'mail', methods: [${method}], execute: (name) => name }`,
      '.toolglot/settings.json': JSON.stringify({ tools: ['./mail.mjs'] }),
    },
  })
  expect(output).toBe('list\n')
})

test('the documented tool loads without warnings in a package without a type', async () => {
  const page = readFileSync(new URL('../../../docs/own-tool.md', import.meta.url), 'utf8')
  const [, code = '', file = ''] = /```js\n(\/\/ (\S+)\n[^]+?)```/.exec(page) ?? []
  const [, settings = ''] = /```json\n([^]+?)```/.exec(page) ?? []
  const { output, errors } = await runInShell('toolglot tools', {
    trust: ['.'],
    files: { 'package.json': '{}', [file]: code, '.toolglot/settings.json': settings },
  })
  expect(output).toContain('get_weather')
  expect(errors).toBe('')
})
