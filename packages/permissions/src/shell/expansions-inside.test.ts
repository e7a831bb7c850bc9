import { expect, test } from 'vitest'
import { fileSystemWith, verdictIn } from '../../test/file-system.ts'
import { judge } from '../../test/judge-shell.ts'

const fileSystem = fileSystemWith(['a', 'src/', 'src/a.ts'])

/**
 * Expansions that evaluate a string as arithmetic and so run code in it, or that show an
 * environment variable.
 */
const EXPANSIONS = [
  '$((x))',
  '$[x]',
  '${!x}',
  '${x@P}',
  '${y[x]}',
  '${x:$((x))}',
  '$SECRET',
  '"$SECRET"',
  '${SECRET}',
  '$(touch b)',
  '`touch b`',
  '$((cat <<E\n))\ntouch b\nE\n))',
]

const PLACES: readonly ((inner: string) => string)[] = [
  (inner) => inner,
  (inner) => `{a,${inner}}`,
  (inner) => `{a,{b,${inner}}}`,
  (inner) => `a{${inner},b}c`,
  (inner) => `[${inner}]`,
  (inner) => `a[${inner}]*`,
  (inner) => `@(${inner}|b)`,
  (inner) => `!(a|*(${inner}))`,
]

const TEXTS: readonly ((word: string) => string)[] = [
  (word) => `echo ${word}`,
  (word) => `x='a[$(touch b)]'; echo ${word}`,
  (word) => `for x in 'a[$(touch b)]'; do echo ${word}; done`,
  (word) => `y=${word}; echo`,
  (word) => `case a in ${word}) echo;; esac`,
  (word) => `for y in ${word}; do echo; done`,
  (word) => `[[ a == ${word} ]] && echo`,
  (word) => `echo < ${word}`,
]

test.each(EXPANSIONS)('%j is not hidden by the text around it', async (expansion) => {
  for (const place of PLACES)
    for (const text of TEXTS) {
      const command = text(place(expansion))
      const verdict = await verdictIn(fileSystem, command, { allow: ['Bash(echo:*)'] })
      expect(`${command}: ${verdict}`).toBe(`${command}: ask`)
    }
})

test('patterns and braces without expansions are plain', async () => {
  for (const command of ['echo {a,b}', 'echo [ab]*', 'echo src/*.ts', 'echo {1..3}'])
    expect(await verdictIn(fileSystem, command, { allow: ['Bash(echo:*)'] })).toBe('allow')
})

test.each([
  'npm[ ]$(rm -rf x)',
  'npm[[  ]]`rm -rf x`',
  'npm[ ]"$(rm -rf x)"',
  'npm[ $(rm -rf x) ]${x:-}',
  'npm test; npm[ ]${x:-$(rm -rf x)}',
])('a subscript with a space does not hide %s', (text) => {
  expect(judge(text, { allow: ['npm*', '*'] })).toBe('ask')
  expect(judge(text, { allow: ['npm*', '*'], deny: ['rm:*'] })).toBe('deny')
})

test.each(['grep -n foo$ x', 'sed s/$/x/ f', 'ls a\\ b', 'ls a\\$x'])(
  'a word without expansions needs no approval: %s',
  (text) => {
    expect(judge(text, { allow: ['*'] })).toBe('allow')
  },
)
