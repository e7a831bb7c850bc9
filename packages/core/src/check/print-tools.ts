import type { ToolDefinition } from '../protocol.ts'

/** The tools for printed calls: one with an argument of every type, and one with none. */
export const printTools: readonly ToolDefinition[] = [
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        content: { type: 'string' },
        mode: { type: 'integer' },
        ratio: { type: 'number' },
        force: { type: 'boolean' },
        tags: { type: 'array' },
        meta: { type: 'object' },
      },
    },
  },
  { name: 'ping', parameters: { type: 'object' } },
]
