import type { PrintableCall, ToolDefinition } from '@toolglot/core'

/** The two tools in the test conversation with the fake model. */
export const conversationTools: readonly ToolDefinition[] = [
  {
    name: 'search_notes',
    description: 'Search the notes',
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to search for' },
        limit: { type: 'integer' },
        exact: { type: 'boolean' },
        filter: {
          type: 'object',
          properties: {
            tags: { type: 'array', items: { type: 'string' } },
            within: {
              type: 'object',
              properties: { ratio: { type: 'number' }, folder: { type: 'string' } },
              required: ['ratio', 'folder'],
              additionalProperties: false,
            },
          },
          required: ['tags', 'within'],
          additionalProperties: false,
        },
      },
      required: ['query', 'limit', 'exact', 'filter'],
      additionalProperties: false,
    },
  },
  {
    name: 'add_note',
    description: 'Add a note',
    parameters: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        text: { type: 'string' },
        priority: { type: 'number' },
      },
      required: ['title', 'text', 'priority'],
      additionalProperties: false,
    },
  },
]

/** The fake model's text before its first call. */
export const openingText = 'I am a fake model 🦜. I will look.'
/** The fake model's reasoning before its first call, if it has any. */
export const openingThought = 'The notes may know.'

/**
 * The fake model's calls, by round: one call, then two in one reply. Quotes, line breaks, numbers
 * and objects are hard to transport.
 */
export const conversationCalls: readonly (readonly PrintableCall[])[] = [
  [
    {
      name: 'search_notes',
      args: {
        query: `Größe "double" 'single' 東京 🦜\nsecond line\\n {"a": [1]}`,
        limit: 42,
        exact: true,
        filter: { tags: ['naïve', 'a b'], within: { ratio: -1.5, folder: 'C:\\notes' } },
      },
    },
  ],
  [
    {
      name: 'search_notes',
      args: {
        query: 'x',
        limit: 1,
        exact: false,
        filter: { tags: [], within: { ratio: 0, folder: '' } },
      },
    },
    {
      name: 'add_note',
      args: { title: 'Tab\there', text: 'x = {"y": "z"}\n\n- item', priority: 1e-7 },
    },
  ],
]

/**
 * The result of a tool, which the fake model repeats in its answer. It differs each time, so a lost
 * result is noticed.
 */
export function newFact(): string {
  return `fact-${crypto.randomUUID().slice(-12)}`
}

/** The facts in a text, in order. */
export function factsIn(text: string): string[] {
  return text.match(/fact-[0-9a-f]{12}/g) ?? []
}

/** The fake model's answer. */
export function answerWith(facts: readonly string[]): string {
  return `I am a fake model. The tools said: ${facts.join(', ')}.`
}
