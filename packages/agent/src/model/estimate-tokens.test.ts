import fc from 'fast-check'
import { expect, test } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'

/** Strings with their exact numbers of tokens in two common tokenizers (o200k, cl100k). */
const COUNTED: readonly (readonly [string, string, number, number])[] = [
  [
    'English',
    'Toolglot lets any model that can write text call tools. It draws the tools into the prompt in the dialect the model was trained on, reads the calls out of what the model writes while it streams, checks and runs them under permissions, and gives the results back until there is an answer.',
    60,
    60,
  ],
  [
    'TypeScript',
    "import { existsSync } from 'node:fs'\nimport { join } from 'node:path'\nimport { upwards } from './inside.ts'\n\n/** The repository that a folder is in, if it is in one. */\nexport function gitRoot(folder: string): string | undefined {\n  for (const at of upwards(folder)) {\n    if (existsSync(join(at, '.git'))) return at\n  }\n  return undefined\n}\n",
    89,
    88,
  ],
  [
    'JSON',
    '{"name":"@toolglot/agent","version":"0.1.0","exports":{".":{"source":"./src/index.ts","types":"./dist/index.d.ts"}},"dependencies":{"yaml":"2.9.1","unbash":"6.0.3"}}',
    58,
    58,
  ],
  [
    'a log',
    '2026-11-15T10:10:24.123Z INFO [worker-7] GET /api/v1/items/259 200 7ms\n2026-11-15T10:10:25.002Z WARN [worker-3] GET /api/v1/items/111 503 912ms\n',
    70,
    70,
  ],
  [
    'Chinese',
    '工具调用协议让任何能够书写文本的模型都可以调用工具。它把工具写进提示里，再从模型写出的文字中读出调用，并把结果交还给模型，直到得到答案为止。',
    47,
    72,
  ],
  [
    'Japanese',
    'このライブラリは、テキストを書けるモデルならどれでもツールを呼び出せるようにします。',
    29,
    41,
  ],
  [
    'Korean',
    '이 라이브러리는 텍스트를 쓸 수 있는 모든 모델이 도구를 호출할 수 있게 합니다.',
    25,
    36,
  ],
  [
    'Vietnamese',
    'Thư viện này cho phép mọi mô hình có thể viết văn bản gọi công cụ. Kết quả được trả lại cho mô hình cho đến khi có câu trả lời cuối cùng.',
    37,
    63,
  ],
  [
    'Russian',
    'Эта библиотека позволяет любой модели, которая умеет писать текст, вызывать инструменты.',
    19,
    39,
  ],
  [
    'German',
    'Diese Bibliothek lässt jedes Modell, das Text schreiben kann, Werkzeuge aufrufen. Die Ergebnisse werden dem Modell zurückgegeben.',
    25,
    34,
  ],
  [
    'numbers',
    '3.14159 2718281 1618033 57721 1414213 1732050 2236067 100000 65536 4294967296',
    38,
    38,
  ],
]

test.each(COUNTED)('%s', (_, text, newer, older) => {
  const tokens = estimateTokens(text)
  expect(tokens).toBeGreaterThan(0.75 * Math.min(newer, older))
  expect(tokens).toBeLessThan(1.35 * Math.max(newer, older))
})

test('laws: never negative, longer text never has fewer tokens, and parts add up', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [first, second, both] = [one, other, one + other].map(estimateTokens)
      expect(Math.abs(both! - first! - second!)).toBeLessThanOrEqual(3)
      expect(both).toBeGreaterThanOrEqual(first! - 1)
    }),
  )
  expect(estimateTokens('')).toBe(0)
})
