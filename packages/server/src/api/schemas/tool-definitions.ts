import type { ToolDefinition, WrappedTool } from '@toolglot/core'
import { z } from 'zod'
import { typed } from './described.ts'

const definition = z.object({
  name: z.string().min(1).max(256),
  description: z.string().max(100_000).optional(),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('JSON Schema of its arguments, which are an object.'),
})

/** Tools as a client sends them: plain, or wrapped as chat APIs do. */
export const toolDefinitions: z.ZodType<readonly (ToolDefinition | WrappedTool)[]> = typed(
  z
    .array(z.union([definition, z.object({ type: z.literal('function'), function: definition })]))
    .max(1000)
    .meta({ id: 'ToolDefinitions' }),
)
