import {
  printCalls,
  printPrompt,
  printResult,
  type Protocol,
  protocols,
  type ToolDefinition,
} from '@toolglot/core'
import { checkProtocol, type LawReport } from '@toolglot/core/check'
import { type Picture, readPicture } from '@toolglot/core/picture'
import { useEffect, useMemo, useState } from 'react'
import { useSources } from '../sources.ts'
import { ParseClient } from '../worker/parse-client.ts'

/** A problem and its position in the text. */
export type ShownProblem = Picture['problems'][number] & {
  readonly line: number
  readonly column: number
}

/** The findings about a drawn protocol. Can be posted from a worker. */
export interface CheckedPicture {
  /** The text that was checked. */
  readonly source: string
  readonly problems: readonly ShownProblem[]
  /** Its id. Undefined if too little could be parsed. */
  readonly id?: string
  /** True if a built-in protocol has this id: the command requires another one. */
  readonly isTaken: boolean
  /** Replies to try the protocol on. */
  readonly examples: readonly { readonly title: string; readonly wire: string }[]
  readonly laws: readonly LawReport[]
  /** The prompt that it prints. */
  readonly prompt?: Printed
  readonly call?: Printed
  readonly result?: Printed
}

/** A text, or the reason why it is missing. */
export type Printed = { readonly text: string } | { readonly error: string }

/** Options of the check. */
interface CheckPictureOptions {
  /** The number of random texts to test the laws with. Default: 40. */
  readonly texts?: number
  /** Skips the laws, which take longer. Default: false. */
  readonly onlyRead?: boolean
}

/**
 * Parses a protocol file, checks the laws, and prints examples. Executes no code from the text.
 * Slow: run it in a worker.
 */
export function checkPicture(
  source: string,
  { texts = 40, onlyRead = false }: CheckPictureOptions = {},
): CheckedPicture {
  const { protocol, examples, problems } = readPicture(source)
  const shown = problems.map((problem) => ({ ...problem, ...lineColumn(source, problem.from) }))
  const replies = Object.entries(examples)
    .slice(0, MAX_EXAMPLES)
    .map(([title, { wire }]) => ({ title: cut(title, MAX_TITLE), wire }))
  const read = { source, problems: shown, isTaken: false, examples: replies }
  if (!protocol) return { ...read, laws: [] }
  return {
    ...read,
    id: protocol.id,
    isTaken: Object.hasOwn(protocols, protocol.id),
    laws: onlyRead ? [] : checkProtocol(protocol, { examples, texts }).map(shortened),
    ...printedBy(protocol),
  }
}

function printedBy(protocol: Protocol): Pick<CheckedPicture, 'prompt' | 'call' | 'result'> {
  return {
    prompt: attempt(() => printPrompt(protocol, TOOLS)),
    call: attempt(() => printCalls(protocol, [CALL])),
    result: attempt(() =>
      printResult(protocol, { call: CALL, output: OUTPUT }, { tools: TOOLS, protocols: protocol }),
    ),
  }
}

function attempt(print: () => string): Printed {
  try {
    return { text: cut(print(), MAX_PRINTED) }
  } catch (error) {
    return { error: cut(error instanceof Error ? error.message : String(error), MAX_FAILURE) }
  }
}

function shortened(report: LawReport): LawReport {
  const failures = report.failures.map(({ on, problem }) => ({
    on: cut(on, MAX_FAILURE),
    problem: cut(problem, MAX_FAILURE),
  }))
  return { ...report, failures }
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}

const MAX_PRINTED = 8000
const MAX_FAILURE = 400
const MAX_EXAMPLES = 12
const MAX_TITLE = 80

const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'get_weather',
    description: 'The weather in a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
  { name: 'ping', description: 'Whether anybody is there' },
]
const CALL = { name: 'get_weather', args: { city: 'Hà Nội', days: 2 }, id: 'a1B2c3D4e' }
const OUTPUT = { sky: 'clear', degrees: 24 }

/** The line and column of a position in a text, both from 1. */
export function lineColumn(text: string, at: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) {
    line++
    start = next + 1
  }
  return { line, column: at - start + 1 }
}

/** The findings about a text; until they arrive, those about the previous text. */
interface PictureState {
  readonly result: CheckedPicture | undefined
  readonly isChecking: boolean
  /** The check took too long and was stopped. */
  readonly isStopped: boolean
}

/**
 * The pause in typing before the laws are checked, and the time limit of the check, in
 * milliseconds.
 */
const PAUSE = 500
const LIMIT = 15_000

/**
 * Parses a drawn protocol at once and then checks its laws, in a separate worker so that replies
 * are parsed without delay.
 */
export function useCheckedPicture(source: string): PictureState {
  const { startWorker } = useSources()
  const client = useMemo(() => new ParseClient(startWorker), [startWorker])
  const [result, setResult] = useState<CheckedPicture>()
  /** The text whose check is complete or was stopped. */
  const [checked, setChecked] = useState<string>()
  const [stopped, setStopped] = useState<string>()
  useEffect(() => () => client.close(), [client])
  useEffect(() => {
    let isCurrent = true
    const end = (isStopped: boolean): void => {
      setChecked(source)
      setStopped(isStopped ? source : undefined)
    }
    const check = async (): Promise<void> => {
      const read = await client.ask('check', { source, onlyRead: true })
      if (!isCurrent) return
      const isProtocol = read.id !== undefined
      setResult((before) => ({ ...read, laws: (isProtocol && before?.laws) || [] }))
      if (!isProtocol) return end(false)
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      if (!isCurrent) return
      const limit = setTimeout(() => client.close(), LIMIT)
      try {
        const all = await client.ask('check', { source, onlyRead: false })
        if (!isCurrent) return
        setResult(all)
        end(false)
      } finally {
        clearTimeout(limit)
      }
    }
    check().catch(() => {
      if (!isCurrent) return
      setResult((before) => before && { ...before, laws: [] })
      end(true)
    })
    return () => {
      isCurrent = false
    }
  }, [client, source])
  return { result, isChecking: checked !== source, isStopped: stopped === source }
}
