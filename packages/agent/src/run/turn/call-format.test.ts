import { protocols } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import type { Model } from '../../model/model.ts'
import { chooseCallFormat, resumedFormat } from './call-format.ts'

const qwen: Pick<Model, 'name'> = { name: 'qwen3:8b' }
const xml = protocols['tool-xml']

describe('the best format found by probing', () => {
  test('takes precedence over the name, the template and function calling', () => {
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

  test('does not override a selected format', () => {
    const model = { ...qwen, native: true, probed: xml }
    expect(chooseCallFormat(model, 'mistral').protocol?.id).toBe('mistral')
    expect(chooseCallFormat(model, 'native').protocol).toBe(undefined)
  })

  test('is a protocol if the tools must be in the prompt', () => {
    const native = { ...qwen, native: true, probed: 'native' } as const
    expect(chooseCallFormat(native, undefined, 'prompt').protocol?.id).toBe('hermes')
  })

  test('does not change a run that started with another protocol', () => {
    const format = chooseCallFormat({ ...qwen, probed: xml }, undefined)
    const before = { model: qwen.name, protocol: 'hermes' }
    expect(resumedFormat(format, qwen, before).protocol?.id).toBe('hermes')
    expect(resumedFormat(format, qwen, { ...before, model: 'other' }).protocol).toBe(xml)
  })
})
