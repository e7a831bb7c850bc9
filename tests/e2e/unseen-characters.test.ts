import { expect, test } from 'vitest'
import { invisibleIn } from '../../packages/permissions/src/path/invisible.ts'
import { deceptiveCharacters } from '../../packages/permissions/src/shell/analyze.ts'
import { unseenIn } from '../../packages/web/src/ui/unseen.ts'

test('shows all characters that the permissions treat as invisible or deceptive', () => {
  const missed: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    const text = String.fromCodePoint(code)
    if (text === '\n' || text === '\t') continue
    if (deceptiveCharacters(text) === undefined && invisibleIn(text) === undefined) continue
    if ([...unseenIn(text)].length === 0) missed.push(code.toString(16))
  }
  expect(missed).toEqual([])
})
