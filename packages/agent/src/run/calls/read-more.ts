import { tool, type Tool } from '../../tool/tool.ts'
import { ToolError } from '../../tool/tool-error.ts'
import { lineEndBefore } from '../../result/cut-result.ts'
import { boundaryAtOrAfter } from '../../result/character-boundary.ts'

export interface ReadMoreOptions {
  /** How many characters are shown at once. */
  readonly page?: number
}

/** Shows more of a result that was cut. `find` gives the whole text of what a call gave. */
export function readMoreTool(
  find: (call: string) => string | undefined,
  { page = 20_000 }: ReadMoreOptions = {},
): Tool {
  return tool({
    name: 'ReadMore',
    description:
      'Show more of the result of an earlier call, where the result says that characters are left out of it.',
    parameters: {
      type: 'object',
      properties: {
        call: {
          type: 'string',
          description: 'The id of the call, as the notice in its result says',
        },
        offset: {
          type: 'integer',
          minimum: 0,
          description: 'How many characters to skip; none if not told',
        },
      },
      required: ['call'],
      additionalProperties: false,
    },
    readOnly: true,
    execute: ({ call, offset = 0 }) => pageOf(find, String(call), Number(offset), page),
  })
}

function pageOf(
  find: (call: string) => string | undefined,
  call: string,
  offset: number,
  page: number,
): string {
  const text = find(call)
  if (text === undefined) {
    throw new ToolError(
      'not_found',
      `There is no result of a call ${JSON.stringify(call.slice(0, 80))}: take the id from the notice in the result.`,
    )
  }
  if (offset >= text.length && text !== '') {
    throw new ToolError(
      'invalid_input',
      `The result has ${text.length} characters: expected an offset below that, got ${offset}.`,
    )
  }
  const from = boundaryAtOrAfter(text, offset)
  const isLast = text.length - from <= page
  const to = isLast ? text.length : Math.max(lineEndBefore(text, from + page), from + 1)
  const shown = text.slice(from, to)
  return isLast
    ? `${shown}\n[This is the end of it.]`
    : `${shown}\n[${text.length - to} characters are left. ReadMore with ${JSON.stringify({ call, offset: to })} shows them.]`
}
