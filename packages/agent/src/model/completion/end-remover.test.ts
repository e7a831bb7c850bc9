import fc from 'fast-check'
import { expect, test } from 'vitest'
import { completes, plainTemplate } from '../../../test/llama-server.ts'
import { events, modelServer } from '../../../test/model-server.ts'
import { chunksOf, textIn } from '../../../test/replies.ts'
import { completionModel } from './completion-model.ts'
import { EndRemover } from './end-remover.ts'

const strikethrough = ['<p><s>old</', 's>']

test.each([
  ['llama.cpp', completes(...strikethrough)],
  [
    'openai',
    events(...strikethrough.map((text) => ({ choices: [{ text, finish_reason: 'stop' }] }))),
  ],
  ['ollama', events(...strikethrough.map((response, index) => ({ response, done: index === 1 })))],
] as const)('%s: keeps text that looks like the last token', async (style, given) => {
  const server = await modelServer(given)
  const chatTemplate = `${plainTemplate}{# </s><|eot_id|> #}`
  const options = { url: server.url, model: 'm', style, chatTemplate }
  for (const eosToken of ['</s>', undefined]) {
    const chunks = await chunksOf(completionModel({ ...options, eosToken }))
    expect(textIn(chunks)).toBe('<p><s>old</s>')
    expect(chunks.at(-1)).toEqual({ type: 'finish', finish: 'stop' })
    const { stop, options: { stop: nested } = {} } = server.requests.at(-1)!.body as {
      stop?: unknown
      options?: { stop?: unknown }
    }
    expect(stop ?? nested).toEqual(['<|eot_id|>'])
  }
})

test('an unmistakable token is removed from the end', async () => {
  const given = ['<|im_end|>', '</s>'].map((word) =>
    events({ content: `Hi${word}`, stop: true, stop_type: 'word', stopping_word: word }),
  )
  const server = await modelServer(...given)
  for (const eosToken of ['<|im_end|>', '</s>']) {
    const options = { url: server.url, model: 'm', style: 'llama.cpp', eosToken } as const
    const model = completionModel({ ...options, chatTemplate: plainTemplate })
    expect(textIn(await chunksOf(model))).toBe('Hi')
  }
})

test('removes a token at the end, in any chunking', () => {
  const text = fc
    .array(fc.constantFrom('a', '<', '</s>', '</', 's>', '<|im_end|>', ' ', '|', '\n'), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(8)), (whole, cuts) => {
      const reduce = (chunks: readonly string[]): string => {
        const remover = new EndRemover(['</s>', '<|im_end|>'])
        return chunks.map((chunk) => remover.add(chunk)).join('') + remover.finish()
      }
      const chunks: string[] = []
      let rest = whole
      for (const cut of cuts) {
        chunks.push(rest.slice(0, cut))
        rest = rest.slice(cut)
      }
      chunks.push(rest)
      const result = reduce(chunks)
      expect(result).toBe(reduce(whole.split('')))
      expect(whole.startsWith(result)).toBe(true)
      expect(['', '</s>', '<|im_end|>']).toContain(whole.slice(result.length).trimEnd())
    }),
  )
})
