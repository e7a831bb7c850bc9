import { describe, expect, test } from 'vitest'
import { startCommand } from '../test/start-command.ts'

test.each([
  [['prase'], "unknown command 'prase'\n(Did you mean parse?)"],
  [['parse', '--protocl', 'hermes'], "unknown option '--protocl'\n(Did you mean --protocol?)"],
])('%j exits with 2 and gives advice', async (words, message) => {
  const { code, output, errors } = await startCommand(words)
  expect(errors).toContain(message)
  expect({ code, output }).toEqual({ code: 2, output: '' })
})

describe('colors', () => {
  const painted = { test: (text: string) => text.includes('\x1b[') }

  test.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [{ CI: 'true' }, false],
  ])('%j', async (env, expected) => {
    const { output } = await startCommand(['parse'], { input: 'Hello', env })
    expect(painted.test(output)).toBe(expected)
    const help = await startCommand(['--help'], { env })
    expect(painted.test(help.output)).toBe(expected)
  })
})

test('--version and --help', async () => {
  expect(await startCommand(['--version'])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
  })
  expect(await startCommand(['parse', '--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('toolglot parse reply.txt') as string,
  })
})
