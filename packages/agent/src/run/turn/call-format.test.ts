import { protocols } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import type { Model } from '../../model/model.ts'
import { chooseCallFormat, resumedFormat } from './call-format.ts'

const qwen: Pick<Model, 'name'> = { name: 'qwen3:8b' }
const xml = protocols['tool-xml']

describe('how a model was seen to write calls best', () => {
  test('comes before its name, its template and its function calling', () => {
    const chosen = { protocol: xml, toolsIn: 'prompt', guessed: false }
    expect(chooseCallFormat({ ...qwen, probed: xml }, undefined)).toMatchObject(chosen)
    expect(chooseCallFormat({ name: 'a', native: true, probed: xml }, undefined)).toMatchObject(
      chosen,
    )
    expect(chooseCallFormat({ ...qwen, probed: 'native' }, undefined)).toMatchObject({
      protocol: undefined,
      toolsIn: 'request',
      guessed: false,
    })
  })

  test('comes after what is named', () => {
    const model = { ...qwen, native: true, probed: xml }
    expect(chooseCallFormat(model, 'mistral').protocol?.id).toBe('mistral')
    expect(chooseCallFormat(model, 'native').protocol).toBe(undefined)
  })

  test('is a protocol if the tools have to be in the prompt', () => {
    const native = { ...qwen, native: true, probed: 'native' } as const
    expect(chooseCallFormat(native, undefined, 'prompt').protocol?.id).toBe('hermes')
  })

  test('does not change a run that began with another protocol', () => {
    const format = chooseCallFormat({ ...qwen, probed: xml }, undefined)
    const before = { model: qwen.name, protocol: 'hermes' }
    expect(resumedFormat(format, qwen, before).protocol?.id).toBe('hermes')
    expect(resumedFormat(format, qwen, { ...before, model: 'other' }).protocol).toBe(xml)
  })
})
