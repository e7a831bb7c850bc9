import { tool, type Tool } from '../../tool/tool.ts'
import { ToolError } from '../../tool/tool-error.ts'
import { lineEndBefore, boundaryAtOrAfter } from '../../result/cut-result.ts'

/** Options of the `ReadMore` tool. */
interface ReadMoreOptions {
  /** How many characters it shows at once. */
  readonly page?: number
}

/** Creates the tool that shows more of a result that was cut. `find` returns the whole text of a call's result. */
export function readMoreTool(
  find: (call: string) => string | undefined,
  { page = 20_000 }: ReadMoreOptions = {},
): Tool {
  return tool({
    name: 'ReadMore',
    description:
      'Show more of the result of an earlier call, if a notice in that result says that characters were omitted.',
    parameters: {
      type: 'object',
      properties: {
        call: {
          type: 'string',
          description: 'The id of the call, from the notice in its result',
        },
        offset: {
          type: 'integer',
          minimum: 0,
          description: 'How many characters to skip. Default: 0',
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
      `There is no result of a call with the id ${JSON.stringify(call.slice(0, 80))}. Use the id from the notice in the result.`,
    )
  }
  if (offset >= text.length && text !== '') {
    throw new ToolError(
      'invalid_input',
      `Expected an offset below ${text.length}, the length of the result, got ${offset}.`,
    )
  }
  const from = boundaryAtOrAfter(text, offset)
  const isLast = text.length - from <= page
  const to = isLast ? text.length : Math.max(lineEndBefore(text, from + page), from + 1)
  const shown = text.slice(from, to)
  return isLast
    ? `${shown}\n[This is the end of the result.]`
    : `${shown}\n[${text.length - to} characters remain. Call ReadMore with ${JSON.stringify({ call, offset: to })} to see them.]`
}
