import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asCommand, asCurl, asJson } from './copy-as.tsx'
import { runs } from '../../../../../tests/helpers/size.ts'

/** The words of a command line, as a shell would pass them on. */
function wordsOf(line: string, shell = 'sh'): string[] {
  const script = `${line.replace(/^\w+/, 'printf "%s\\0"')}`
  const printed = execFileSync(shell, ['-c', script], {
    encoding: 'utf8',
    env: { TOOLGLOT_TOKEN: 'token', PATH: process.env['PATH'] ?? '' },
  })
  return printed.split('\0').slice(0, -1)
}

const nasty = {
  command: `echo 'it''s' "$HOME" \`id\` $(id) !! \\ \n\ttab; exit 1 #`,
  "it's": ['', "'", "'\\''", '\u202e\u200b', '😀', '!x'],
}

test('curl sends exactly this call, without the token in the text', () => {
  const line = asCurl({ tool: "a'b", args: nasty, folder: '/tmp/a b' }, 'http://127.0.0.1:4747')
  const words = wordsOf(line)
  expect(words.slice(0, -1)).toEqual([
    '-sS',
    'http://127.0.0.1:4747/api/tools/execute',
    '-H',
    'Authorization: Bearer token',
    '-H',
    'Content-Type: application/json',
    '-d',
  ])
  expect(JSON.parse(words.at(-1)!)).toEqual({
    tool_name: "a'b",
    arguments: nasty,
    folder: '/tmp/a b',
  })
  expect(line).toContain('$TOOLGLOT_TOKEN')
  expect(line).not.toMatch(/\u202e|\u200b/)
})

test('the command runs exactly this call', () => {
  const words = wordsOf(asCommand({ tool: 'Bash', args: nasty, folder: '/tmp/a b' }))
  expect([words[0], words[1], JSON.parse(words[2]!), ...words.slice(3)]).toEqual([
    'exec',
    'Bash',
    nasty,
    '--cwd',
    '/tmp/a b',
  ])
})

test('law: a shell passes any arguments unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (given) => {
      const args = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
      const words = wordsOf(asCommand({ tool: 'Read', args, folder: undefined }))
      expect(JSON.parse(words[2]!)).toEqual(args)
      expect(JSON.parse(asJson({ tool: 'Read', args, folder: undefined }))).toEqual({
        tool_name: 'Read',
        arguments: args,
      })
    }),
    runs(60),
  )
})
