import type { ToolDefinition } from '@toolglot/core'
import type { ExpectedCall } from '../try-model.ts'

/** A small task that requires a tool, for testing how well a model writes a dialect. */
export interface ProbeTask {
  /** A single word for tables, such as `arguments`. */
  readonly name: string
  readonly tool: ToolDefinition
  readonly prompt: string
  readonly expected: ExpectedCall
  /** The tool's result, and a check that the answer uses it. Without it, only the call counts. */
  readonly answer?: { readonly result: string; readonly isUsedIn: (answer: string) => boolean }
}

/** A call with a string and a number. */
const plain: ProbeTask = {
  name: 'arguments',
  tool: {
    name: 'start_timer',
    description: 'Starts a timer',
    parameters: {
      type: 'object',
      properties: {
        label: { type: 'string', description: 'What the timer is called' },
        minutes: { type: 'integer', description: 'How long it runs' },
      },
      required: ['label', 'minutes'],
    },
  },
  prompt: 'Start a timer with the label tea that runs 4 minutes. Use the tool.',
  expected: {
    name: 'start_timer',
    args: 'tea and 4',
    isRight: (args) => same(args, 'label', 'tea') && same(args, 'minutes', 4),
  },
}

/**
 * Text that is hard to write in most dialects: both kinds of quotes, a backslash before a letter, a
 * line break, and a closing tag.
 */
const NOTE = `echo "it's" > C:\\new\n</note>`

const awkward: ProbeTask = {
  name: 'awkward text',
  tool: {
    name: 'save_note',
    description: 'Saves a text exactly as it is',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The text to save' } },
      required: ['text'],
    },
  },
  prompt: `Save a note with the tool. Its text is these two lines, character by character:\n\n${NOTE}`,
  expected: {
    name: 'save_note',
    args: JSON.stringify(NOTE),
    // Ignore a trailing line break.
    isRight: (args) => String(memberOf(args, 'text')).trimEnd() === NOTE,
  },
}

const STOCK = 4817

/** A call, and an answer that cannot be known without the result. */
const result: ProbeTask = {
  name: 'result',
  tool: {
    name: 'get_stock',
    description: 'Returns how many pieces of an item are in stock',
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', description: 'The code of the item' } },
      required: ['code'],
    },
  },
  prompt:
    'How many pieces of the item with the code K7 are in stock? Look it up with the tool, then tell me the number.',
  expected: { name: 'get_stock', args: 'K7', isRight: (args) => same(args, 'code', 'K7') },
  answer: {
    result: `K7: ${STOCK} pieces in stock`,
    // Treat 4,817 and 4 817 as the same number.
    isUsedIn: (answer) => answer.replaceAll(/(?<=\d)[\s.,'’_](?=\d{3})/g, '').includes(`${STOCK}`),
  },
}

/** The tasks of a probe, easiest first. */
export const probeTasks: readonly ProbeTask[] = [plain, awkward, result]

function same(args: unknown, name: string, value: string | number): boolean {
  return memberOf(args, name) === value
}

function memberOf(args: unknown, name: string): unknown {
  return (args as Readonly<Record<string, unknown>> | undefined)?.[name]
}
