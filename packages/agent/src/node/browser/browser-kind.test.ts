import { expect, test } from 'vitest'
import { browserKind } from './browser-kind.ts'

test('references a site file by path', () => {
  const parse = (text: string): string =>
    browserKind.parse(text, { cwd: '/work', home: '/home/me' })
  expect(browserKind.matches('browser:a.json')).toBe(true)
  expect(browserKind.matches('ollama/browser:a')).toBe(false)
  expect(parse('browser:a.json')).toBe('browser:/work/a.json')
  expect(parse('browser:~/a.json')).toBe('browser:/home/me/a.json')
  expect(parse('browser:/a.json')).toBe('browser:/a.json')
  expect(parse(parse('browser:../a.json'))).toBe('browser:/a.json')
  expect(() => parse('browser:')).toThrow(/Add the path of the file, as in browser:site\.json/)
  expect(() => browserKind.parse('browser:a.json', {})).toThrow(/Write the absolute path/)
})

test('rejects a reference from a folder without reading the file', async () => {
  const connecting = browserKind.connect('browser:/nowhere.json', { env: {}, namedBy: 'folder' })
  await expect(connecting).rejects.toThrow(/Only you can choose that/)
})

test('a missing file is reported', async () => {
  const connecting = browserKind.connect('browser:/nowhere.json', { env: {} })
  await expect(connecting).rejects.toThrow('No such site file: /nowhere.json')
})
