import { expect, test, vi } from 'vitest'
import { runInShell } from '../test/spawn-command.ts'

// Each starts the command several times.
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

test('what a tool logs goes to standard error', async () => {
  const { output, errors } = await runInShell(
    `toolglot trust --yes >&2
     toolglot permit --json ping '{}'
     toolglot exec --allow ping ping '{}'`,
    {
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
