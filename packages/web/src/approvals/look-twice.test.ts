import { expect, test } from 'vitest'
import { type Caution, cautionsFor, type CallToApprove, confusableIn } from './look-twice.ts'

const plain: CallToApprove = {
  name: 'Bash',
  args: { command: 'npm test' },
  parts: [{ what: 'npm test', verdict: 'ask', why: 'no rule allows it' }],
  call: { repairs: [] },
}

test('a well-formed call has no cautions', () => {
  expect(cautionsFor(plain)).toEqual([])
  expect(cautionsFor({ ...plain, call: undefined })).toEqual([])
})

test('repairs are cautions unless they change nothing', () => {
  expect(cautionsFor({ ...plain, call: { repairs: ['coerced', 'missing-closer'] } })).toEqual([])
  expect(cautionsFor({ ...plain, call: { repairs: ['coerced', 'trailing-comma'] } })).toEqual([
    { type: 'repaired', repairs: ['trailing-comma'] },
  ])
})

test.each([
  'afterResult',
  'fenced',
  'inReasoning',
  'markerless',
  'afterMalformed',
  'otherProtocol',
] as const)('%s', (type) => {
  expect(cautionsFor({ ...plain, call: { repairs: [], [type]: true } })).toEqual([{ type }])
})

test("shows the permissions' caution if there is no more specific one", () => {
  const parts: CallToApprove['parts'] = [
    { what: 'Bash', verdict: 'ask', why: 'it repeats text', doubted: true },
  ]
  expect(cautionsFor({ ...plain, parts })).toEqual([{ type: 'doubted' }])
  expect(cautionsFor({ ...plain, parts, call: { fenced: true } })).toEqual([{ type: 'fenced' }])
})

test('finds an invisible character anywhere in the call', () => {
  const unseen = [{ type: 'unseen', name: 'U+200B' }]
  expect(cautionsFor({ ...plain, args: { command: 'npm\u200b test' } })).toEqual(unseen)
  expect(cautionsFor({ ...plain, args: { list: [{ 'ke\u200by': 1 }] } })).toEqual(unseen)
  expect(cautionsFor({ ...plain, name: 'mcp__a__b\u200b' })).toEqual(unseen)
  expect(cautionsFor({ ...plain, args: { content: 'a heart: ❤️' } })).toEqual([])
})

test.each(['one\r\ntwo\r\n', '\u3000中文', '👩\u200d💻 and 🏳️\u200d🌈 and 👩🏽\u200d🚀'])(
  'allows common characters in file contents, but not in commands and paths: %j',
  (content) => {
    const args = { file_path: 'a.txt', content }
    const write = { ...plain, name: 'Write', args, decided: { name: 'Write', args } }
    expect(cautionsFor(write)).toEqual([])
    const parts: CallToApprove['parts'] = [{ what: content, verdict: 'ask', why: '' }]
    for (const other of [
      { ...write, parts },
      { ...plain, args: { command: content } },
      { ...plain, args, decided: { name: 'mcp__a__b', args } },
    ])
      expect(cautionsFor(other)).toMatchObject([{ type: 'unseen' }])
  },
)

test.each(['a\rb', 'pass\u200dword', '👩\u200d', 'a\u200bb'])(
  'reports unusual characters in file contents: %j',
  (content) => {
    const args = { content }
    expect(cautionsFor({ ...plain, args, decided: { name: 'Write', args } })).toMatchObject([
      { type: 'unseen' },
    ])
  },
)

test('warns if the executed argument is ambiguous or not completely shown', () => {
  expect(cautionsFor({ ...plain, command: 'several' })).toEqual([{ type: 'ambiguous' }])
  expect(cautionsFor({ ...plain, isCut: true })).toEqual([{ type: 'cut' }])
})

test('finds homoglyphs in short texts', () => {
  expect(cautionsFor({ ...plain, args: { path: 'pаckage.json' } })).toEqual([
    { type: 'confusable', word: 'pаckage', letter: 'U+0430' },
  ])
  const content = `${'a text\n'.repeat(3)} μm`
  expect(cautionsFor({ ...plain, args: { content } })).toEqual([])
})

test('checks file names in parts of any length', () => {
  const command = { name: 'command', text: 'rm *' }
  const many = Array.from({ length: 500 }, (_, at) => `file-${at}.log`).join(' ')
  const about = (what: string): readonly Caution[] =>
    cautionsFor({ ...plain, command, parts: [{ what, verdict: 'ask', why: '' }] })
  expect(about(`rm ${many}`)).toEqual([])
  expect(about(`rm ${many} 'pаckage.json'`)).toEqual([
    { type: 'confusable', word: 'pаckage', letter: 'U+0430' },
  ])
  expect(about(`rm ${many} '\ue000'`)).toEqual([{ type: 'unseen', name: 'U+E000' }])
})

test('reports all cautions', () => {
  const types = cautionsFor({
    ...plain,
    args: { command: 'сat\u202e' },
    call: { repairs: ['single-quotes'], afterResult: true },
  }).map(({ type }) => type)
  expect(types).toEqual(['afterResult', 'repaired', 'unseen', 'confusable'])
})

test.each([
  ['сat notes.txt', { word: 'сat', letter: 'U+0441' }],
  ['curl https://pаypal.com', { word: 'pаypal', letter: 'U+0430' }],
  ['сору a b', { word: 'сору', letter: 'U+0441' }],
  ['ｒｍ -rf x', { word: 'ｒｍ', letter: 'U+FF52' }],
  ['echo 𝐫𝐦', { word: '𝐫𝐦', letter: 'U+1D42B' }],
  ['οpen', { word: 'οpen', letter: 'U+03BF' }],
])('%s', (text, expected) => {
  expect(confusableIn(text)).toEqual(expected)
})

test.each([
  'git commit -m "Привет, мир"',
  'echo 中文 tiếng Việt',
  'touch ελληνικά.txt',
  'npm test 2>&1',
  'größe café',
])('%s has no homoglyphs', (text) => {
  expect(confusableIn(text)).toBeUndefined()
})

test.each([
  ['rm -rf a∕b', 'a∕b', 'U+2215'],
  ['git ‐‐hard', '‐‐hard', 'U+2010'],
  ['ls ；rm', '；rm', 'U+FF1B'],
  ['a\u0301\u0301\u0301', 'a\u0301\u0301\u0301', 'U+0301'],
])('reports a lookalike character or stacked marks: %s', (text, word, letter) => {
  expect(confusableIn(text)).toEqual({ word, letter })
})

test('Chinese and Vietnamese texts have no homoglyphs', () => {
  expect(confusableIn('git commit -m "修复：登录（首页）"')).toBeUndefined()
  expect(confusableIn('e\u0302\u0301')).toBeUndefined()
})
