import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { decode } from './source.ts'

test.each([
  ['text', [Buffer.from('Hà Nội')], 'Hà Nội', []],
  ['a character across chunks', [Buffer.from([0xe4, 0xbd]), Buffer.from([0xa0])], '你', []],
  ['a byte order mark', [Buffer.from('\ufeffa')], 'a', []],
  ['a real U+FFFD', [Buffer.from('\ufffd')], '\ufffd', []],
  ['a lone byte', [Buffer.from([0x61, 0xff, 0x62])], 'a\ufffdb', ['invalid bytes']],
  ['a cut character', [Buffer.from([0xe4, 0xbd])], '\ufffd', ['invalid bytes']],
  ['a picture', [Buffer.from([0x89, 0x50, 0, 1])], '\ufffdP\0\x01', ['binary data']],
  ['UTF-16', [Buffer.from([0xff, 0xfe, 0x61, 0])], '\ufffd\ufffda\0', ['UTF-16']],
])('%s', async (_, chunks, expected, warnings) => {
  const heard: string[] = []
  let text = ''
  for await (const part of decode(Readable.from(chunks), (got) => heard.push(got))) text += part

  expect(text).toBe(expected)
  expect(heard).toEqual(warnings)
})

test('reports invalid UTF-8 once', async () => {
  const heard: string[] = []
  const bad = Buffer.from([0xff])
  for await (const _ of decode(Readable.from([bad, bad, bad]), (got) => heard.push(got)));
  expect(heard).toHaveLength(1)
})
