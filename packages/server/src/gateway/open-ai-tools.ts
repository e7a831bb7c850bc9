import type { BuiltInTools } from './offered-tool.ts'

/** Tools that OpenAI runs itself. */
export const OPEN_AI_TOOLS: BuiltInTools = {
  dropped: ['web_search', 'tool_search'],
  refused: [
    'local_shell',
    'shell',
    'computer',
    'mcp',
    'code_interpreter',
    'file_search',
    'image_generation',
    'apply_patch',
  ],
}
