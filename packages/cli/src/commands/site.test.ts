// The command's use of a page is tested in tests/e2e/site.test.ts, which needs a browser.
import { expect, test } from 'vitest'
import { household } from '../../test/household.ts'

test.each([
  ['a missing file', {}, 'No such site file: '],
  ['a file that is not JSON', { 'site.json': 'address:' }, 'site.json'],
  [
    'an address without encryption',
    { 'site.json': '{"address": "http://example.org"}' },
    'must be an address that begins with https://',
  ],
])('refuses %s without a browser', async (_, files: Record<string, string>, message) => {
  const { start } = household(files)
  for (const words of [[], ['--login']]) {
    const refused = await start(['site', 'site.json', ...words])
    expect(refused).toMatchObject({ code: 1, output: '' })
    expect(refused.errors).toContain(message)
    expect(refused.errors).not.toContain('    at ')
  }
})
