import { schemaFault } from '@toolglot/agent/adapter/internal'
import { isObject } from '@toolglot/agent/internal'
import type { RequestDraft, Parameter } from './parameter.ts'
import {
  expectFlag,
  expectInteger,
  expectList,
  expectNumber,
  expectObject,
  expectText,
  type Fields,
  invalid,
  refused,
} from './expect.ts'
import { GatewayError } from './gateway-error.ts'

// Parameters with the same meaning in several APIs.

type Shared = Parameter<RequestDraft>

export const modelParameter: Shared = {
  name: 'model',
  treatment: 'emulate',
  note: 'selects one of `/v1/models`',
  read(value, draft) {
    draft.model = expectText('model', value)
  },
}

export const streamParameter: Shared = {
  name: 'stream',
  treatment: 'emulate',
  read(value, draft) {
    draft.stream = expectFlag('stream', value)
  },
}

export const extensionParameter: Shared = {
  name: 'toolglot',
  treatment: 'emulate',
  note: 'an extension: `{ "stream_arguments": true }` streams arguments while the model writes them',
  read(value, draft) {
    const { stream_arguments: stream, ...others } = expectObject('toolglot', value)
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) throw invalid('toolglot', '{ stream_arguments }', unknown)
    if (stream !== undefined)
      draft.streamArguments = expectFlag('toolglot.stream_arguments', stream)
  },
}

/** With `false`, the gateway stops parsing after the first call. */
export const parallelParameter: Shared = {
  name: 'parallel_tool_calls',
  treatment: 'emulate',
  note: 'with `false`, the gateway stops parsing after the first call',
  read(value, draft) {
    if (!expectFlag('parallel_tool_calls', value)) draft.options.stopAtFirstCall = true
  },
}

/** A parameter with the maximum length of a reply. */
export function lengthParameter(name: string): Shared {
  return {
    name,
    treatment: 'pass',
    read(value, draft) {
      draft.options.maxOutputTokens = expectInteger(name, value, [1, 1 << 30])
    },
  }
}

export const temperatureParameter: Shared = {
  name: 'temperature',
  treatment: 'pass',
  read(value, draft) {
    draft.options.temperature = expectNumber('temperature', value, [0, 2])
  },
}

export const topPParameter: Shared = {
  name: 'top_p',
  treatment: 'pass',
  read(value, draft) {
    draft.options.topP = expectNumber('top_p', value, [0, 1])
  },
}

/** A parameter with stop sequences. */
export function stopParameter(name: string): Shared {
  return {
    name,
    treatment: 'emulate',
    note: 'the reply ends before the first of these in its text, but never inside a call or reasoning',
    read(value, draft) {
      const list = typeof value === 'string' ? [value] : expectList(name, value, 16)
      draft.options.stop = list.map((text, at) => expectStop(`${name}[${at}]`, text))
    },
  }
}

/** The treatment of tools in every API. */
export const TOOLS_NOTE =
  'described in the prompt, or passed to native function calling. `strict: true` is checked, except for `format`.'

/** The treatment of a tool choice that requires a call. */
export const CHOICE_NOTE =
  'the gateway starts the reply for the model if possible; otherwise it retries once, and then the request fails'

/** The treatment of a reply format. */
export const FORMAT_NOTE = 'dropped if tools are offered, because it would prevent calls in text'

/**
 * Requires the reply to be JSON. With tools, the parameter is dropped instead, so this must be
 * called after the tools were read.
 */
export function requireJson(
  draft: RequestDraft,
  parameter: string,
  { schema, name }: Fields = {},
): void {
  if (draft.tools.length > 0) {
    draft.notes.push(`dropped:${parameter}`)
    return
  }
  const fault = isObject(schema) ? schemaFault(schema) : undefined
  if (fault !== undefined)
    throw new GatewayError(400, 'invalid_schema', `The schema of ${parameter} ${fault}.`, {
      parameter,
      summary: `${parameter} must have a usable JSON Schema.`,
    })
  draft.options.responseFormat = {
    type: 'json',
    schema: isObject(schema) ? schema : undefined,
    name: typeof name === 'string' ? name : undefined,
  }
}

function expectStop(where: string, value: unknown): string {
  const text = expectText(where, value)
  if (text === '' || text.length > MAX_STOP)
    throw invalid(where, `a string of 1 to ${MAX_STOP} characters`, text)
  return text
}

const MAX_STOP = 1000

/** Sampling parameters that model servers support under the same name. */
export function samplingParameters(...names: readonly string[]): readonly Shared[] {
  return names.map((name) => ({
    name,
    treatment: 'pass',
    read(value, draft) {
      const body = { [name]: expectNumber(name, value, [-1000, 1000]) }
      draft.options.body = { ...draft.options.body, ...body }
    },
  }))
}

export function ignored(...names: readonly string[]): readonly Shared[] {
  return names.map((name) => ({ name, treatment: 'ignore' }))
}

export function dropped(...names: readonly string[]): readonly Shared[] {
  return names.map((name) => ({ name, treatment: 'drop' }))
}

/** A parameter that makes the request fail. `what` describes the unsupported feature. */
export function refusedParameter(name: string, what: string, advice: string): Shared {
  return {
    name,
    treatment: 'refuse',
    note: advice,
    read() {
      throw refused(name, what, advice)
    },
  }
}
