import { canonicalTools } from '@toolglot/permissions'
import type { ToolDefinition } from '@toolglot/core'
import { describe, expect, test } from 'vitest'
import { nastySchemas } from '../../../core/test/nasty-schemas.ts'
import { z } from 'zod'
import { nodeSearch } from '../node/search/search.ts'
import { askUserQuestionTool } from '../tools/ask-user-question.ts'
import { globTool } from '../tools/glob.ts'
import { grepTool } from '../tools/grep.ts'
import { todoWriteTool } from '../tools/todo-write.ts'
import { fileSystemAt } from '../../test/tree.ts'
import { lintTools } from './lint-tools.ts'

const good: ToolDefinition = {
  name: 'read_file',
  description: 'Read the complete content of a file from disk',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: "Absolute or relative path, such as 'src/index.ts'" },
    },
    required: ['path'],
  },
}

const rules = (...tools: ToolDefinition[]) => lintTools(tools).map(({ rule }) => rule)
const withParameter = (parameter: unknown): ToolDefinition => ({
  ...good,
  parameters: { type: 'object', properties: { path: parameter } },
})

describe('lint', () => {
  test('accepts a good definition', () => {
    expect(lintTools([good])).toEqual([])
    expect(lintTools([{ ...good, parameters: { type: 'object', properties: {} } }])).toEqual([])
  })

  test('finds every problem of a bad definition', () => {
    expect(rules({ name: 'read', description: 'Read stuff', parameters: {} })).toEqual([
      'name-vague',
      'description-vague',
      'parameters-missing',
    ])
    expect(rules({ name: 'read' })).toEqual([
      'name-vague',
      'description-missing',
      'parameters-missing',
    ])
  })

  test.each([
    [{ ...good, name: '' }, 'name-form'],
    [{ ...good, name: 'read file' }, 'name-form'],
    [{ ...good, name: 'x'.repeat(65) }, 'name-form'],
    [{ ...good, name: 'doStuff' }, 'name-vague'],
    [{ ...good, name: 'process_data' }, 'name-vague'],
    [{ ...good, description: ' ' }, 'description-missing'],
    [{ ...good, description: 'Reads' }, 'description-vague'],
    [{ ...good, description: 'The read file tool' }, 'description-vague'],
    [withParameter({ type: 'string' }), 'parameter-undescribed'],
    [withParameter({ type: 'string', description: '' }), 'parameter-undescribed'],
    [withParameter({ type: 'string', description: 'The path' }), 'parameter-vague'],
    [withParameter({ description: 'Location of the file on disk' }), 'parameter-untyped'],
    [withParameter(true), 'parameter-untyped'],
    [{ ...good, parameters: { ...good.parameters, required: ['file'] } }, 'required-unknown'],
  ] as const)('%#: %o', (tool, rule) => {
    expect(rules(tool as ToolDefinition)).toEqual([rule])
  })

  test('looks into objects and lists', () => {
    const list = {
      type: 'array',
      description: 'Changes to make, in order',
      items: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] },
    }
    expect(lintTools([withParameter(list)])).toMatchObject([
      { rule: 'parameter-undescribed', parameter: 'path[].line' },
    ])
    const deep: Record<string, unknown> = { type: 'object' }
    deep['properties'] = { path: deep }
    expect(() => lintTools([withParameter(deep)])).not.toThrow()
  })

  test('reports names that are easily confused', () => {
    expect(lintTools([good, { ...good, name: 'readFile' }])).toMatchObject([
      { tool: 'readFile', rule: 'name-twice' },
    ])
  })

  test('accepts our own tools', () => {
    const host = { fileSystem: fileSystemAt('/'), search: nodeSearch(), storage: { folder: '/' } }
    const own = [globTool(host), grepTool(host), todoWriteTool(host), askUserQuestionTool({})]
    const tools = own.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: z.toJSONSchema(parameters as z.ZodType, { io: 'input' }) as Record<
        string,
        unknown
      >,
    }))
    expect(lintTools(tools)).toEqual([])
  })

  test('permissions cover every parameter of our tools', () => {
    const host = { fileSystem: fileSystemAt('/'), search: nodeSearch(), storage: { folder: '/' } }
    for (const { name, parameters } of [globTool(host), grepTool(host)]) {
      const { properties } = z.toJSONSchema(parameters as z.ZodType)
      const known = canonicalTools.get(name)?.arguments ?? {}
      expect(Object.keys(properties ?? {}).sort()).toEqual(Object.keys(known).sort())
    }
  })
})

test.each(nastySchemas)('takes little time for a hostile definition: %s', (_, parameters) => {
  expect(
    lintTools([{ name: 'read_file', description: 'Reads a file', parameters }]),
  ).toBeInstanceOf(Array)
})
