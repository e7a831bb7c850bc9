import { describe, expect, test } from 'vitest'
import { judge } from '../../test/judge-shell.ts'
import { guessNames } from './guess-names.ts'

test.each<[string, string[]]>([
  ['dd"`bb`"', ['dd']],
  ['dd$x of=y', ['dd']],
  ['"d"d$x', ['dd']],
  ["d'd'${x}", ['dd']],
  ['${x:-dd} of=y', ['dd']],
  ['${x-d}${y:=d}', ['dd', 'd']],
  ['d${x:+d}', ['d', 'dd']],
  ['$(a (b) c)dd', ['dd']],
  ['A=$b dd$x', ['dd']],
  ['>f dd$x', ['dd']],
  ['${x:-dd of=y}', ['dd of=y', 'dd']],
  ['$x', []],
  ['ls a', []],
  ['${x', []],
  ['\0', []],
])('%j', (text, names) => {
  expect(guessNames(text)).toEqual(names)
})

describe('a deny rule covers a name that is only partly known', () => {
  test.each([
    ...['dd"`bb`" of=x', 'dd$x of=x', '${x:-dd} of=x', '"d"d$x of=x', 'd${y}d of=x', '`a`dd of=x'],
    ...['A=1 dd$x', 'timeout 5 dd$x', 'sudo dd$x', 'env A=1 dd"$x"', 'true && d\\d$x', 'dd$(true)'],
    ...[
      'echo a | dd$x',
      'xargs dd$x',
      '$(dd$x)',
      'if dd$x; then ls; fi',
      '/bin/dd$x',
      'nice ${x:-dd}',
    ],
  ])('%s', (text) => {
    expect(judge(text, { allow: ['*'], deny: ['dd:*'] })).toBe('deny')
    expect(judge(text, { allow: ['*'], deny: ['rm:*'] })).toBe('ask')
  })

  test('with its other words', () => {
    expect(judge('git$x push', { allow: ['*'], deny: ['git push:*'] })).toBe('deny')
    expect(judge('git$x pull', { allow: ['*'], deny: ['git push:*'] })).toBe('ask')
    expect(judge('$x dd$y', { allow: ['*'], deny: ['dd:*'] })).toBe('ask')
  })
})
