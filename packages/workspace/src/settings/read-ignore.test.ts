import { expect, test } from 'vitest'
import { type FileSystemView, judgeFile } from '@toolglot/permissions'
import { mergeSettings } from './merge-settings.ts'
import { permissionsOf } from './permissions-of.ts'
import { readIgnore } from './read-ignore.ts'

const fileSystem: FileSystemView = {
  cwd: '/w',
  home: '/home/me',
  roots: ['/w'],
  platform: 'linux',
  caseSensitive: true,
  follow: (path) => [path.replace('/w/link', '/w/secrets')],
}
const settingsOf = (text: string) =>
  mergeSettings([readIgnore(text, { file: '/w/.aiignore', root: '/w' })], { trusted: false })

function reading(text: string) {
  const judge = judgeFile(permissionsOf(settingsOf(text)).rules, fileSystem)
  return (path: string) => judge({ kind: 'read', path, cwd: '/w', because: 'Read', tool: 'Read' })
}

/** The results match `git check-ignore` for files with these names. */
test.each<[ignore: string, denied: string, allowed: string]>([
  ['.env', '.env a/.env .env/x', '.env.example env'],
  ['*.key', 'a.key a/b.key', 'a.keys key'],
  ['/top.txt', 'top.txt', 'a/top.txt'],
  ['a/b', 'a/b a/b/c', 'x/a/b b'],
  ['build/', 'build/x a/build/x', 'builder/x'],
  ['a/**/z', 'a/z a/b/z a/b/c/z', 'z b/z'],
  ['**/logs', 'logs/x a/logs/x', 'catalogs/x'],
  ['a/**', 'a/b a/b/c', 'b/a/b'],
  ['file[0-9].txt', 'file1.txt', 'file.txt filex.txt'],
  ['file[!0-9].txt', 'filex.txt', 'file1.txt'],
  ['a?c', 'abc x/abc', 'ac abbc'],
  ['\\#note', '#note', 'note'],
  ['# note\n\n  \n', '', '# note note'],
  ['\\!odd', '!odd', 'odd'],
  ['spaces   ', 'spaces', 'space'],
  ['x.{js,ts}', 'x.{js,ts}', 'x.js x.ts'],
  ['a\r\nb\r\n', 'a b', 'c'],
  ['.env*\n!.env.example', '.env .env.local', '.env.example a/.env.example'],
  ['!a\na', 'a', 'b'],
  ['*.log\n!a.log\na.log', 'a.log b.log', 'c.txt'],
  ['secrets/\n!secrets/open.txt', 'secrets/open.txt secrets/x', 'open.txt'],
  ['secrets/*\n!secrets/open.txt', 'secrets/x secrets/y/open.txt', 'secrets/open.txt'],
  ['secrets/**\n!secrets/open.txt', 'secrets/x', 'secrets/open.txt'],
  ['*\n!src/', 'a src/a', ''],
  ['*\n!src/\n!src/**', 'a b/src/c', 'src/a src/b/c'],
  ['*\n!src/**', 'src/a', ''],
])('%j', (ignore, denied, allowed) => {
  const judge = reading(ignore)
  const names = (text: string): string[] => text.split(' ').filter((name) => name !== '')
  expect(names(denied).filter((name) => judge(name).verdict !== 'deny')).toEqual([])
  expect(names(allowed).filter((name) => judge(name).verdict === 'deny')).toEqual([])
})

test('the real path counts, in any case; exceptions match exactly', () => {
  expect(reading('secrets/')('link/x')).toMatchObject({
    verdict: 'deny',
    rule: { source: { file: '/w/.aiignore', line: 1 } },
  })
  const judge = reading('*.pem\n!open.pem')
  expect(judge('A.PEM').verdict).toBe('deny')
  expect(judge('OPEN.PEM').verdict).toBe('deny')
  expect(judge('/elsewhere/a.pem').verdict).toBe('ask')
})

test('denying reads also denies writes', () => {
  const judge = judgeFile(permissionsOf(settingsOf('.env')).rules, fileSystem)
  expect(judge({ kind: 'write', path: '.env', cwd: '/w', because: 'Write' }).verdict).toBe('deny')
})

test.each([
  ['[a', /is never closed with "]"/],
  ['../x', /leads out/],
  ['a\n[[:alpha:]]', /Named classes/],
  ['x\n'.repeat(1001), /more than 1000 lines/],
  [`*\n${'!x\n'.repeat(51)}`, /more than 50/],
  ['a\u0000b', /contains/],
])('an invalid file makes every call need approval: %j', (text, reason) => {
  const { doubt } = permissionsOf(settingsOf(text))
  expect(doubt).toMatch(reason)
})

test('never allows anything', () => {
  expect(settingsOf('!a\n!b').rules).toEqual([])
  expect(settingsOf('a\n!a').rules.map(({ verdict }) => verdict)).toEqual(['deny'])
})
