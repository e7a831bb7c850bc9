import { type Command, Option } from 'commander'
import { type Answers, type ApprovalAnswer, Unanswered } from '@toolglot/agent'
import { type Journal, JournalError, type PendingRequest } from '@toolglot/agent/journal'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'
import { findRun, findRequest, type NumberedRequest, requestsOf } from '../../input/find-run.ts'
import { readAnswers } from '../../input/read-answers.ts'
import { askAboutCall, denial } from '../../person/approve.ts'
import { askAtKeyboard } from '../../person/ask-questions.ts'
import { keyboardOf } from '../../person/keyboard.ts'
import { answerExamples, showExamples } from '../../show/examples.ts'
import { resumeCommand } from '../../show/resume-command.ts'
import { shellWord } from '../../show/text/shell-word.ts'
import { showCallLine } from '../../show/run/call-line.ts'
import { colorsOf, columnsOf, type Terminal, write } from '../../terminal.ts'
import { useJournal } from '../use-journal.ts'
import { addWord } from '../flags.ts'

interface Flags {
  readonly reason?: string
  readonly always?: 'run' | 'user' | 'folder'
  readonly network?: true
  readonly answer: readonly string[]
}

/** `toolglot runs answer`: answers a pending request of a run. */
export function addAnswer(runs: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  runs
    .command('answer')
    .description('answer a pending request of a run; without an answer, ask at the terminal')
    .usage('[options] <run> [number] [allow|deny]')
    .argument('<run>', 'its id, its name, or last')
    .argument(
      '[number]',
      'the number of the request (see runs waiting), or the start of its key; default: the only one',
    )
    .argument('[verdict]', 'allow or deny, for a call')
    .option('--reason <text>', 'with deny: the reason, for the model')
    .addOption(
      new Option('--always <where>', 'with allow: also allow such calls from now on').choices([
        'run',
        'user',
        'folder',
      ]),
    )
    .option('--network', 'with allow: grant full network access, this time only')
    .option('--answer <question=answer>', 'answer a question; can be repeated', addWord, [])
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), answerExamples)}`)
    .action((text: string, number: string | undefined, verdict: string | undefined, flags: Flags) =>
      useJournal(terminal, async (journal) => {
        const said = read([number, verdict], flags)
        const { run } = await findRun(journal, text)
        const requests = await requestsOf(journal, run)
        if (said.answer)
          await answerOne(journal, findRequest(run, requests, said.number), said.answer)
        else await ask(journal, wanted(run, requests, said.number), terminal)
        await write(terminal.output, await whatNext(journal, run, terminal))
      }),
    )

  /** Sends the answer from the command line. */
  async function answerOne(
    journal: Journal,
    request: NumberedRequest,
    answer: GivenAnswer,
  ): Promise<void> {
    await record(journal, request, valueOf(request, answer))
    await write(terminal.output, reported(request, answer.verdict, terminal))
  }
}

/** The answer on the command line. */
interface GivenAnswer extends Flags {
  readonly verdict: 'allow' | 'deny' | undefined
}

/**
 * Parses the words after the run: the request and the answer. Without an answer, the user is asked.
 */
function read(
  given: readonly (string | undefined)[],
  flags: Flags,
): { readonly number: string | undefined; readonly answer: GivenAnswer | undefined } {
  const words = given.filter((word) => word !== undefined)
  const last = words.at(-1)
  const verdict = last === 'allow' || last === 'deny' ? last : undefined
  const [number, extra] = verdict ? words.slice(0, -1) : words
  if (extra !== undefined) throw usage(`${quote(extra)} is neither allow nor deny`)
  const { always, network, reason, answer } = flags
  if (network && verdict !== 'allow') throw usage('--network requires allow')
  if (always && verdict !== 'allow') throw usage('--always requires allow')
  if (reason !== undefined && verdict !== 'deny') throw usage('--reason requires deny')
  if (answer.length > 0 && verdict) throw usage('Choose --answer, or allow or deny, not both')
  const isGiven = verdict !== undefined || answer.length > 0
  return { number, answer: isGiven ? { ...flags, verdict } : undefined }
}

function valueOf(
  request: NumberedRequest,
  { verdict, always, network, reason, answer }: GivenAnswer,
): ApprovalAnswer | Answers {
  const { run, number } = request
  if (request.type === 'question') {
    if (verdict === undefined) return readAnswers(answer, request.questions)
    throw new UserError(
      'data',
      `This is a question, which takes --answer, not ${verdict}. To be asked, run toolglot runs answer ${shellWord(run)} ${number}; nothing was changed`,
    )
  }
  if (verdict === undefined)
    throw new UserError(
      'data',
      'This is a call: answer it with allow or deny, not with --answer; nothing was changed',
    )
  if (verdict === 'deny') return denial(reason)
  if (always && !request.suggestions.some((suggestion) => 'rule' in suggestion))
    throw new UserError(
      'data',
      `No rule can allow this call of ${request.tool} permanently. Allow it without --always; nothing was changed`,
    )
  if (network && !request.network)
    throw new UserError(
      'data',
      `The network of this call of ${request.tool} is not limited. Allow it without --network; nothing was changed`,
    )
  return { verdict, always, network: network ? 'once' : undefined }
}

async function record(
  journal: Journal,
  { run, key, number }: NumberedRequest,
  value: ApprovalAnswer | Answers,
): Promise<void> {
  try {
    await journal.answer(run, key, value)
  } catch (error) {
    if (!(error instanceof JournalError && error.problem === 'not_pending')) throw error
    throw new UserError(
      'data',
      `${number} of ${run} was already answered, or is no longer pending. The first answer counts; nothing was changed`,
    )
  }
}

function wanted(
  run: string,
  requests: readonly NumberedRequest[],
  number: string | undefined,
): readonly NumberedRequest[] {
  return number === undefined && requests.length > 0
    ? requests
    : [findRequest(run, requests, number)]
}

/** Shows the requests at the terminal, one by one, until there is no answer. */
async function ask(
  journal: Journal,
  requests: readonly NumberedRequest[],
  terminal: Terminal,
): Promise<void> {
  for (const request of requests) {
    const value = await askHere(request, terminal)
    if (value === undefined) {
      terminal.errors.write('Not answered; nothing was changed.\n')
      return
    }
    await record(journal, request, value)
  }
}

async function askHere(
  request: PendingRequest,
  terminal: Terminal,
): Promise<ApprovalAnswer | Answers | undefined> {
  const keyboard = keyboardOf(terminal)
  if (!keyboard) throw usage('No answer, and no terminal to ask on')
  const { errors, env } = terminal
  const { tool: name, args } = request
  const colors = colorsOf(errors, env)
  const columns = columnsOf(errors)
  const { signal } = new AbortController()
  keyboard.show(`${showCallLine({ name, args }, colors, columns)}\n`)
  if (request.type === 'approval') {
    // Only the process that executes the run can check whether rules can be saved there.
    const options = { keyboard, colors, columns, stores: ['folder', 'user'] as const }
    return askAboutCall({ ...request, name }, options, signal)
  }
  try {
    return await askAtKeyboard({ keyboard, colors })(request.questions, signal)
  } catch (error) {
    if (error instanceof Unanswered) return undefined
    throw error
  }
}

function reported(
  { tool: name, args }: NumberedRequest,
  verdict: GivenAnswer['verdict'],
  { output, env }: Terminal,
): string {
  const done = verdict === undefined ? 'Answered' : verdict === 'allow' ? 'Allowed' : 'Denied'
  const line = showCallLine({ name, args }, colorsOf(output, env), columnsOf(output) - 10)
  return `${done}: ${line}\n`
}

/**
 * The run's next pending request, or the command that continues the run if no process is executing
 * it.
 */
async function whatNext(journal: Journal, id: string, terminal: Terminal): Promise<string> {
  const summary = await findRun(journal, id)
  const left = await requestsOf(journal, id)
  if (left.length > 0)
    return `${left.length === 1 ? '1 more request is' : `${left.length} more requests are`} pending: toolglot runs waiting ${shellWord(id)}\n`
  return summary.state === 'interrupted'
    ? `No process is executing it. To continue it: ${resumeCommand(summary, terminal.cwd)}\n`
    : ''
}

function usage(problem: string): UserError {
  return new UserError(
    'usage',
    `${problem}. Try: toolglot runs answer last allow. List pending requests with: toolglot runs waiting`,
  )
}
