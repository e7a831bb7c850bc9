import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedFolderOf } from '../../../../tests/helpers/folder.ts'
import { runs } from '../../../../tests/helpers/size.ts'
import { fileSystem } from '../../test/judge-shell.ts'
import { analyze } from './analyze.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

const { numRuns } = runs(1000)
const folder = sharedFolderOf()

const pieces = fc.constantFrom(
  'aa',
  'bb',
  'cc',
  ' ',
  ' ',
  ' ',
  '\n',
  "'",
  '"',
  '`',
  '$(',
  ')',
  '(',
  '{ ',
  '}',
  '; ',
  '&& ',
  '|| ',
  '| ',
  '& ',
  '\\',
  '\\\n',
  '#',
  ' #',
  '<<E\n',
  '\nE\n',
  "<<'E'\n",
  '<<<',
  '$x',
  '${x:-',
  '$((',
  '))',
  '[[ ',
  ' ]]',
  'if ',
  '; then ',
  '; fi',
  'for x in a; do ',
  '; done',
  'case a in a) ',
  ';; esac',
  '! ',
  'time ',
  "$'",
  "\\'",
  '$"',
  'x=',
  '>/dev/null ',
  '2>&1 ',
  '<(',
  '*',
  '[a]',
  '~',
  '{a,b}',
  'aa() { ',
  'coproc ',
  'a[',
  '${x@P}',
  '|& ',
  '@(a|b)',
  '%',
)

/**
 * The commands that bash itself would run. None of them exists, so each is only recorded in a pipe,
 * which stays open until every process started by the command has ended, including background jobs.
 * Bash writes line by line, and lines of several processes may interleave, so each record is one
 * line.
 */
const missing = await lacks('bash')

function run(text: string): string[] {
  const handler = String.raw`PATH=/nowhere newline=$'\n' mark=$'\1'
command_not_found_handle() { builtin printf '%s\0' "${'$'}{*//"$newline"/$mark}" >&3; }
`
  const { output } = spawnSync('bash', ['--norc', '--noprofile', '-c', handler + text], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 5000,
  })
  return (output[3] ?? '').replaceAll('\u0001', '\n').split('\0').filter(Boolean)
}

test.skipIf(missing)('records background jobs with their own text', () => {
  const later = '{ for ((i = 0; i < 20000; i++)); do :; done; later; } &'
  expect(run(later)).toEqual(['later'])
  expect(run('aa')).toEqual(['aa'])
})

test.skipIf(missing)('concurrent records are not mixed', () => {
  const texts = Array.from({ length: 30 }, () => run("'a\nb' | 'c\nd' & 'e\nf'").sort())
  expect(texts).toEqual(texts.map(() => ['a\nb', 'c\nd', 'e\nf']))
})

test.skipIf(missing)(
  'finds every simple command that bash runs in a command without doubts',
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 2, maxLength: 14 }), (parts) => {
        const text = parts.join('')
        const script = analyze(text, fileSystem)
        if (script.doubts.length > 0) return
        for (const ran of run(text)) {
          const found = script.commands.some(
            ({ words, doubts, guess }) =>
              !guess &&
              (doubts.length > 0 ||
                words.map((word) => word ?? ran).join(' ') === ran ||
                words.includes(undefined)),
          )
          expect([text, ran, found]).toEqual([text, ran, true])
        }
      }),
      { numRuns },
    )
  },
)
