import type { ToolDefinition } from '@toolglot/core'
import type { Permissions } from '@toolglot/permissions'
import { toExecuteOptions, type Registry } from '../../registry/registry.ts'
import { boundaryAtOrAfter, lineEndBefore } from '../../result/cut-result.ts'
import type { ExecuteOptions } from '../../tool/execute.ts'
import { jsonSchemaOf } from '../../tool/json-schema.ts'
import { ToolError } from '../../tool/tool-error.ts'
import { type Tool, tool } from '../../tool/tool.ts'

/** The results of a run, for `ReadMore`. */
interface RunResults {
  /** Returns the complete result of a call. */
  readonly find: (call: string) => string | undefined
  /** The maximum length of a result, in characters. */
  readonly maxResult: number
}

/** The tools of a run: those in the registry, plus `ReadMore` once a result has been truncated. */
export class RunTools {
  readonly #registry: Registry
  readonly #readMore: Tool
  readonly #definition: ToolDefinition
  readonly #canReadMore: boolean
  #offersReadMore = false
  #lists = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>()

  /** Without `results`, there is no `ReadMore`. */
  constructor(registry: Registry, results?: RunResults) {
    this.#registry = registry
    this.#canReadMore = results !== undefined
    this.#readMore = readMoreTool(results?.find ?? (() => undefined), {
      page: pageLength(results),
    })
    const { name, description, parameters } = this.#readMore
    this.#definition = { name, description, parameters: jsonSchemaOf(parameters) }
  }

  /**
   * Offers `ReadMore` from now on, because a result was truncated. Returns false if the tool is not
   * available.
   */
  offerReadMore(): boolean {
    this.#offersReadMore = this.#mayOffer()
    return this.#canReadMore
  }

  #mayOffer(): boolean {
    return this.#canReadMore && this.#registry.find(this.#readMore.name) === undefined
  }

  find(name: string): Tool | undefined {
    return this.#offersReadMore && name === this.#readMore.name
      ? this.#readMore
      : this.#registry.find(name)
  }

  /** The machine that the tools run on, if any tool specifies it. */
  host(): string | undefined {
    const hosts = new Set([...this.#registry.tools.values()].flatMap(({ host }) => host ?? []))
    if (hosts.size > 1)
      throw new TypeError(
        `The tools run on several machines: ${[...hosts].join(', ')}. Use the tools of one machine.`,
      )
    return [...hosts][0]
  }

  /** Restores the state of the tools after a restart. */
  async resume(run: string, remembered: ReadonlyMap<string, unknown>): Promise<void> {
    const tools = new Set([...this.#registry.tools.values()].map((tool) => tool.aliasOf ?? tool))
    for (const tool of tools) await tool.resume?.(run, remembered)
  }

  /** The tools in the prompt or the request. */
  definitions(): readonly ToolDefinition[] {
    return this.#withReadMore(this.#registry.definitions())
  }

  /** Like `definitions`, but always including `ReadMore`, to reserve space for it. */
  possibleDefinitions(): readonly ToolDefinition[] {
    const list = this.#registry.definitions()
    return this.#mayOffer() ? this.#longer(list) : list
  }

  /** True if a tool is needed to read the results of other tools. */
  readonly readsResults = ({ name }: ToolDefinition): boolean =>
    this.#mayOffer() && name === this.#readMore.name

  /** The tools known to the parser, including aliases. */
  known(): readonly ToolDefinition[] {
    return this.#withReadMore(this.#registry.known())
  }

  /** The part of the options of `execute` that comes from the tools. */
  executeOptions(
    permissions: Permissions,
  ): Pick<ExecuteOptions, 'tools' | 'permissions' | 'middleware' | 'presets'> {
    const options = toExecuteOptions(this.#registry, permissions)
    if (!this.#offersReadMore) return options
    const { name, access } = this.#readMore
    return {
      ...options,
      tools: new Map([...options.tools, [name, this.#readMore]]),
      permissions: {
        ...options.permissions,
        tools: new Map([...(options.permissions.tools ?? []), [name, access]]),
      },
    }
  }

  #withReadMore(list: readonly ToolDefinition[]): readonly ToolDefinition[] {
    return this.#offersReadMore ? this.#longer(list) : list
  }

  /** Returns the same list for the same input, so that it can be used as a cache key. */
  #longer(list: readonly ToolDefinition[]): readonly ToolDefinition[] {
    let longer = this.#lists.get(list)
    if (!longer) this.#lists.set(list, (longer = Object.freeze([...list, this.#definition])))
    return longer
  }
}

/** The length of a page, short enough that a page with its notice is not truncated itself. */
function pageLength(
  { maxResult }: Pick<RunResults, 'maxResult'> = { maxResult: Infinity },
): number {
  return Math.max(1, Math.min(20_000, maxResult - NOTICE))
}

/** The maximum length of the notice at the end of a page. */
const NOTICE = 200

/** Options for the `ReadMore` tool. */
interface ReadMoreOptions {
  /** The number of characters shown per call. */
  readonly page?: number
}

/**
 * Creates the tool that shows more of a truncated result. `find` returns the complete text of a
 * call's result.
 */
export function readMoreTool(
  find: (call: string) => string | undefined,
  { page = 20_000 }: ReadMoreOptions = {},
): Tool {
  return tool({
    name: 'ReadMore',
    description: 'Show more of an earlier result that contains a notice about omitted characters.',
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
          description: 'The number of characters to skip. Default: 0',
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
      `No result has the id ${JSON.stringify(call.slice(0, 80))}. Use the id from the notice in the result.`,
    )
  }
  if (offset >= text.length && text !== '') {
    throw new ToolError(
      'invalid_input',
      `offset must be below ${text.length}, the length of the result, not ${offset}.`,
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
