import { Option, type Command } from 'commander'
import {
  type Finish,
  collectReply,
  createParser,
  type Call,
  type Event,
  type Reply,
  parse,
  familyOf,
  type Segment,
} from '@toolglot/core'
import { details } from '@toolglot/core/details'
import { batch } from '../batch/batch.ts'
import { finishes, readRequest, type Request } from '../batch/request.ts'
import {
  chooseProtocols,
  type ChosenProtocols,
  knownProtocols,
  resolveProtocols,
  UserError,
} from '@toolglot/workspace'
import {
  printWarnings,
  type WorkspaceFlags,
  workspaceOf,
  workspaceWithWarnings,
} from '../open-workspace.ts'
import { bytesOf } from '../input/file.ts'
import { protocolName, protocolOfModel } from '../input/protocol-of-model.ts'
import { fromFile, fromInput, refuseEmpty, textOf, fromSamples } from '../input/source.ts'
import { loadTools } from '../input/tools.ts'
import { parseExamples, showExamples, nextSteps, runnable } from '../show/examples.ts'
import { colorsOf, type Terminal, columnsOf, write, type Colors, warn } from '../terminal.ts'
import { viewExplanations } from '../views/explanations.ts'
import { viewStream, type ViewOptions, type View } from '../views/stream.ts'
import { addWorkspaceFlags } from './flags.ts'
import { toJson } from '../show/text/json.ts'
import { showReply } from '../show/reply/reply.ts'
import { wrap } from '../show/text/table.ts'
import { visible } from '@toolglot/workspace/internal'

/** `parse`: shows a complete reply. For a sample, the wire text comes first. */
const viewReply: View = async (source, { options, finish, json }, { output, env }) => {
  const text = await textOf(source)
  refuseEmpty(text)
  const reply = parse(text, { ...options, ...(finish && { finish }) })

  if (json) return write(output, `${toJson(reply, { indent: 2 })}\n`)
  const colors = colorsOf(output, env)
  if ('protocol' in source) await write(output, `${showSegments(text, reply.segments, colors)}\n`)
  await write(output, showReply(text, reply, { colors, columns: columnsOf(output) }))
}

interface Flags extends WorkspaceFlags {
  readonly protocol?: readonly string[]
  readonly model?: string
  readonly tools?: string
  readonly prefix?: string
  readonly startsInReasoning?: true
  readonly repairs: boolean
  readonly details?: true
  readonly finish?: Finish
  readonly json?: true
  readonly stream?: true
  readonly explain?: true
  readonly batch?: true
  readonly samples?: true
}

/** `toolglot parse`: parses a model's reply. */
export function addParse(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('parse')
    .description("parse a model's reply: its text, its calls, and any repairs")
    .argument('[file]', 'a file with the reply (default: piped input, or the samples)')
    .option(
      '-p, --protocol <ids>',
      'try only these protocols, or those in a file: ./mine.ts (default: all)',
      addIds,
    )
    .addOption(
      new Option('-m, --model <name>', "try only this model's protocol").conflicts('protocol'),
    )
    .option('-t, --tools <file>', 'the tools that the model was given, as JSON')
    .option(
      '--prefix <text>',
      'the start of the reply that was in the prompt; \\n is a line break',
      unescape,
    )
    .option('--starts-in-reasoning', 'the reply starts inside reasoning')
    .option('--no-repairs', 'do not repair malformed calls')
    .option('--details', 'show where each repair acted')
    .addOption(new Option('--finish <how>', 'the way the reply ended').choices(finishes))
  addWorkspaceFlags(command)
    .option('--json', 'print the reply as JSON; with --stream, one event per line')
    .option('--stream', 'show the events as chunks arrive')
    .addOption(
      new Option('--explain', 'show how far each protocol could read the reply').conflicts(
        'stream',
      ),
    )
    .addOption(
      new Option('--batch', 'read requests and print answers as JSON Lines').conflicts(unbatched),
    )
    .option('--samples', 'parse the built-in sample replies')
    .showHelpAfterError('Help: toolglot parse --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), parseExamples)}`)
    .action((file: string | undefined, flags: Flags) =>
      flags.batch ? answerRequests(file, flags, terminal) : showReplies(file, flags, terminal),
    )
}

/** Options that are part of each request in a batch. */
const unbatched = [
  'protocol',
  'model',
  'tools',
  'prefix',
  'startsInReasoning',
  'repairs',
  'details',
  'finish',
  'json',
  'stream',
  'explain',
  'samples',
]

async function showReplies(
  file: string | undefined,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const { samples } = flags
  const view = viewOf(flags)

  if (samples && file !== undefined) {
    throw new UserError('usage', '--samples takes no file. Omit one of them')
  }
  const names = namesOf(flags)
  if (samples || (file === undefined && !terminal.hasInput)) {
    return viewSamples(names, view, await readingOf(flags, chooseProtocols(names)), terminal)
  }
  const workspace = await workspaceOf(flags, terminal)
  const typed = names.map((name) => protocolName(name, terminal))
  const { ids, known, usesSettings } = await resolveProtocols(typed, workspace)
  if (usesSettings) printWarnings(workspace, terminal)
  const reading = await readingOf(flags, chooseProtocols(ids, known))
  const isInput = file === undefined || file === '-'
  return view(isInput ? fromInput(terminal) : fromFile(file, terminal), reading, terminal)
}

function namesOf({ protocol = [], model }: Flags): readonly string[] {
  return model === undefined ? protocol : [protocolOfModel(model).id]
}

async function readingOf(flags: Flags, protocols: ChosenProtocols): Promise<ViewOptions> {
  const { prefix, startsInReasoning, repairs, finish, json = false } = flags
  const tools = flags.tools === undefined ? undefined : await loadTools(flags.tools)

  return {
    options: {
      ...protocols,
      repairs,
      ...(flags.details && { details }),
      ...(tools && { tools }),
      ...(prefix !== undefined && { prefix }),
      ...(startsInReasoning && { startsInReasoning }),
    },
    finish,
    json,
  }
}

function viewOf({ explain, stream }: Flags): View {
  if (explain) return viewExplanations
  return stream ? viewStream : viewReply
}

async function answerRequests(
  file: string | undefined,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  if (file === undefined && !terminal.hasInput) {
    throw new UserError(
      'usage',
      'No requests. Pipe them in, one JSON object per line: toolglot parse --batch < requests.jsonl',
    )
  }
  const input = file === undefined || file === '-' ? terminal.input : bytesOf(file)
  const known = await knownProtocols(await workspaceWithWarnings(flags, terminal))
  const answerOne = (request: Record<string, unknown>): object =>
    answer(readRequest(request, known))
  await batch(input, terminal.output, answerOne, (message) => warn(message, terminal))
}

function addIds(ids: string, before: readonly string[] = []): string[] {
  return [...before, ...ids.split(',').map((id) => id.trim())]
}

/** Shells pass `\n` as two characters. */
function unescape(text: string): string {
  const meanings: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }
  return text.replace(/\\([nrt\\])/g, (_, letter: string) => meanings[letter] ?? '')
}

/** Parses the reply in a request. Returns a line of `parse --batch`. */
function answer(request: Request): object {
  const { text, reasoning, calls, segments } = read(request)

  return {
    id: request.id,
    protocol: calls[0]?.protocol ?? request.requestedProtocol,
    content: text,
    reasoning,
    calls: calls.map(answerCall),
    malformed: segments
      .filter((segment) => segment.type === 'malformed')
      .map(({ problem, raw, span }) => ({ problem, raw, span })),
    segments: segments.map(({ type, span }) => ({ type, span })),
  }
}

function read({ chunks, options, finish }: Request): Reply {
  const parser = createParser(options)
  return collectReply(events())

  function* events(): Iterable<Event> {
    for (const chunk of chunks) yield* parser.feed(chunk)
    yield* parser.end(finish ? { finish } : {})
  }
}

function answerCall({ id, name, args, complete, repairs, ...call }: Call): object {
  const { inReasoning, fenced, markerless, afterMalformed, afterResult, otherProtocol } = call
  // JSON omits undefined values.
  const facts = { inReasoning, fenced, markerless, afterMalformed, afterResult, otherProtocol }
  return { id, name, arguments: args, complete, repairs, ...facts }
}

/** Shows the built-in replies of some protocols and, for people, suggestions for next steps. */
async function viewSamples(
  ids: readonly string[],
  view: View,
  reading: ViewOptions,
  terminal: Terminal,
): Promise<void> {
  const { output, env } = terminal
  const { bold, dim } = colorsOf(output, env)
  const writeForPeople = async (text: string): Promise<void> => {
    if (!reading.json) await write(output, text)
  }

  for (const source of fromSamples(ids)) {
    const { protocol, tools } = source
    const title = `${dim('──')} ${bold(protocol.id)} ${dim('──')} ${familyOf(protocol).about}`
    await writeForPeople(`${wrap(title, columnsOf(output)).join('\n')}\n\n`)
    const options = { tools, ...reading.options, protocols: protocol }
    await view(source, { ...reading, options }, terminal)
    await writeForPeople('\n')
  }
  await writeForPeople(showExamples(bold('Next:'), runnable(nextSteps, env)))
}

/** The wire text, with each segment in the color of its type, after a bar. */
function showSegments(text: string, segments: readonly Segment[], colors: Colors): string {
  const bar = colors.dim('│ ')
  return segments
    .map(({ type, span }) => paintLines(visible(text.slice(...span)), painters(colors)[type]))
    .join('')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${bar}${line}`.trimEnd() + '\n')
    .join('')
}

function painters(colors: Colors): Record<Segment['type'], (text: string) => string> {
  return {
    text: (text) => text,
    reasoning: (text) => colors.dim(colors.italic(text)),
    mark: colors.dim,
    call: colors.cyan,
    malformed: colors.red,
    result: colors.yellow,
  }
}

/** Paints line by line, so that no color runs into the bar. */
function paintLines(text: string, paint: (line: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : paint(line)))
    .join('\n')
}
