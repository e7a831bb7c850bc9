import { describe, expect, test } from 'vitest'
import { judge } from '../../test/judge-shell.ts'

describe('a deny rule covers a partly known name', () => {
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
      '${x-d}${y:=d}',
      'd${x:+d}',
      '>f dd$x',
      '${x:-dd of=y}',
    ],
  ])('%s', (text) => {
    expect(judge(text, { allow: ['*'], deny: ['dd:*'] })).toBe('deny')
    expect(judge(text, { allow: ['*'], deny: ['rm:*'] })).toBe('ask')
  })

  test('together with its other words', () => {
    expect(judge('git$x push', { allow: ['*'], deny: ['git push:*'] })).toBe('deny')
    expect(judge('git$x pull', { allow: ['*'], deny: ['git push:*'] })).toBe('ask')
    expect(judge('$x dd$y', { allow: ['*'], deny: ['dd:*'] })).toBe('ask')
  })
})
