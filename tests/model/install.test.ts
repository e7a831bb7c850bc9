import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ggufModel } from '@toolglot/agent/node'
import { unloadGguf } from '@toolglot/agent/node/internal'
import { afterAll, expect, test } from 'vitest'
import { sharedFolderOf } from '../helpers/folder.ts'
import { tinyModel } from './tiny-model.ts'

const folder = sharedFolderOf()
afterAll(() => unloadGguf())

test('installs the library from npm with consent when a model is first used', async () => {
  const path = join(folder, 'tiny.gguf')
  writeFileSync(path, tinyModel())
  const questions: string[] = []
  const notes: string[] = []
  const model = await ggufModel({
    path,
    threads: 1,
    runtimeFolder: join(folder, 'models-runtime'),
    confirm: async (question) => questions.push(question) > 0,
    onProgress: ({ text, done, total }) => notes.push(`${text} ${done}/${total}`),
  })
  expect(questions).toEqual([])
  const { signal } = new AbortController()
  const messages = [{ role: 'user', content: 'Hello' }] as const
  let finish: string | undefined
  for await (const chunk of model.reply({ messages, maxTokens: 5, signal }))
    if (chunk.type === 'finish') ({ finish } = chunk)
  expect(finish).toBeDefined()
  expect(questions).toEqual([expect.stringMatching(/Install it from npm into .* \(85 MB\)\?$/)])
  expect(notes[0]).toBe('Installing node-llama-cpp 3.22.1 0/117')
  expect(notes).toContain('Installing node-llama-cpp 3.22.1 100/117')
  expect(notes.at(-1)).toBe('Loading Tiny 100/100')
})
